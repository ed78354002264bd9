"""Phrases: which passages hold what stood in quotation marks. Asked of ``PassageLexemes``, which ranks nothing."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from search.database import fetch_binary
from search.filters import EditionSet
from search.lexical.snapshot import SegmentState

#: The note of a search whose quoted part no passage holds; it was answered by its words.
PHRASE_NOT_FOUND = "phrase_not_found"

#: So many of the best by words are looked at first: most phrases stand in passages that rank high by their words, and
#: the first of these that hold the phrase are the first of all.
TRIED_FIRST = 512

#: Passages taken from the index of lexemes. A phrase in more of them, none of which is among the ``TRIED_FIRST``, is
#: made of words that stand everywhere; these are answer enough.
MOST_PASSAGES = 20_000

_OF_THESE = "SELECT passage_id FROM search_passagelexemes WHERE passage_id = ANY(%s) AND tsv @@ %s::tsquery"
_ALL = "SELECT edition_id, sequence_number FROM search_passagelexemes WHERE tsv @@ %s::tsquery LIMIT %s"
_ALL_IN = """
SELECT edition_id, sequence_number FROM search_passagelexemes
WHERE tsv @@ %s::tsquery AND edition_id = ANY(%s) LIMIT %s
"""


def holding(tsquery: str, passages: Collection[UUID]) -> set[UUID]:
    """Those of ``passages`` that hold what ``tsquery`` asks for."""
    return {row[0] for row in fetch_binary(_OF_THESE, [list(passages), tsquery])}


def phrase_masks(tsquery: str, states: list[SegmentState], editions: EditionSet) -> dict[int, NDArray[np.bool_]]:
    """The visible places that hold what ``tsquery`` asks for, by segment id; segments with none are left out."""
    if editions.only is None:
        rows = fetch_binary(_ALL, [tsquery, MOST_PASSAGES])
    else:
        rows = fetch_binary(_ALL_IN, [tsquery, editions.numbers.tolist(), MOST_PASSAGES])
    held = np.array(rows, np.int64).reshape(-1, 2)
    masks: dict[int, NDArray[np.bool_]] = {}
    for state in states:
        visible = state.visible_runs(editions)
        runs = np.arange(len(state.arrays.starts)) if visible is None else np.flatnonzero(visible)
        places = _places(state, held, runs)
        if len(places):
            masks[state.id] = np.zeros(state.passage_count, bool)
            masks[state.id][places] = True
    return masks


def _places(state: SegmentState, held: NDArray[np.int64], runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in the segment passages (edition, sequence number) stand, in these runs.

    An edition may have several runs, so each passage is looked for in the first of its edition's, then in the next.
    """
    arrays = state.arrays
    runs = runs[np.argsort(arrays.editions[runs], kind="stable")]
    editions = arrays.editions[runs]
    at = np.searchsorted(editions, held[:, 0])
    found = [np.empty(0, np.int64)]
    while len(held):
        here = at < len(runs)
        here[here] = editions[at[here]] == held[here, 0]
        held, at = held[here], at[here]
        run = runs[at]
        offsets = held[:, 1] - arrays.first_sequences[run]
        inside = (offsets >= 0) & (offsets < arrays.counts[run])
        found.append((arrays.starts[run] + offsets)[inside])
        held, at = held[~inside], at[~inside] + 1
    return np.concatenate(found)
