"""Phrases as masks: which places hold what stood in quotation marks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.database import fetch_binary
from search.filters import EditionSet
from search.lexical.snapshot import SegmentState
from search.query_language import Query

#: The note of a search whose quoted part no passage holds; it was answered by its words.
PHRASE_NOT_FOUND = "phrase_not_found"

#: Passages looked at for a phrase. One that more passages hold is so common that these are answer enough.
MOST_PASSAGES = 50_000

_HOLDING = "SELECT edition_id, sequence_number FROM search_passagelexemes WHERE tsv @@ %s::tsquery LIMIT %s"
_HOLDING_IN = """
SELECT edition_id, sequence_number FROM search_passagelexemes
WHERE tsv @@ %s::tsquery AND edition_id = ANY(%s) LIMIT %s
"""


def phrase_masks(query: Query, states: list[SegmentState], editions: EditionSet) -> dict[int, NDArray[np.bool_]]:
    """Places that hold the query's phrases, by segment id; segments with none are left out."""
    if editions.only is None:
        rows: list[Any] = fetch_binary(_HOLDING, [query.tsquery, MOST_PASSAGES])
    else:
        rows = fetch_binary(_HOLDING_IN, [query.tsquery, sorted(editions.only), MOST_PASSAGES])
    held = np.array(rows, np.int64).reshape(-1, 2)
    masks: dict[int, NDArray[np.bool_]] = {}
    for state in states:
        places = _places(state, held, state.visible_runs(editions))
        if len(places):
            masks[state.id] = np.zeros(state.passage_count, bool)
            masks[state.id][places] = True
    return masks


def _places(state: SegmentState, held: NDArray[np.int64], visible: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Where in the segment the passages (edition, sequence number) stand, in visible runs."""
    arrays = state.arrays
    found = [np.empty(0, np.int64)]
    for run in np.flatnonzero(visible & np.isin(arrays.editions, held[:, 0])):
        numbers = held[held[:, 0] == arrays.editions[run], 1] - arrays.first_sequences[run]
        found.append(arrays.starts[run] + numbers[(numbers >= 0) & (numbers < arrays.counts[run])])
    return np.concatenate(found)
