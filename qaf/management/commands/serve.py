"""``manage.py serve``: what ``make run`` does once Python's side is ready."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from typing import Any

import psutil
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from qaf.embedded.errors import EmbeddedServerError
from quran.services import is_loaded

#: The worker that fills the index leaves the machine to the reader.
WORKER_NICENESS = 10
#: A second worker has to have cores of its own.
CORES_FOR_TWO = 4
#: Seconds that the site and the worker are given to finish what they hold.
END_TIMEOUT = 20
LAST_PORT = 65_535


def _port(value: str) -> int:
    """The argument; the server would wait for its code to change where the system refuses a port."""
    if not (value.isascii() and value.isdecimal() and 0 < int(value) <= LAST_PORT):
        raise ArgumentTypeError("must be a number from 1 to 65535")
    return int(value)


class Command(BaseCommand):
    """Bring the database up to date, load Quran and demo library into an empty one, serve the site until stopped."""

    help = "Migrate, load the Quran and, when there are no books, the demo library, and serve the site for development."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the port."""
        parser.add_argument("port", nargs="?", type=_port, default=8000)

    def handle(self, *, port: int, **options: Any) -> None:
        """Do it; Ctrl-C ends the site and its worker."""
        try:
            executor = MigrationExecutor(connection)
        except EmbeddedServerError as error:
            raise CommandError(str(error)) from error
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False)
        if not is_loaded():
            call_command("load_quran")
        call_command("load_demo", verbosity=0)
        connection.close()
        self.stdout.write(f"Qaf is at http://127.0.0.1:{port}/ (Ctrl-C stops it)")
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what we started, as Ctrl-C does
        with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as beside:
            for verbosity in ("1", "0")[: 2 if (os.cpu_count() or 1) >= CORES_FOR_TWO else 1]:
                worker = beside.enter_context(_running("index_worker", "--verbosity", verbosity))
                psutil.Process(worker.pid).nice(WORKER_NICENESS)
            site = beside.enter_context(_running("runserver", "--skip-checks", f"127.0.0.1:{port}"))
            if site.wait():
                raise CommandError("The site stopped; its reason is above.")


@contextlib.contextmanager
def _running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A management command as a process of its own, ended on leaving."""
    process = subprocess.Popen([sys.executable, settings.BASE_DIR / "manage.py", *arguments])
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
