"""A cache that forgets: texts of the Quran Foundation stay in the memory of this process, and never for a week.

Not in the database, nor in any file: backups, replicas and write-ahead logs keep what a table has long deleted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

DAY = 24 * 3600.0
#: Seconds a text is kept. A day less than the week of the terms, for clocks that are set and machines that sleep.
LIFETIME = 6 * DAY
#: Seconds between two looks for old texts, whether anybody reads or not.
SWEEP = 3600.0


class ForgettingCache(Generic[K, V]):
    """Values by key, safe for threads. ``clock`` gives seconds of wall-clock time."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[K, tuple[float, V]] = {}
        self._sweeper: threading.Timer | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def get_all(self, keys: Iterable[K]) -> list[V] | None:
        """The values of ``keys``, or None when one of them is not there any more."""
        self.sweep()
        with self._lock:
            found = [self._kept.get(key) for key in keys]
        return [row[1] for row in found if row] if all(found) else None

    def put(self, values: dict[K, V]) -> None:
        """Keep values, from now on."""
        now = self._clock()
        with self._lock:
            self._kept.update({key: (now, value) for key, value in values.items()})
            self._sweep_later()

    def sweep(self) -> None:
        """Forget what is old, or was kept at a time that is yet to come (the clock was set back)."""
        now = self._clock()
        with self._lock:
            old = [key for key, (kept_at, _) in self._kept.items() if not 0 <= now - kept_at < LIFETIME]
            for key in old:
                del self._kept[key]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            if self._sweeper:
                self._sweeper.cancel()
                self._sweeper = None

    def _sweep_later(self) -> None:
        """Sweep after a while, and again as long as something is kept. Wants the lock."""
        if self._sweeper is None and self._kept:
            self._sweeper = threading.Timer(SWEEP, self._swept)
            self._sweeper.daemon = True
            self._sweeper.start()

    def _swept(self) -> None:
        self.sweep()
        with self._lock:
            self._sweeper = None
            self._sweep_later()
