"""The qaf application."""

from django.apps import AppConfig


class QafConfig(AppConfig):
    """Configuration of ``qaf``."""

    name = "qaf"
    default_auto_field = "django.db.models.BigAutoField"
