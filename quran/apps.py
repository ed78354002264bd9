"""The quran application."""

from django.apps import AppConfig


class QuranConfig(AppConfig):
    """Configuration of ``quran``."""

    name = "quran"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Link quotations in books to their verses; take part in the site's search."""
        from library.ports import passage_annotators, query_addresses, search_tabs
        from quran.ports import address_in_query, search_tab
        from quran.quotations import annotate

        passage_annotators.register(annotate)
        query_addresses.register(address_in_query)
        search_tabs.register(search_tab)
