"""The lexical arm: a query in, the passages with the highest BM25 out."""

from __future__ import annotations

import os
import threading
from collections.abc import Set
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from search.arms import Candidates
from search.constants import Weights
from search.database import fetch_binary
from search.filters import EditionSet
from search.lexical.lookup import Postings, look_up, rows
from search.lexical.phrases import PHRASE_NOT_FOUND, phrase_masks
from search.lexical.scoring import Best, Norms, Row, score_segment
from search.lexical.snapshot import SegmentState, segments
from search.lexical.terms import Group, asked_words, choose, word_values
from search.query_language import Query

#: Searches of a process that score at the same time: more would only take turns, each with its postings in memory.
_scorers = threading.BoundedSemaphore(max(2, os.cpu_count() or 1))

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
        """See ``Arm``. Exclusions are taken from a list longer by their number: exact, and cheaper than a mask."""
        states = segments()
        if not query.words or not states or editions.is_empty:
            return Candidates()
        notes: tuple[str, ...] = ()
        masks = phrase_masks(query, states, editions) if query.tsquery else None
        if masks is not None and not masks:
            masks, notes = None, (PHRASE_NOT_FOUND,)
        with _scorers:
            search = _Search(query, states, self.weights, k + len(exclude))
            search.run(editions, masks)
        ranked = [(passage_id, score) for passage_id, score in search.ranked() if passage_id not in exclude]
        return Candidates(tuple(ranked[:k]), search.evidence, notes)


class _Search:
    """One query being scored."""

    def __init__(self, query: Query, states: list[SegmentState], weights: Weights, k: int) -> None:
        self.states = states
        self.best = Best(k)
        self.evidence = 0.0
        passages = sum(state.passage_count for state in states)
        self.norms = Norms(weights.k1, weights.b, sum(state.word_count for state in states) / passages)
        asked = asked_words(query, weights)
        terms = {term for word in asked for term in (*word.words, *word.stems)}
        self.postings: Postings = look_up(terms, states)
        self.groups: list[Group] = choose(asked, self.postings.having, passages, weights)
        self.values = word_values(asked, self.postings.having, passages)

    def run(self, editions: EditionSet, masks: dict[int, NDArray[np.bool_]] | None) -> None:
        """Score every segment that has something to show."""
        visible = {
            state.id: runs
            for state in self.states
            if (masks is None or state.id in masks) and (runs := state.visible_runs(editions)).any()
        }
        wanted = [state for state in self.states if state.id in visible]
        for state, found in rows(self.groups, self.postings, wanted):
            mask = masks[state.id] if masks is not None else state.mask(visible[state.id])
            places, scores = score_segment(found, state.arrays.lengths, self.norms, mask, self.best.threshold)
            if len(scores):
                highest = self.best.highest
                self.best.offer(state.id, places, scores)
                if self.best.highest > highest:
                    self.evidence = self._share_found(found, int(self.best.places[0]))

    def _share_found(self, found: list[Row], place: int) -> float:
        """How much of the query's idf the passage at ``place`` holds, by word or by stem."""
        words = {self.groups[row.group].word for row in found if place in row.arrays()[0]}
        return sum(self.values[word] for word in words) / sum(self.values)

    def ranked(self) -> list[tuple[UUID, float]]:
        """The best, as ids with scores."""
        if not len(self.best.scores):
            return []
        ids = fetch_binary(_PASSAGE_IDS, [self.best.segments.tolist(), self.best.places.tolist()])
        return [(UUID(bytes=row[0]), score) for row, score in zip(ids, self.best.scores.tolist(), strict=True)]
