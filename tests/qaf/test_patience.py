"""Nobody waits for a connection longer than they have time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

from qaf.patience import answers_by, seconds_left


@pytest.fixture
def drained(db: None) -> Iterator[None]:
    """Every connection of the embedded server's pool is taken; without that server the pool has patience of its own."""
    if connection.settings_dict["ENGINE"] != "qaf.embedded.backend":
        pytest.skip("the server is not the embedded one")
    pool: Any = connection.pool
    taken = list(_connections_of(pool))
    yield
    for one in taken:
        pool.putconn(one)


def _connections_of(pool: Any) -> Iterator[Any]:
    with suppress(PoolTimeout):
        while True:
            yield pool.getconn(timeout=2)


def test_time_left_is_that_of_the_nearest_limit() -> None:
    assert seconds_left() is None
    with answers_by(time.monotonic() + 60), answers_by(time.monotonic() + 5), answers_by(time.monotonic() + 30):
        assert 4 < (seconds_left() or 0) <= 5


def test_a_busy_pool_is_waited_for_no_longer(drained: None) -> None:
    failures: list[Exception] = []

    def ask() -> None:
        begun = time.monotonic()
        try:
            with answers_by(begun + 0.3):
                connection.ensure_connection()
        except OperationalError as error:
            failures.append(error)
        assert time.monotonic() - begun < 3

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert len(failures) == 1
