"""The lexical arm: a query in, the passages with the highest BM25 out."""

from __future__ import annotations

import threading
from collections.abc import Sequence, Set
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from search.arms import Candidates
from search.constants import MAX_WORDS, Weights
from search.filters import EditionSet
from search.lexical.lookup import Lookup, at_least
from search.lexical.passage_ids import passage_ids
from search.lexical.phrases import PHRASE_NOT_FOUND, TRIED_FIRST, holding, phrase_masks
from search.lexical.scoring import Best, Norms, Row, score_segment
from search.lexical.snapshot import segments
from search.lexical.terms import AskedWord, Group, asked_words, fewest, groups_of, passages_with, word_values
from search.query_language import Query

#: One search of a process works at a time. Most of its work holds the interpreter's lock anyway, and thirty-two that
#: take it from each other get through 275 queries a second with a p95 of 158 ms, one after the other 540 and 64.
_turn = threading.Lock()


class LexicalArm:
    """BM25 over words and stems. Ranks equal scores by segment and place, so the order is the same every time."""

    name = "lexical"

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or Weights()

    def candidates(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int) -> Candidates:
        """See ``Arm``. Exclusions are taken from a list longer by their number: exact, and cheaper than a mask."""
        if not query.words or editions.is_empty:
            return Candidates()
        with _turn:
            search = _Search(asked_words(query, self.weights), self.weights)
        if not search.states:
            return Candidates()
        ranked, notes = _ranked(search, query, editions, k + len(exclude))
        wanted = [row for row in ranked if row[0] not in exclude]
        return Candidates(tuple(wanted[:k]), search.evidence, notes)


def _ranked(
    search: _Search, query: Query, editions: EditionSet, k: int
) -> tuple[list[tuple[UUID, float]], tuple[str, ...]]:
    """The ``k`` best passages that hold the query's phrases, with scores; where none does, as if it had none."""
    if not query.tsquery:
        return search.run(editions, None, k), ()
    tried = search.run(editions, None, max(TRIED_FIRST, 2 * k))
    held = holding(query.tsquery, [passage_id for passage_id, _ in tried])
    if len(held) >= k or (held and len(tried) < TRIED_FIRST):
        return [row for row in tried if row[0] in held], ()
    masks = phrase_masks(query.tsquery, search.states, editions)
    if masks:
        return search.run(editions, masks, k), ()
    return tried, (PHRASE_NOT_FOUND,)


class _Search:
    """One query: its terms looked up at once, scored by ``run``."""

    def __init__(self, asked: Sequence[AskedWord], weights: Weights) -> None:
        self.lookup = Lookup()
        self.evidence = 0.0
        self.states = segments()
        self.passages = sum(state.passage_count for state in self.states)
        if not self.passages:
            return
        average = sum(state.word_count for state in self.states) / self.passages
        self.norms = Norms(weights.k1, weights.b, average)
        self.asked = self._look_up(asked)
        self.groups: list[Group] = groups_of(self.asked, self.lookup.having, self.passages, weights)
        self.values = word_values(self.asked, self.lookup.having, self.passages)

    def _look_up(self, asked: Sequence[AskedWord]) -> Sequence[AskedWord]:
        """Find the terms of the words that are scored, and return these words.

        A long query is a pasted text: its rarest words are enough, and as they stand (misquoted verses: nDCG@10 .862
        with their stems and without).
        """
        if len(asked) <= MAX_WORDS:
            self.lookup.look_up({term for word in asked for term in (*word.words, *word.stems)}, self.states)
            return asked
        asked = [word.without_second_layer() for word in asked]
        having = at_least(asked, self.states)
        by_rarity = fewest(asked, having, len(asked))
        held: list[AskedWord] = []
        for first in range(0, len(by_rarity), 2 * MAX_WORDS):
            held += self._held(by_rarity[first : first + 2 * MAX_WORDS])
            if len(held) >= MAX_WORDS:
                break
        chosen = set(fewest(held, self.lookup.having, MAX_WORDS))
        self.lookup.look_up({term for word in chosen for term in word.first_layer}, self.states)
        return [word for word in asked if word in chosen]

    def _held(self, words: Sequence[AskedWord]) -> list[AskedWord]:
        """Those of the words that some passage holds. It is enough to see them in the largest segment, which also tells
        how rare they are; only words that are not there are looked up in the others."""
        largest, *others = sorted(self.states, key=lambda state: -state.passage_count)
        self.lookup.look_up({term for word in words for term in word.first_layer}, [largest])
        absent = [word for word in words if not passages_with(word.first_layer, self.lookup.having)]
        self.lookup.look_up({term for word in absent for term in word.first_layer}, others)
        return [word for word in words if passages_with(word.first_layer, self.lookup.having)]

    def run(self, editions: EditionSet, masks: dict[int, NDArray[np.bool_]] | None, k: int) -> list[tuple[UUID, float]]:
        """Score every segment that has something to show; the ``k`` best, as ids with scores."""
        with _turn:
            best = self._score(editions, masks, k)
            ids = passage_ids(self.states, best.segments, best.places)
        return list(zip(ids, best.scores.tolist(), strict=True))

    def _score(self, editions: EditionSet, masks: dict[int, NDArray[np.bool_]] | None, k: int) -> Best:
        best = Best(k)
        first: tuple[Sequence[Row], NDArray[np.int64]] | None = None
        visible = {
            state.id: runs
            for state in self.states
            if (masks is None or state.id in masks) and ((runs := state.visible_runs(editions)) is None or runs.any())
        }
        wanted = [state for state in self.states if state.id in visible]
        for state, found in self.lookup.rows(self.groups, wanted):
            mask = masks[state.id] if masks is not None else state.mask(visible[state.id])
            norm = state.arrays.norms(self.norms)
            places, scores = score_segment(found, norm, mask, best)
            if len(scores):
                highest = best.highest
                best.offer(state.id, places, scores)
                if best.highest > highest:
                    first = (found, best.places[:1])
        if first is not None:
            self.evidence = self._share_found(*first)
        return best

    def _share_found(self, found: Sequence[Row], place: NDArray[np.int64]) -> float:
        """How much of the query's idf a passage holds, by word or by stem."""
        words = {self.groups[row.group].word for row in found if row.at(place)[0]}
        return sum(self.values[word] for word in words) / sum(self.values)
