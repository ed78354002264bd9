"""The quran application."""

from django.apps import AppConfig


class QuranConfig(AppConfig):
    """Configuration of ``quran``."""

    name = "quran"
    default_auto_field = "django.db.models.BigAutoField"
