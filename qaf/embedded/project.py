"""The one cluster of this project, as its settings describe it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings

from .cluster import Cluster


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
