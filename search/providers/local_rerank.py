"""The local reranker: late interaction over the embedder's own token vectors.

Each token of the query looks for its nearest token in the passage; the passage's score is the mean of these
likenesses, in which a rare token counts more and punctuation nothing (MaxSim: Khattab and Zaharia, ColBERT, 2020;
here without training). No wheel carries a multilingual cross-encoder. Of a passage only the 60 words are read in
which most of the query's words stand: a third of the time of reading it whole.

It must never hold up a search: at most two searches are reranked at a time and a text is read only while a core is
free for it; a search that would wait, or would take longer than 0.4 seconds, keeps its fused order.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from concurrent.futures import TimeoutError as NotInTime
from contextlib import contextmanager

import numpy as np

from library.arabic import light_stem, words
from search.providers.local_e5 import LocalE5
from search.providers.local_e5.embedder import DOCUMENT_PREFIX, QUERY_PREFIX, spelled
from search.providers.protocols import EmbedderUnavailable, Floats, RerankSkipped

#: Words of a passage, and of a query, that are read.
WINDOW = 60
#: Candidates that are read at least.
CANDIDATES = 8
#: Seconds that reranking may take at most, and that it may wait for a core.
LONGEST = 0.4
LONGEST_WAIT = 0.2
#: Searches that are reranked at the same time.
SEARCHES = 2
#: Measured on five sets (docs/decisions/0044-local-reranker.md).
TEMPERATURE = 0.05

NAME = "multilingual-e5-small late interaction"


class Busy(Exception):
    """No room for one more search; the message is the reason."""


class Lanes:
    """Who may compute: ``SEARCHES`` searches, and of all their texts as many at a time as there are cores."""

    def __init__(self, cores: int | None = None) -> None:
        self._cores = cores or os.cpu_count() or 1
        self._reset()
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._searches = threading.BoundedSemaphore(SEARCHES)
        self._texts = threading.BoundedSemaphore(self._cores)

    @property
    def cores(self) -> int:
        """How many texts are read at a time."""
        return self._cores

    @contextmanager
    def search(self) -> Iterator[None]:
        """One search; raises Busy when there are others enough."""
        if not self._searches.acquire(blocking=False):
            raise Busy(f"{SEARCHES} other searches are being reranked")
        try:
            yield
        finally:
            self._searches.release()

    @contextmanager
    def text(self) -> Iterator[None]:
        """One text; raises Busy when no core was free for 0.2 seconds."""
        if not self._texts.acquire(timeout=LONGEST_WAIT):
            raise Busy("no core was free")
        try:
            yield
        finally:
            self._texts.release()


class LocalReranker:
    """MaxSim with the local embedder's network, which it shares."""

    def __init__(self, embedder: LocalE5, lanes: Lanes | None = None, longest: float | None = None) -> None:
        """``longest``: seconds it may take, 0.4 when left out; an evaluation has more of them than a reader."""
        self._embedder = embedder
        self._lanes = lanes or Lanes()
        self._longest = longest

    @property
    def name(self) -> str:
        """See ``Reranker``."""
        return NAME

    @property
    def temperature(self) -> float:
        """See ``Reranker``."""
        return TEMPERATURE

    @property
    def yields_to_words(self) -> bool:
        """See ``Reranker``: it took misquoted verses from nDCG .861 to .831 where it did not yield."""
        return True

    def capacity(self, limit: int) -> int:
        """See ``Reranker``: what is shown, and eight at least."""
        return max(limit, CANDIDATES)

    def rerank(self, query: str, texts: Sequence[str], budget: float) -> Sequence[float] | RerankSkipped:
        """See ``Reranker``."""
        deadline = time.monotonic() + min(budget, LONGEST if self._longest is None else self._longest)
        try:
            with self._lanes.search():
                return self._scores(query, texts, deadline)
        except (Busy, EmbedderUnavailable) as reason:
            return RerankSkipped(str(reason))
        except NotInTime:
            return RerankSkipped("it would have taken too long")

    def _scores(self, query: str, texts: Sequence[str], deadline: float) -> list[float]:
        self._embedder.network  # noqa: B018  the first search loads it, and its own time is up by then

        def left() -> float:
            return max(deadline - time.monotonic(), 0.0)

        wanted = _stems(query)
        scores = [0.0] * len(texts)
        pool = ThreadPoolExecutor(self._lanes.cores, thread_name_prefix="rerank")
        try:
            asked = pool.submit(self._asked, densest_words(query, wanted)).result(left())
            read = {
                pool.submit(self._likeness, asked, densest_words(text, wanted), deadline): i
                for i, text in enumerate(texts)
            }
            for done in as_completed(read, timeout=left()):
                scores[read[done]] = done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return scores

    def _likeness(self, asked: Floats, text: str, deadline: float) -> float:
        """The mean over the query's tokens of their likeness to the nearest token of ``text``."""
        if time.monotonic() >= deadline:
            raise NotInTime
        _, found = self._tokens(DOCUMENT_PREFIX, text)
        if not len(found) or not len(asked):
            return 0.0
        return float((asked @ found.T).max(axis=1).sum())

    def _asked(self, text: str) -> Floats:
        """The vectors of the query's tokens, each as long as its share in the mean."""
        ids, vectors = self._tokens(QUERY_PREFIX, text)
        rarity = self._embedder.network.tokenizer.rarity(ids)
        if not rarity.any():
            rarity = np.ones_like(rarity)
        asked: Floats = vectors * (rarity / max(rarity.sum(), 1.0))[:, None]
        return asked

    def _tokens(self, prefix: str, text: str) -> tuple[list[int], Floats]:
        """The tokens of ``text`` and their vectors without the common part; its prefix and marks are left out."""
        if not text:
            return [], np.empty((0, self._embedder.dimension), np.float32)
        network = self._embedder.network
        ids = network.tokenizer.ids(prefix + text)
        skipped = 1 + len(network.tokenizer.content(prefix.strip()))
        with self._lanes.text():
            states = network.states(ids)
        return ids[skipped:-1], self._embedder.centring.whole()(states[skipped:-1])


def densest_words(text: str, wanted: frozenset[str]) -> str:
    """Return the 60 words of ``text`` with most different stems of ``wanted``, then most of them at all, as they
    are embedded; the first such, so the beginning where there is none. Raises ValueError as ``spelled``.
    """
    parts = spelled(text).split()
    if len(parts) <= WINDOW:
        return " ".join(parts)
    hits = [_stems(part) & wanted for part in parts]
    inside: Counter[str] = Counter()
    best, start = (0, 0), 0
    for end, stems in enumerate(hits):
        inside.update(stems)
        if end >= WINDOW:
            inside.subtract(hits[end - WINDOW])
        density = (len(+inside), inside.total())
        if density > best:
            best, start = density, max(0, end - WINDOW + 1)
    # The last wanted word of the window came in at its end: let it stand in the middle.
    slack = 0
    while slack < WINDOW // 2 and start + slack + WINDOW < len(parts) and not hits[start + slack]:
        slack += 1
    start += slack // 2 if best != (0, 0) else 0
    return " ".join(parts[start : start + WINDOW])


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(light_stem, words(text)))
