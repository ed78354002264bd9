"""The lexical arm: a query in, the passages with the highest BM25 out."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any
from uuid import UUID

from search.arms import Candidates
from search.constants import Weights
from search.database import fetch_binary
from search.filters import EditionSet
from search.lexical.phrases import PHRASE_NOT_FOUND, phrase_masks
from search.lexical.postings import decode
from search.lexical.scoring import Best, Norms, Row, merge_spellings, score_segment
from search.lexical.snapshot import SegmentState, segments
from search.lexical.terms import AskedWord, Group, asked_words, choose, word_values
from search.query_language import Query

#: Bytes of postings in memory at a time, over all searches of a process twice as many as it has cores.
BYTES_AT_ONCE = 16 * 1024 * 1024

_scorers = threading.BoundedSemaphore(max(2, os.cpu_count() or 1))

_HAVING = "SELECT term, sum(passage_count)::int8 FROM search_posting WHERE term = ANY(%s) GROUP BY term"
_POSTINGS = """
SELECT segment_id, term, passage_count, data FROM search_posting
WHERE term = ANY(%s) AND segment_id = ANY(%s)
"""
_PASSAGE_IDS = """
SELECT substring(s.passage_ids FROM place.at * 16 + 1 FOR 16)
FROM unnest(%s::int8[], %s::int4[]) WITH ORDINALITY AS place(segment, at, rank)
JOIN search_segment s ON s.id = place.segment ORDER BY place.rank
"""


class LexicalArm:
    """BM25 over words and stems. Ranks equal scores by segment and place, so the order is the same every time."""

    name = "lexical"

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or Weights()

    def candidates(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int) -> Candidates:
        """See ``Arm``. Exclusions are dropped from a list that is longer by their number: exact, and cheaper than a mask."""
        asked = asked_words(query, self.weights)
        states = segments()
        if not asked or not states or editions.is_empty:
            return Candidates()
        search = _Search(asked, states, self.weights, k + len(exclude))
        notes: tuple[str, ...] = ()
        masks = phrase_masks(query, states, editions) if query.tsquery else None
        if masks is not None and not masks:
            masks, notes = None, (PHRASE_NOT_FOUND,)
        with _scorers:
            search.run(editions, masks)
        ranked = [(passage_id, score) for passage_id, score in search.ranked() if passage_id not in exclude]
        return Candidates(tuple(ranked[:k]), search.evidence, notes)


class _Search:
    """One query being scored."""

    def __init__(self, asked: list[AskedWord], states: list[SegmentState], weights: Weights, k: int) -> None:
        self.asked = asked
        self.states = states
        self.weights = weights
        self.best = Best(k)
        self.evidence = 0.0
        self.passages = sum(state.passage_count for state in states)
        words = sum(state.word_count for state in states)
        self.norms = Norms(weights.k1, weights.b, words / self.passages)
        terms = [term for word in asked for term in (*word.words, *word.stems)]
        self.having: dict[str, int] = dict(fetch_binary(_HAVING, [terms]))  # type: ignore[arg-type]

    def run(self, editions: EditionSet, masks: dict[int, Any] | None) -> None:
        """Score every segment that has something to show."""
        groups = choose(self.asked, self.having, self.passages, self.weights)
        visible = {state.id: state.visible_runs(editions) for state in self.states}
        wanted = [state for state in self.states if visible[state.id].any() and (masks is None or state.id in masks)]
        for state, rows in self._rows(groups, wanted):
            mask = state.mask(visible[state.id])
            if masks is not None:
                mask = masks[state.id] if mask is None else mask & masks[state.id]
            places, scores = score_segment(rows, state.arrays.lengths, self.norms, mask, self.best.threshold)
            if len(scores):
                highest = self.best.scores[0] if len(self.best.scores) else 0.0
                self.best.offer(state.id, places, scores)
                if self.best.scores[0] > highest:
                    self.evidence = self._share_found(rows, groups, state, int(self.best.places[0]))

    def _rows(self, groups: list[Group], states: list[SegmentState]) -> Iterator[tuple[SegmentState, list[Row]]]:
        """Each segment's rows; as many segments at a time as fit in ``BYTES_AT_ONCE``."""
        terms = {term: number for number, group in enumerate(groups) for term in group.terms}
        a_passage = 3 * sum(self.having.get(term, 0) for term in terms) / self.passages
        batch: list[SegmentState] = []
        size = 0.0
        for state in states:
            if batch and size + a_passage * state.passage_count > BYTES_AT_ONCE:
                yield from _read_rows(terms, groups, batch)
                batch, size = [], 0.0
            batch.append(state)
            size += a_passage * state.passage_count
        if batch:
            yield from _read_rows(terms, groups, batch)

    def _share_found(self, rows: list[Row], groups: list[Group], state: SegmentState, place: int) -> float:
        """How much of the query's idf the passage at ``place`` holds, by word or by stem."""
        values = word_values(self.asked, self.having, self.passages)
        found = {
            groups[row.group].word
            for row in rows
            if place in decode(row.data, row.passage_count, state.passage_count)[0]
        }
        return sum(values[word] for word in found) / sum(values)

    def ranked(self) -> list[tuple[UUID, float]]:
        """The best, as ids with scores."""
        if not len(self.best.scores):
            return []
        places = [self.best.segments.tolist(), self.best.places.tolist()]
        ids = fetch_binary(_PASSAGE_IDS, places)
        return [(UUID(bytes=row[0]), score) for row, score in zip(ids, self.best.scores.tolist(), strict=True)]


def _read_rows(
    terms: dict[str, int], groups: list[Group], states: list[SegmentState]
) -> Iterator[tuple[SegmentState, list[Row]]]:
    found: dict[int, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for segment, term, count, data in fetch_binary(_POSTINGS, [list(terms), [state.id for state in states]]):
        number = terms[term]
        found[segment][number].append(Row(number, groups[number].weight, count, data))
    for state in states:
        if state.id in found:
            by_group = found[state.id]
            yield (
                state,
                [
                    rows[0] if len(rows) == 1 else merge_spellings(rows, state.passage_count)
                    for _, rows in sorted(by_group.items())
                ],
            )
