"""``import_books`` killed with SIGKILL and run again gives the database of one clean run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.apps import apps
from django.db import connection
from psycopg import sql
from pytest_django import DjangoDbBlocker

pytestmark = [pytest.mark.long, pytest.mark.corpus]

ROOT = Path(__file__).resolve().parents[2]
TIMES = {"created_at", "updated_at", "imported_at"}

# Runs the command and kills itself at the n-th call of a function: a place inside a transaction.
KILLED_INSIDE = """
import os, signal, sys
import django
django.setup()
from importlib import import_module
module, name, left = import_module(sys.argv[1]), sys.argv[2], int(sys.argv[3])
original = getattr(module, name)
def counted(*arguments, **named):
    global left
    left -= 1
    if not left:
        from django.db import connection
        assert connection.in_atomic_block
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **named)
setattr(module, name, counted)
from django.core.management import call_command
call_command("import_books", sys.argv[4])
"""

INSIDE = [
    ("library.importers.store", "catalogue", 3),  # after the lock, before the first write
    ("library.importers.rows", "_encoded", 700),  # in the middle of the passages' COPY
    ("library.importers.store", "write_pages", 5),  # between two COPYs
    ("library.importers.store", "sync_findings", 8),  # after all text
    ("library.importers.store", "edition_saved", 2),  # before the last step of the last book
]


class Scratch:
    """Databases made from one that has every table and no book."""

    def __init__(self, blocker: DjangoDbBlocker) -> None:
        with blocker.unblock():
            given: dict[str, Any] = connection.get_connection_params()
        self._at = {key: given[key] for key in ("host", "port", "user", "password") if given.get(key)}
        self._prefix = f"{given['dbname']}_killed"
        self.names: set[str] = set()
        self.make("empty")
        self.manage("empty", "migrate", "--verbosity", "0")

    def connect(self, name: str | None = None) -> psycopg.Connection[Any]:
        """A connection of our own."""
        database = f"{self._prefix}_{name}" if name else "postgres"
        return psycopg.connect(**self._at, dbname=database, autocommit=True)

    def make(self, name: str, template: str | None = None) -> None:
        """Make a database anew."""
        self.drop(name)
        self.names.add(name)
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(f"{self._prefix}_{name}"))
        if template:
            statement += sql.SQL(" TEMPLATE {}").format(sql.Identifier(f"{self._prefix}_{template}"))
        with self.connect() as server:
            server.execute(statement)

    def drop(self, name: str) -> None:
        """Drop a database and whoever is in it."""
        with self.connect() as server:
            identifier = sql.Identifier(f"{self._prefix}_{name}")
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(identifier))

    def environment(self, name: str) -> dict[str, str]:
        """The environment of a process that uses a database."""
        user, password = quote(str(self._at["user"])), quote(str(self._at.get("password", "")))
        at = f"{quote(str(self._at['host']), safe='')}:{self._at['port']}"
        url = f"postgresql://{user}:{password}@{at}/{self._prefix}_{name}"
        return {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "qaf.settings"}

    def start(self, name: str, *arguments: object) -> subprocess.Popen[bytes]:
        """Start Python in the checkout."""
        command = [sys.executable, *map(str, arguments)]
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment(name), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def manage(self, name: str, *arguments: object) -> None:
        """Run a management command to its end."""
        process = self.start(name, "manage.py", *arguments)
        _out, err = process.communicate()
        assert process.returncode == 0, err.decode()

    def content(self, name: str) -> dict[str, list[Any]]:
        """Every row of the library's tables, every column but timestamps."""
        found = {}
        with self.connect(name) as database:
            for model in apps.get_app_config("library").get_models():
                table = model._meta.db_table
                columns = [field.column for field in model._meta.local_fields if field.column not in TIMES]
                query = sql.SQL("SELECT md5(ROW({})::text) FROM {} ORDER BY id").format(
                    sql.SQL(", ").join(map(sql.Identifier, columns)), sql.Identifier(table)
                )
                found[table] = [row[0] for row in database.execute(query)]
        return found


@pytest.fixture(scope="module")
def scratch(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scratch]:
    """Scratch databases, dropped in the end."""
    made = Scratch(django_db_blocker)
    yield made
    for name in made.names:
        made.drop(name)


@pytest.fixture(scope="module")
def folder(corpus: Path) -> Path:
    """The fifteen books."""
    return corpus / "openiti"


@pytest.fixture(scope="module")
def clean(scratch: Scratch, folder: Path) -> tuple[dict[str, list[Any]], float]:
    """What one undisturbed run gives, and the seconds it took."""
    scratch.make("clean", "empty")
    began = time.monotonic()
    scratch.manage("clean", "import_books", folder)
    return scratch.content("clean"), time.monotonic() - began


def finished(scratch: Scratch, name: str, folder: Path) -> dict[str, list[Any]]:
    """What a database holds after a run to the end."""
    scratch.manage(name, "import_books", folder)
    return scratch.content(name)


@pytest.mark.timeout(1200)
def test_killed_at_fifteen_random_moments(
    scratch: Scratch, folder: Path, clean: tuple[dict[str, list[Any]], float]
) -> None:
    content, seconds = clean
    chance = random.Random(1447)
    scratch.make("moments", "empty")
    killed = 0
    while killed < 15:
        process = scratch.start("moments", "manage.py", "import_books", folder)
        try:
            process.communicate(timeout=chance.uniform(0.4, seconds * 0.6))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
        else:
            assert process.returncode == 0
            assert scratch.content("moments") == content
            scratch.make("moments", "empty")
    assert finished(scratch, "moments", folder) == content


@pytest.mark.timeout(1200)
def test_killed_inside_five_transactions(
    scratch: Scratch, folder: Path, clean: tuple[dict[str, list[Any]], float]
) -> None:
    scratch.make("inside", "empty")
    for module, name, call in INSIDE:
        process = scratch.start("inside", "-c", KILLED_INSIDE, module, name, call, folder)
        _out, err = process.communicate()
        assert process.returncode == -9, err.decode()
    assert finished(scratch, "inside", folder) == clean[0]


def test_a_server_that_dies_is_one_clear_line(scratch: Scratch, folder: Path) -> None:
    scratch.make("server", "empty")
    process = scratch.start("server", "manage.py", "import_books", folder)

    def backends() -> int:
        with scratch.connect() as server:
            busy = "FROM pg_stat_activity WHERE datname = %s AND state <> 'idle'"
            query = f"SELECT count(pg_terminate_backend(pid)) {busy}"
            row = server.execute(query, [f"{scratch._prefix}_server"]).fetchone()
        return int(row[0]) if row else 0

    _wait(lambda: backends() > 0 or process.poll() is not None)
    _out, err = process.communicate()
    told = [line for line in err.decode().splitlines() if "[psycopg.pool]" not in line]
    assert [line.endswith("run the command again.") for line in told] == [True], told
    assert process.returncode == 1


def _wait(until: Callable[[], bool]) -> None:
    """Wait up to a minute."""
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)
