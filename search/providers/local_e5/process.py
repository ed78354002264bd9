"""One network a process: loaded at first use, never before a fork, and never used after one."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from search.providers.protocols import EmbedderUnavailable

if TYPE_CHECKING:
    from search.providers.local_e5.network import E5Network

log = logging.getLogger(__name__)


class NetworkOfProcess:
    """The network of the running process. A forked child forgets its parent's, whose threads did not come along."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self._folder, self._threads = folder, threads
        self._lock = threading.Lock()
        self._network: E5Network | None = None
        self._unavailable: EmbedderUnavailable | None = None
        # Kept for ever on purpose: taking down a session waits for threads that only the parent has.
        self._inherited: list[E5Network] = []
        os.register_at_fork(after_in_child=self._forget)

    def __call__(self) -> E5Network:
        """Return the network, loading it first if need be (about a second); raises EmbedderUnavailable, every time
        for the same reason.
        """
        if self._network is None:
            with self._lock:
                if self._unavailable is not None:
                    raise EmbedderUnavailable(*self._unavailable.args)
                if self._network is None:
                    self._network = self._load()
        return self._network

    def _load(self) -> E5Network:
        try:
            from search.providers.local_e5.network import E5Network

            return E5Network(self._folder, self._threads)
        except EmbedderUnavailable as reason:
            self._unavailable = reason
            log.warning("no local embedder, search is lexical only: %s", reason)
            raise
        except ImportError as error:
            raise EmbedderUnavailable(f"{error.name} is not installed") from error
        except OSError as error:
            raise EmbedderUnavailable(f"the model could not be read: {error}") from error

    def _forget(self) -> None:
        self._lock = threading.Lock()
        if self._network is not None:
            self._inherited.append(self._network)
            self._network = None
