"""The library application."""

from django.apps import AppConfig


class LibraryConfig(AppConfig):
    """Configuration of ``library``."""

    name = "library"
    default_auto_field = "django.db.models.BigAutoField"
