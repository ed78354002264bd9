"""Languages: Arabic is the default and has no prefix, English lives under ``/en/``."""

from .base import BASE_DIR

LANGUAGE_CODE = "ar"
LANGUAGES = [("ar", "العربية"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
