"""From places in segments to the ids of passages."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from search.database import fetch_binary
from search.lexical.cache import Kept
from search.lexical.snapshot import SegmentKey, SegmentState

#: Bytes of ids that a process keeps. A library whose ids are more has the few it needs read from the database.
KEPT_BYTES = 64 * 1024 * 1024

_ids: Kept[SegmentKey, bytes] = Kept(KEPT_BYTES)

_WHOLE = "SELECT id, passage_ids FROM search_segment WHERE id = ANY(%s)"
_SINGLE = """
SELECT substring(s.passage_ids FROM place.at * 16 + 1 FOR 16)
FROM unnest(%s::int8[], %s::int4[]) WITH ORDINALITY AS place(segment, at, rank)
JOIN search_segment s ON s.id = place.segment ORDER BY place.rank
"""


def passage_ids(states: Sequence[SegmentState], segments: NDArray[np.int64], places: NDArray[np.int64]) -> list[UUID]:
    """The ids of the passages at these places of these segments."""
    pairs = list(zip(segments.tolist(), places.tolist(), strict=True))
    if not pairs:
        return []
    if 16 * sum(state.passage_count for state in states) > KEPT_BYTES:
        rows = fetch_binary(_SINGLE, [[segment for segment, _ in pairs], [place for _, place in pairs]])
        return [UUID(bytes=row[0]) for row in rows]
    whole = _whole([state.key for state in states])
    return [UUID(bytes=whole[segment][16 * place : 16 * place + 16]) for segment, place in pairs]


def _whole(keys: Sequence[SegmentKey]) -> dict[int, bytes]:
    kept = _ids.get(keys)
    if missing := {key.id: key for key in keys if key not in kept}:
        read = {missing[segment]: ids for segment, ids in fetch_binary(_WHOLE, [list(missing)])}
        _ids.put({key: (ids, len(ids)) for key, ids in read.items()})
        kept |= read
    return {key.id: ids for key, ids in kept.items()}
