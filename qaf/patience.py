"""Database connections that do not wait for ever.

``statement_timeout`` ends a statement that takes too long, but only a server that answers can keep to it. One that is
frozen, or a network that swallows packets, would hold a thread until the operating system gives up. Connections of this
class wait until ``answers_by`` says and are closed then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

R = TypeVar("R")

_limit: ContextVar[float | None] = ContextVar("database_answers_by", default=None)


@contextmanager
def answers_by(deadline: float) -> Iterator[None]:
    """Inside, give a database until ``deadline`` (of ``time.monotonic()``), or until an earlier outer one, to answer.

    After it, statements raise ``psycopg.OperationalError``, which Django turns into its own.
    """
    outer = _limit.get()
    token = _limit.set(deadline if outer is None else min(deadline, outer))
    try:
        yield
    finally:
        _limit.reset(token)


def seconds_left() -> float | None:
    """What is left of the time that a database is given to answer; None without a limit."""
    limit = _limit.get()
    return None if limit is None else max(limit - time.monotonic(), 0.0)


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed when its server does not answer by the limit."""

    def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """As psycopg's, for no longer than the time left."""
        left = seconds_left()
        if left is None or (timeout is not None and timeout < left):
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, left)
        except psycopg.OperationalError:
            if not seconds_left():
                self.pgconn.finish()
            raise
