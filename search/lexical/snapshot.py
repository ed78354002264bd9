"""Which segments there are, and what of them may be seen: the state of the index at the moment of a search.

The bytes of a segment never change, so what was read of it is kept for the next search, up to a bound.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.database import fetch_binary
from search.filters import EditionSet

#: Bytes of segments' lengths and runs that a process keeps: the lengths of some thirty million passages.
KEPT_BYTES = 64 * 1024 * 1024

# A run is dead when its edition is indexed under another generation by now, or no longer.
_SEGMENTS = """
SELECT s.id, extract(epoch FROM s.created_at)::float8, s.passage_count, s.word_count, s.block_bits, d.dead
FROM search_segment s
LEFT JOIN (
    SELECT r.segment_id, array_agg(r.id) AS dead FROM search_segmentrun r
    LEFT JOIN search_indexededition i ON i.edition_id = r.edition_id AND i.generation = r.generation
    WHERE i.edition_id IS NULL GROUP BY r.segment_id
) d ON d.segment_id = s.id
ORDER BY s.id
"""
_ARRAYS = """
SELECT s.id, s.lengths, r.ids, r.starts, r.counts, r.editions, r.firsts
FROM search_segment s
JOIN LATERAL (
    SELECT array_agg(id ORDER BY start) AS ids, array_agg(start ORDER BY start) AS starts,
        array_agg(count ORDER BY start) AS counts, array_agg(edition_id ORDER BY start) AS editions,
        array_agg(first_sequence ORDER BY start) AS firsts
    FROM search_segmentrun WHERE segment_id = s.id
) r ON true
WHERE s.id = ANY(%s)
"""


@dataclass(frozen=True)
class SegmentArrays:
    """What a segment says of its passages: lengths by place, and its runs as parallel arrays, by start."""

    lengths: NDArray[np.uint16]
    run_ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    editions: NDArray[np.int64]
    first_sequences: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.lengths.nbytes + 5 * self.run_ids.nbytes


@dataclass(frozen=True)
class SegmentState:
    """A segment as one search sees it."""

    id: int
    passage_count: int
    word_count: int
    block_bits: int
    dead_runs: tuple[int, ...]
    arrays: SegmentArrays

    def visible_runs(self, editions: EditionSet) -> NDArray[np.bool_]:
        """Which runs may be shown: alive, and of an edition in the set."""
        if editions.only is not None:
            visible = np.isin(self.arrays.editions, np.fromiter(editions.only, np.int64))
        elif editions.never:
            visible = ~np.isin(self.arrays.editions, np.fromiter(editions.never, np.int64))
        else:
            visible = np.ones(len(self.arrays.editions), bool)
        if self.dead_runs:
            visible &= ~np.isin(self.arrays.run_ids, self.dead_runs)
        return visible

    def mask(self, visible: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        """Which places may be shown; None: all."""
        return None if visible.all() else np.repeat(visible, self.arrays.counts)


class _Kept:
    """The least recently used go when the bound is passed. Keys name segments across databases and time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._arrays: OrderedDict[tuple[int, float], SegmentArrays] = OrderedDict()
        self._bytes = 0

    def get(self, keys: Sequence[tuple[int, float]]) -> dict[tuple[int, float], SegmentArrays]:
        with self._lock:
            found = {key: self._arrays[key] for key in keys if key in self._arrays}
            for key in found:
                self._arrays.move_to_end(key)
            return found

    def put(self, new: dict[tuple[int, float], SegmentArrays]) -> None:
        with self._lock:
            for key, arrays in new.items():
                if key not in self._arrays:
                    self._arrays[key] = arrays
                    self._bytes += arrays.nbytes
            while self._bytes > KEPT_BYTES and len(self._arrays) > 1:
                _, dropped = self._arrays.popitem(last=False)
                self._bytes -= dropped.nbytes


_kept = _Kept()


def segments() -> list[SegmentState]:
    """The segments of this moment, by id. One query, and one more when a segment is met for the first time."""
    rows = fetch_binary(_SEGMENTS)
    keys = [(row[0], row[1]) for row in rows]
    arrays = _kept.get(keys)
    if missing := [key for key in keys if key not in arrays]:
        new = _read([key[0] for key in missing])
        fresh = {key: new[key[0]] for key in missing}
        _kept.put(fresh)
        arrays |= fresh
    return [
        SegmentState(row[0], row[2], row[3], row[4], tuple(row[5] or ()), arrays[key])
        for row, key in zip(rows, keys, strict=True)
    ]


def _read(ids: list[int]) -> dict[int, SegmentArrays]:
    return {row[0]: _arrays(row) for row in fetch_binary(_ARRAYS, [ids])}


def _arrays(row: tuple[Any, ...]) -> SegmentArrays:
    lengths = np.frombuffer(row[1], "<u2").astype(np.uint16, copy=False)
    return SegmentArrays(lengths, *(np.array(column, np.int64) for column in row[2:]))
