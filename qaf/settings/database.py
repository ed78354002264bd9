"""The database: the embedded server, or the PostgreSQL that ``DATABASE_URL`` names.

Connections come from psycopg's pool (docs/decisions/0002-connection-pool.md). A connection is looked at before it is
handed out, so that a restart of the server costs no request an error page.
"""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from qaf.patience import PatientConnection

from .environment import env


def from_url(url: str) -> dict[str, Any]:
    """The entry of ``DATABASES`` for a PostgreSQL URL, read by libpq's own rules; raises ImproperlyConfigured.

    Parameters after the question mark (``sslmode``, ``connect_timeout``, …) become ``OPTIONS``.
    """
    if not url.startswith(("postgresql://", "postgres://")):
        raise ImproperlyConfigured("DATABASE_URL: must begin with postgresql://")
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except ProgrammingError as error:
        raise ImproperlyConfigured("DATABASE_URL: is not a valid PostgreSQL URL") from error
    if not all(port.isdigit() for port in parts.get("port", "5432").split(",")):
        raise ImproperlyConfigured("DATABASE_URL: the port is not a number")
    if "dbname" not in parts:
        raise ImproperlyConfigured("DATABASE_URL: must name a database, as in postgresql://user:password@host/database")
    named = {key.upper(): parts.pop(key, "") for key in ("host", "port", "user", "password")}
    return {"ENGINE": "django.db.backends.postgresql", "NAME": parts.pop("dbname"), **named, "OPTIONS": parts}


EMBEDDED_DATABASE = env("QAF_DATABASE_NAME")
EMBEDDED_BIN = env("QAF_PG_BIN")

_database = (
    from_url(env("DATABASE_URL"))
    if env("DATABASE_URL")
    else {"ENGINE": "qaf.embedded.backend", "NAME": EMBEDDED_DATABASE, "OPTIONS": {}}
)
# Seconds to wait for a connection: an embedded server may have to start and recover first.
_patience = 10 if env("DATABASE_URL") else 60
_database["OPTIONS"]["pool"] = {
    "min_size": 1,
    "max_size": env("QAF_DB_POOL_SIZE"),
    "timeout": _patience,
    # Else the pool doubles its pauses, and readers wait for minutes after the server is back.
    "reconnect_timeout": _patience,
}
if env("DATABASE_URL"):  # the embedded backend has a class of its own, made from this one
    _database["OPTIONS"]["pool"]["connection_class"] = PatientConnection

DATABASES = {
    "default": {
        **_database,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "TEST": {"NAME": env("QAF_TEST_DATABASE")},
    }
}
