"""The counter of calls: one row a caller, one statement a call, exact over any number of processes.

It has connections of its own, so that a busy pool or a database that does not answer costs a call a fifth of a second
and no more; a call that cannot be counted is let through.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import psycopg
from django.db import connection
from psycopg_pool import ConnectionPool, PoolTimeout

from qaf.patience import PatientConnection, answers_by

log = logging.getLogger("qaf.access")

#: Seconds in which calls are counted, from a caller's first.
WINDOW_SECONDS = 60
_WINDOW = timedelta(seconds=WINDOW_SECONDS)
#: Seconds that counting may take.
PATIENCE = 0.2
#: Seconds that a process's very first count may wait for a connection: making one takes longer than using it.
OPENING = 2.0
#: Connections a process counts with at most: a count takes well under a millisecond.
CONNECTIONS = 4

_COUNT = """
    INSERT INTO qaf_ratewindow AS mine (caller, started, calls) VALUES (%(caller)s, statement_timestamp(), 1)
    ON CONFLICT (caller) DO UPDATE SET
        calls = CASE WHEN mine.started > statement_timestamp() - %(window)s THEN mine.calls + 1 ELSE 1 END,
        started = CASE WHEN mine.started > statement_timestamp() - %(window)s
            THEN mine.started ELSE statement_timestamp() END
    RETURNING calls, EXTRACT(epoch FROM started + %(window)s - statement_timestamp())::float
"""

# Rows in use are passed over: whoever holds one is counting.
_SWEEP = """
    DELETE FROM qaf_ratewindow WHERE caller IN (
        SELECT caller FROM qaf_ratewindow WHERE started < statement_timestamp() - 2 * %(window)s FOR UPDATE SKIP LOCKED
    )
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may go on. ``seconds``: until the window ends."""

    allowed: bool
    limit: int
    remaining: int
    seconds: int

    @property
    def headers(self) -> dict[str, str]:
        """What a response says of it (draft-ietf-httpapi-ratelimit-headers); with ``Retry-After`` when refused."""
        told = {
            "RateLimit-Policy": f'"calls";q={self.limit};w={WINDOW_SECONDS}',
            "RateLimit": f'"calls";r={self.remaining};t={self.seconds}',
        }
        return told if self.allowed else {**told, "Retry-After": str(self.seconds)}


def count(caller: str, limit: int) -> Verdict:
    """Count a call of ``caller``, who may have ``limit`` a window; 0 is no limit, and nothing is counted."""
    if not limit:
        return Verdict(allowed=True, limit=0, remaining=0, seconds=0)
    try:
        calls, left = _counted(caller)
    except psycopg.Error as error:
        log.warning("a call was let through uncounted: %s", str(error).partition("\n")[0] or type(error).__name__)
        return Verdict(allowed=True, limit=limit, remaining=limit, seconds=WINDOW_SECONDS)
    return Verdict(calls <= limit, limit, max(limit - calls, 0), max(1, round(left + 0.5)))


def _counted(caller: str) -> tuple[int, float]:
    """How many calls the caller has made in the window, and the seconds until it ends."""
    with answers_by(time.monotonic() + PATIENCE), _pools.get().connection(timeout=PATIENCE) as counting:
        row = counting.execute(_COUNT, {"caller": caller, "window": _WINDOW}).fetchone()
        assert row is not None
        if row[0] == 1 and _pools.sweep_is_due():
            counting.execute(_SWEEP, {"window": _WINDOW})
        return row[0], row[1]


class _Pools:
    """The process's connections for counting, made on first use and for the database that Django then uses."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ConnectionPool[psycopg.Connection[Any]] | None = None
        self._swept = time.monotonic()

    def get(self) -> ConnectionPool[psycopg.Connection[Any]]:
        """The pool, opened."""
        with self._lock:
            if self._pool is None:
                options = connection.settings_dict["OPTIONS"].get("pool") or {}
                self._pool = ConnectionPool(
                    connection_class=options.get("connection_class", PatientConnection),
                    kwargs={**connection.get_connection_params(), "autocommit": True},
                    min_size=1,
                    max_size=CONNECTIONS,
                    timeout=PATIENCE,
                    name="rate-counter",
                    open=True,
                )
                with suppress(PoolTimeout):
                    self._pool.wait(OPENING)
            return self._pool

    def sweep_is_due(self) -> bool:
        """True once a window."""
        with self._lock:
            due = time.monotonic() - self._swept > WINDOW_SECONDS
            if due:
                self._swept = time.monotonic()
            return due

    def close(self) -> None:
        """Close all; the next count opens new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.close()


_pools = _Pools()
close_connections = _pools.close
