"""``manage.py db``: start, stop and look at the embedded server."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from qaf.embedded import project
from qaf.embedded.errors import EmbeddedServerError


class Command(BaseCommand):
    """One of ``start``, ``stop``, ``status`` (exit code 3 when stopped), ``url``."""

    help = "Start, stop or describe the embedded PostgreSQL. Other commands start it by themselves."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the act."""
        parser.add_argument("act", choices=("start", "stop", "status", "url"))

    def handle(self, *, act: str, **options: Any) -> None:
        """Do the act and say what was done."""
        if settings.DATABASES["default"]["ENGINE"] != "qaf.embedded.backend":
            raise CommandError("DATABASE_URL names the database; there is no embedded server to look after.")
        try:
            self._act(act)
        except EmbeddedServerError as error:
            raise CommandError(str(error)) from error

    def _act(self, act: str) -> None:
        cluster = project.cluster()
        if act == "start":
            cluster.ensure(settings.EMBEDDED_DATABASE)
            self._describe()
        elif act == "stop":
            self.stdout.write("stopped" if cluster.stop() else "was not running")
        elif act == "url":
            cluster.ensure(settings.EMBEDDED_DATABASE)
            self.stdout.write(cluster.url(settings.EMBEDDED_DATABASE))
        else:
            self._describe()

    def _describe(self) -> None:
        status = project.cluster().status()
        if status.pid is None:
            self.stdout.write(f"stopped (data: {status.data})")
            raise SystemExit(3)
        self.stdout.write(f"running: process {status.pid}, port {status.port}")
        self.stdout.write(f"data: {status.data}\nlogs: {status.log}")
