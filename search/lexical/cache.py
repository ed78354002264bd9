"""What was read of segments, kept for the next search: their bytes never change, so nothing here can be out of date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """At most ``limit`` bytes of values; those asked for longest ago go first. Threads share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0

    def get(self, keys: Iterable[K]) -> dict[K, V]:
        """Those of ``keys`` that are kept."""
        found: dict[K, V] = {}
        with self._lock:
            for key in keys:
                if key in self._values:
                    self._values.move_to_end(key)
                    found[key] = self._values[key][0]
        return found

    def put(self, values: Mapping[K, tuple[V, int]]) -> None:
        """Keep values, each with its size in bytes."""
        with self._lock:
            for key, (value, size) in values.items():
                if key not in self._values:
                    self._values[key] = (value, size)
                    self._bytes += size
            while self._bytes > self._limit and self._values:
                _, (_, size) = self._values.popitem(last=False)
                self._bytes -= size

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self._bytes = 0
