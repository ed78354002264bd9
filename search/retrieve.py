"""The one retrieval service behind every door."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal
from uuid import UUID

import psycopg
from django.db import ProgrammingError, connection

from library.arabic import highlight_ranges
from library.models import Passage, Redirect
from search.constants import CANDIDATES
from search.database import DeadlineExceeded, snapshot, until
from search.filters import Filters, Operator, Scope, editions_to_search
from search.fusion import Fused
from search.hybrid import Found, find
from search.providers.choice import reranker as chosen_reranker
from search.providers.protocols import Reranker, RerankSkipped
from search.query_language import Query, parse
from search.reranking import rerank

log = logging.getLogger(__name__)

#: Notes of an answer; a door may put them into words.
NO_WORDS = "no_words"
SCOPE_EMPTY = "scope_empty"


@dataclass(frozen=True)
class Hit:
    """A passage with its catalogue rows loaded, and its score; ``query`` is what it answers."""

    passage: Passage
    score: float
    query: str
    arms: dict[str, float] = field(default_factory=dict)
    """The score each arm gave it."""

    @cached_property
    def marks(self) -> list[tuple[int, int]]:
        """The code-point ranges of its text to mark. Found when asked for: a door that marks nothing saves most of a
        search's work in this process.
        """
        return highlight_ranges(self.passage.text, self.query)


@dataclass
class Hits:
    """The answer to a search, best first."""

    results: list[Hit] = field(default_factory=list)
    mode: str = "lexical"
    """What answered: ``lexical`` or ``hybrid``, and ``+reranked``."""
    degraded: list[str] = field(default_factory=list)
    """What should have taken part and could not, each with its reason: ``semantic: …``, ``reranker: …``."""
    coverage: float = 0.0
    """The share of the library's passages that search by meaning can find, 0 to 1."""
    notes: list[str] = field(default_factory=list)
    """What the caller should know: ``no_words``, ``scope_empty``, ``phrase_not_found``."""
    milliseconds: dict[str, float] = field(default_factory=dict)
    """Time spent in each phase."""

    @property
    def by_meaning(self) -> bool:
        """Whether the semantic arm took part."""
        return self.mode.startswith("hybrid")

    @property
    def percent(self) -> int:
        """The coverage in percent, rounded down."""
        return math.floor(100 * self.coverage)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Add the time spent inside to a phase."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[phase] = self.milliseconds.get(phase, 0.0) + spent


def retrieve(
    query: str,
    filters: Filters | None = None,
    operator: Operator = "AND",
    limit: int = 5,
    exclude_ids: Sequence[UUID] = (),
    scope: Scope | None = None,
    deadline: float | None = None,
    reranker: Reranker | Literal["configured"] | None = "configured",
) -> Hits:
    """The ``limit`` best passages for ``query``.

    Args:
        query: Arabic or English, in the language of ``search.query_language``.
        filters: joined by ``operator``; the bounds of a death year count as one filter, ids of one list as
            alternatives.
        exclude_ids: passages to leave out; asking again with what one has gives the next ones.
        scope: what the user picked; always intersected. A scope with nothing in common gives no results and a note.
        deadline: the ``time.monotonic()`` by which to be done; None: whenever.
        reranker: the caller's own choice, or None for none; else what the settings choose.

    Raises:
        UnknownIds, NoBookMatches: see ``search.filters.editions_to_search``.
        DeadlineExceeded: the deadline passed.
    """
    if reranker == "configured":
        reranker = chosen_reranker()
    asked = _Asked(query, filters or Filters(), operator, limit, exclude_ids, scope or Scope(), deadline, reranker)
    try:
        return _retrieve(asked)
    except ProgrammingError as error:
        # A model was dropped between two statements of this search. The next one sees its successor.
        if connection.in_atomic_block or not isinstance(error.__cause__, psycopg.errors.UndefinedTable):
            raise
        return _retrieve(asked)


@dataclass(frozen=True)
class _Asked:
    """One call of ``retrieve``."""

    query: str
    filters: Filters
    operator: Operator
    limit: int
    exclude_ids: Sequence[UUID]
    scope: Scope
    deadline: float | None
    reranker: Reranker | None

    @property
    def read_at_most(self) -> int:
        """How many candidates are read from the database: those to show and those to rerank."""
        return self.limit if self.reranker is None else max(self.limit, self.reranker.capacity(self.limit))

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return math.inf if self.deadline is None else self.deadline - time.monotonic()


def _retrieve(asked: _Asked) -> Hits:
    hits = Hits()
    found, passages = Found(), dict[UUID, Passage]()
    with snapshot(), until(asked.deadline):
        with hits.timed("filters"):
            editions = editions_to_search(asked.filters, asked.operator, asked.scope)
        with hits.timed("query"):
            parsed = parse(asked.query)
        if editions.is_empty:
            hits.notes.append(SCOPE_EMPTY)
        elif not parsed.words:
            hits.notes.append(NO_WORDS)
        else:
            exclude = frozenset(_successors(asked.exclude_ids))
            found = find(parsed, editions, exclude, max(CANDIDATES, asked.limit), asked.left, hits.timed)
            with hits.timed("hydrate"):
                wanted = [passage_id for passage_id, _ in found.fused.ranked[: asked.read_at_most]]
                passages = Passage.objects.with_catalogue().in_bulk(wanted)
    _tell(hits, found)
    fused = replace(found.fused, ranked=[row for row in found.fused.ranked if row[0] in passages])
    if fused.ranked:
        fused = _reranked(hits, asked, parsed, fused, passages)
    hits.results = _hits(parsed, found, fused.ranked[: asked.limit], passages)
    log.info("search", extra={"mode": hits.mode, "degraded": hits.degraded, "milliseconds": _rounded(hits)})
    return hits


def _tell(hits: Hits, found: Found) -> None:
    """Put into the answer how it came about."""
    hits.notes += found.notes
    hits.coverage = found.coverage
    if found.semantic.ranked:
        hits.mode = "hybrid"
    if found.degraded:
        hits.degraded.append(f"semantic: {_for_header(found.degraded)}")


def _reranked(
    hits: Hits, asked: _Asked, query: Query, fused: Fused[UUID], passages: dict[UUID, Passage]
) -> Fused[UUID]:
    """The candidates as the reranker orders them, or as they are. No connection is held meanwhile."""
    reranker = asked.reranker
    if reranker is None:
        return fused
    if asked.left <= 0:
        raise DeadlineExceeded
    if not connection.in_atomic_block:
        connection.close()
    with hits.timed("rerank"):
        first = fused.ranked[: reranker.capacity(asked.limit)]
        texts = [passages[passage_id].text for passage_id, _ in first]
        done = rerank(reranker, query.text, fused, texts, asked.left)
    if isinstance(done, RerankSkipped):
        hits.degraded.append(f"reranker: {_for_header(done.reason)}")
        return fused
    hits.mode += "+reranked"
    return done


def _successors(ids: Sequence[UUID]) -> Iterator[UUID]:
    """The ids themselves, and for redirected ones the passages that hold their text now."""
    yield from ids
    if ids:
        heirs = Redirect.objects.successors(Redirect.Kind.PASSAGE, [str(passage_id) for passage_id in ids])
        yield from map(UUID, heirs.values())


def _hits(query: Query, found: Found, ranked: Sequence[tuple[UUID, float]], passages: dict[UUID, Passage]) -> list[Hit]:
    """Passages with the scores that each arm gave them."""
    lexical, semantic = dict(found.lexical.ranked), dict(found.semantic.ranked)
    return [
        Hit(
            passages[passage_id],
            score,
            query.text,
            {
                name: scores[passage_id]
                for name, scores in (("lexical", lexical), ("semantic", semantic))
                if passage_id in scores
            },
        )
        for passage_id, score in ranked
    ]


def _for_header(reason: str) -> str:
    """A reason on one line of ASCII."""
    return " ".join(reason.encode("ascii", "replace").decode().split())


def _rounded(hits: Hits) -> dict[str, float]:
    return {phase: round(spent, 1) for phase, spent in hits.milliseconds.items()}
