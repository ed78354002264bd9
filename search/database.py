"""What the index needs beyond the ORM: binary results and COPY, one snapshot a search, statements that end in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

import psycopg
from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper

Rows = list[tuple[Any, ...]]
T = TypeVar("T")


class DeadlineExceeded(Exception):
    """The time given to a search is over."""


def fetch_binary(sql: str, parameters: Sequence[Any] = ()) -> Rows:
    """All rows of a query, sent in PostgreSQL's binary format: byte strings arrive without a detour through
    hexadecimal.
    """
    connection.ensure_connection()
    raw: psycopg.Cursor[tuple[Any, ...]] = psycopg.Cursor(connection.connection)
    raw.format = psycopg.pq.Format.BINARY
    # Wrapped as Django wraps its own: seen by query counts and execute wrappers.
    wrap = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with wrap(cast(CursorWrapper, raw)) as cursor:
        cursor.execute(sql, parameters)
        return cast(Rows, cursor.fetchall())


def copy_binary(into: str, types: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """COPY rows ``into`` (``table (column, …)``); ``types`` name the columns' PostgreSQL types."""
    with connection.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


_memory: ContextVar[dict[str, Any] | None] = ContextVar("memory", default=None)


@contextmanager
def snapshot() -> Iterator[None]:
    """One REPEATABLE READ, READ ONLY transaction: everything inside sees the same state of the library.

    Inside a transaction of the caller's, that one is used as it is.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    usual = raw.isolation_level, raw.read_only
    raw.isolation_level, raw.read_only = psycopg.IsolationLevel.REPEATABLE_READ, True
    memory = _memory.set({})
    try:
        with transaction.atomic():
            yield
    finally:
        _memory.reset(memory)
        if not raw.closed:
            raw.isolation_level, raw.read_only = usual


def remembered(name: str, read: Callable[[], T]) -> T:
    """What ``read`` returns, read once in a ``snapshot`` of our own, in which nothing can change."""
    memory = _memory.get()
    if memory is None:
        return read()
    if name not in memory:
        memory[name] = read()
    return cast(T, memory[name])


@contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Give each statement inside the time left before ``deadline`` (of ``time.monotonic``); None: no limit.

    ``statement_timeout`` counts per statement, so it is set anew before each one. Raises DeadlineExceeded.
    """
    if deadline is None:
        yield
        return

    def with_time_left(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        left = int((deadline - time.monotonic()) * 1000)
        if left <= 0:
            raise DeadlineExceeded
        context["connection"].connection.execute(f"SET LOCAL statement_timeout = {left}")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(with_time_left):
        try:
            yield
            # The transaction may be the caller's and go on.
            connection.connection.execute("SET LOCAL statement_timeout TO DEFAULT")
        except OperationalError as error:
            if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
                raise DeadlineExceeded from error
            raise
