"""``manage.py dbshell`` on the embedded server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.backends.postgresql.client import DatabaseClient as PostgresqlClient

from qaf.embedded import project


class DatabaseClient(PostgresqlClient):
    """Runs the packaged psql with the address of the embedded server."""

    @classmethod
    def settings_to_cmd_args_env(
        cls, settings_dict: dict[str, Any], parameters: Iterable[str]
    ) -> tuple[list[str], dict[str, str] | None]:
        """The command line of psql and its environment."""
        cluster = project.cluster()
        at = cluster.ensure(settings_dict["NAME"])
        filled = {
            **settings_dict,
            "HOST": at["host"],
            "PORT": at["port"],
            "USER": at["user"],
            "PASSWORD": at["password"],
        }
        arguments, environment = super().settings_to_cmd_args_env(filled, parameters)
        return [str(cluster.program("psql")), *arguments[1:]], environment
