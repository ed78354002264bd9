"""The search application."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Configuration of ``search``."""

    name = "search"
    default_auto_field = "django.db.models.BigAutoField"
