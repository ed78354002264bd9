"""Applications, middleware, templates."""

from pathlib import Path

from . import keys
from .environment import env

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env("QAF_VAR_DIR") or BASE_DIR / "var")
DEBUG = env("QAF_DEBUG")
SECRET_KEY = env("QAF_SECRET_KEY") or keys.development_key(VAR_DIR, debug=DEBUG)
ALLOWED_HOSTS = env("QAF_ALLOWED_HOSTS") or (["127.0.0.1", "localhost", "[::1]"] if DEBUG else [])
PUBLIC_BASE_URL = env("PUBLIC_BASE_URL").rstrip("/")

INSTALLED_APPS = [
    "qaf.apps.QafConfig",
    "library.apps.LibraryConfig",
    "search.apps.SearchConfig",
    "quran.apps.QuranConfig",
    "django_htmx",
    "django_structlog",
    "csp",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
]
MIDDLEWARE = [
    "django_structlog.middlewares.RequestMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "qaf.urls"
WSGI_APPLICATION = "qaf.wsgi.application"
ASGI_APPLICATION = "qaf.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
