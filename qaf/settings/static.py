"""Static files: found in place in development, collected, compressed and named by content in production."""

from .base import BASE_DIR, DEBUG, VAR_DIR

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
# Said here because tests run with DEBUG off and nothing collected.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
