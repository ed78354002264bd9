"""The one cluster of this project, as its settings describe it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings
from psycopg import OperationalError

from .cluster import Cluster

Connected = TypeVar("Connected")
#: A server killed a moment ago may still look alive at the first try.
TRIES = 3
TRY_AGAIN_AFTER = 0.2


@lru_cache(maxsize=1)
def cluster() -> Cluster:
    """The embedded server of this checkout."""
    return Cluster(settings.VAR_DIR, settings.EMBEDDED_BIN)


@lru_cache(maxsize=8)
def _ensured(database: str | None) -> None:
    cluster().ensure(database)


def address(database: str | None) -> dict[str, Any]:
    """Connection parameters; the first call of a process sees to it that the server runs and ``database`` is there."""
    _ensured(database)
    return cluster().address()


def with_server(connect: Callable[[dict[str, Any]], Connected]) -> Connected:
    """What ``connect`` returns for the server's address; where it is refused, the server is started and asked again."""
    for _ in range(TRIES - 1):
        try:
            return connect(address(None))
        except (OperationalError, FileNotFoundError):
            cluster().ensure()
            time.sleep(TRY_AGAIN_AFTER)
    return connect(cluster().ensure())
