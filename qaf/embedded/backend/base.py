"""The database backend of the embedded server: as Django's, but it starts the server when there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base

from qaf.embedded import project
from qaf.patience import PatientConnection, seconds_left

from .client import DatabaseClient


class SelfStartingConnection(PatientConnection):
    """A connection that, when refused, starts the server and asks again."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        """As psycopg's; the address is read anew each time, because a restarted server may have another port."""
        connect = super().connect
        return project.with_server(lambda address: connect(conninfo, **{**kwargs, **address}))


class DatabaseWrapper(base.DatabaseWrapper):
    """Chosen by ``qaf.settings.database`` when ``DATABASE_URL`` is unset."""

    client_class = DatabaseClient

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        super().__init__(settings_dict, alias)
        pool = self.settings_dict["OPTIONS"].get("pool")
        if isinstance(pool, dict):
            pool.setdefault("connection_class", SelfStartingConnection)

    def get_connection_params(self) -> dict[str, Any]:
        """Django's parameters with the server's address; the project's own database is created on first use."""
        params: dict[str, Any] = super().get_connection_params()
        name = self.settings_dict["NAME"]
        return {**params, **project.address(name if name == settings.EMBEDDED_DATABASE else None)}

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        """A connection from the pool, or a new one where Django wants none pooled (to create a test database)."""
        connect: Callable[[dict[str, Any]], psycopg.Connection[Any]] = super().get_new_connection
        if self.pool:  # its connections start the server themselves
            left = seconds_left()
            return connect(conn_params) if left is None else self._pooled_within(left)
        return project.with_server(lambda address: connect({**conn_params, **address}))

    def _pooled_within(self, seconds: float) -> psycopg.Connection[Any]:
        """A connection from the pool as Django takes it, without the patience that a starting server is given."""
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        self.pool.open()
        pooled: psycopg.Connection[Any] = self.pool.getconn(timeout=min(seconds, self.pool.timeout))
        return pooled
