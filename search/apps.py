"""The search application."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Configuration of ``search``."""

    name = "search"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Index an edition in the transaction that saves it."""
        from library.ports import edition_saved
        from search.lexical.indexing import index_edition

        edition_saved.register(index_edition)
