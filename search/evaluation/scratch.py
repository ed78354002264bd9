"""A database of its own for each run, on the server that the settings name.

In the live one, the statistics of the library's own texts would take part in every score (they changed a fifth of the
results), and a run would leave its corpus in the catalogue.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.core.management import call_command
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.utils import DatabaseError

#: Databases of this name and a number are ours to drop.
PREFIX = "qaf_scratch_"

#: First key of the advisory locks that say which numbers are in use; the second is the number.
LOCK = 0x51414653


class NoScratchDatabase(Exception):
    """The server does not let us make a database; the message is one line for a person."""


@contextmanager
def scratch_database() -> Iterator[str]:
    """Inside, Django's default connection is one to a new, migrated database; its name is given.

    It is dropped at the end, whatever the end. What a killed run left behind goes with the next one: a run holds a lock
    of the server as long as it lives, and a database whose lock is free belongs to nobody.

    Raises:
        NoScratchDatabase: the database user may not create databases.
    """
    if connection.in_atomic_block:
        raise RuntimeError("a scratch database cannot be made inside a transaction")
    with connection._nodb_cursor() as server:
        _drop_leftovers(server)
        name = _create(server)
        try:
            with _connected_to(name):
                call_command("migrate", verbosity=0)
                yield name
        finally:
            _drop(server, name)


def _create(server: Any) -> str:
    number = 0
    while not number or not _lock(server, number):
        number = secrets.randbelow(1 << 30)
    name = f"{PREFIX}{number}"
    try:
        server.execute(f"CREATE DATABASE {name}")
    except DatabaseError as error:
        raise NoScratchDatabase(f"cannot create a scratch database: {str(error).splitlines()[0]}") from error
    return name


def _drop_leftovers(server: Any) -> None:
    server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
    for (name,) in server.fetchall():
        number = name.removeprefix(PREFIX)
        if number.isdecimal() and int(number) < 1 << 31 and _lock(server, int(number)):
            _drop(server, name)
            server.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK, int(number)])


def _lock(server: Any, number: int) -> bool:
    server.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK, number])
    return bool(server.fetchone()[0])


def _drop(server: Any, name: str) -> None:
    server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def _connected_to(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    _point_at(name)
    try:
        yield
    finally:
        _point_at(before)


def _point_at(name: str) -> None:
    """Django's own way in its test runner: every thread's connections share this dictionary."""
    connection.close()
    cast(DatabaseWrapper, connection).close_pool()
    connection.settings_dict["NAME"] = name
