"""The database: the embedded server, or the PostgreSQL that ``DATABASE_URL`` names."""

from .environment import env

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": env("QAF_DATABASE_NAME"),
        "CONN_MAX_AGE": 0,
        "TEST": {"NAME": env("QAF_TEST_DATABASE")},
    }
}
