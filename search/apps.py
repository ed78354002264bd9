"""The search application."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Configuration of ``search``."""

    name = "search"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Index an edition in the transaction that saves it; find what quotes a text."""
        from library.ports import edition_saved, phrase_finder
        from search.lexical.indexing import index_edition
        from search.quoting import passages_with_phrases
        from search.semantic.batches import enqueue_edition

        edition_saved.register(index_edition)
        edition_saved.register(enqueue_edition)
        phrase_finder.register(passages_with_phrases)
