"""Queries become vectors beside the search: in a thread, within a budget, remembered."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime

from search.providers.protocols import Embedder, Floats, ProviderFailed

#: Queries of a process that are embedded at once; a provider is waited for, the local network takes turns on the cores.
THREADS = 32
#: Vectors a process remembers: paging on and the next word typed ask for the same again. 512 of them are a megabyte.
REMEMBERED = 512

Key = tuple[str, str]


class QueryVectors:
    """The vectors of the last queries, and the threads that make new ones. A forked child begins with neither."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._most = remembered
        self._reset()
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Floats] = OrderedDict()
        self._pool: ThreadPoolExecutor | None = None

    def begin(self, embedder: Embedder, text: str, budget: float) -> Callable[[], Floats]:
        """Start embedding ``text``, and return what waits for its vector, at most until ``budget`` seconds from now.

        That raises EmbedderUnavailable or ProviderFailed (also when the budget is over), or ValueError as the
        embedder does.
        """
        key = (embedder.spec.key, text)
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return lambda: kept
            if self._pool is None:
                self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="embed-query")
            made = self._pool.submit(embedder.embed_query, text, budget)
        return lambda: self._wait(key, made, budget)

    def _wait(self, key: Key, made: Future[Floats], budget: float) -> Floats:
        try:
            vector = made.result(budget)
        except NotInTime:
            made.cancel()
            raise ProviderFailed("no query vector in time") from None
        with self._lock:
            self._kept[key] = vector
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return vector

    def clear(self) -> None:
        """Forget all vectors."""
        with self._lock:
            self._kept.clear()


query_vectors = QueryVectors()
