"""The one retrieval service behind every door."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from library.arabic import highlight_ranges
from library.models import Passage, Redirect
from search.arms import Candidates
from search.constants import CANDIDATES
from search.database import snapshot, until
from search.filters import EditionSet, Filters, Operator, Scope, editions_to_search
from search.lexical.arm import LexicalArm
from search.query_language import Query, parse

#: Notes of an answer; a door may put them into words.
NO_WORDS = "no_words"
SCOPE_EMPTY = "scope_empty"


@dataclass(frozen=True)
class Hit:
    """A passage with its catalogue rows loaded, its score, and the code-point ranges of its text to mark."""

    passage: Passage
    score: float
    marks: list[tuple[int, int]]
    arms: dict[str, float] = field(default_factory=dict)
    """The score each arm gave it."""


@dataclass
class Hits:
    """The answer to a search, best first."""

    results: list[Hit] = field(default_factory=list)
    mode: str = "lexical"
    """Which arms answered."""
    degraded: list[str] = field(default_factory=list)
    """What should have taken part and could not."""
    notes: list[str] = field(default_factory=list)
    """What the caller should know: ``no_words``, ``scope_empty``, ``phrase_not_found``."""
    milliseconds: dict[str, float] = field(default_factory=dict)
    """Time spent in each phase."""

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
) -> Hits:
    """The ``limit`` best passages for ``query``.

    Args:
        query: Arabic or English, in the language of ``search.query_language``.
        filters: joined by ``operator``; the bounds of a death year count as one filter, ids of one list as alternatives.
        exclude_ids: passages to leave out, up to 200; asking again with what one has gives the next ones.
        scope: what the user picked; always intersected. A scope with nothing in common gives no results and a note.
        deadline: the ``time.monotonic()`` by which to be done; None: whenever.

    Raises:
        UnknownIds, NoBookMatches: see ``search.filters.editions_to_search``.
        DeadlineExceeded: the deadline passed.
    """
    hits = Hits()
    with snapshot(), until(deadline):
        with hits.timed("filters"):
            editions = editions_to_search(filters or Filters(), operator, scope or Scope())
        with hits.timed("query"):
            parsed = parse(query)
        if editions.is_empty:
            hits.notes.append(SCOPE_EMPTY)
        elif not parsed.words:
            hits.notes.append(NO_WORDS)
        else:
            _search(hits, parsed, editions, exclude_ids, limit)
    return hits


def _search(hits: Hits, query: Query, editions: EditionSet, exclude_ids: Sequence[UUID], limit: int) -> None:
    with hits.timed("lexical"):
        exclude = frozenset(_successors(exclude_ids))
        found = LexicalArm().candidates(query, editions, exclude, max(CANDIDATES, limit))
    hits.notes += found.notes
    with hits.timed("hydrate"):
        hits.results = _hydrate(query, found, limit)


def _successors(ids: Sequence[UUID]) -> Iterator[UUID]:
    """The ids themselves, and for redirected ones the passages that hold their text now."""
    yield from ids
    if ids:
        heirs = Redirect.objects.successors(Redirect.Kind.PASSAGE, [str(passage_id) for passage_id in ids])
        yield from map(UUID, heirs.values())


def _hydrate(query: Query, found: Candidates, limit: int) -> list[Hit]:
    """The passages of the first ``limit`` candidates, in one query."""
    ranked = found.ranked[:limit]
    passages = Passage.objects.with_catalogue().in_bulk([passage_id for passage_id, _ in ranked])
    return [
        Hit(
            passages[passage_id],
            score,
            highlight_ranges(passages[passage_id].text, query.text),
            {LexicalArm.name: score},
        )
        for passage_id, score in ranked
        if passage_id in passages
    ]
