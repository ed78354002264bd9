"""Which segments there are, and what of them may be seen: the state of the index at the moment of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.changes import OfVersion
from search.database import fetch_binary
from search.filters import EditionSet
from search.lexical.cache import Kept
from search.lexical.scoring import Norms

#: Bytes of segments' lengths and runs that a process keeps: those of some twenty million passages.
KEPT_BYTES = 128 * 1024 * 1024

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
SELECT s.id, s.lengths, r.columns, l.terms, l.counts
FROM search_segment s
JOIN LATERAL (
    SELECT array_agg(ARRAY[id, start, count, edition_id, first_sequence] ORDER BY start) AS columns
    FROM search_segmentrun WHERE segment_id = s.id
) r ON true
JOIN LATERAL (
    SELECT array_agg(term ORDER BY id) AS terms, array_agg(passage_count ORDER BY id) AS counts
    FROM search_largeposting WHERE id BETWEEN s.id << 24 AND ((s.id + 1) << 24) - 1
) l ON true
WHERE s.id = ANY(%s)
"""


class SegmentKey(NamedTuple):
    """Names a segment among those of all databases this process may ever see."""

    id: int
    created: float


@dataclass
class SegmentArrays:
    """What a segment says of its passages and large terms; runs are parallel arrays, by start."""

    lengths: NDArray[np.uint16]
    run_ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    editions: NDArray[np.int64]
    first_sequences: NDArray[np.int64]
    large_terms: NDArray[np.uint64]
    """Hashes, ascending: a term's place here is the number of its row."""
    large_counts: NDArray[np.int64]
    _norms: tuple[Norms, NDArray[np.float32]] | None = field(default=None, repr=False)

    @property
    def nbytes(self) -> int:
        """Memory held, the norms that will come included."""
        return 6 * len(self.lengths) + 40 * len(self.run_ids) + 16 * len(self.large_terms)

    def norms(self, norms: Norms) -> NDArray[np.float32]:
        """The length's part of BM25's denominator, by place; remembered until lengths or constants change."""
        if self._norms is None or self._norms[0] != norms:
            self._norms = (norms, norms.of(self.lengths))
        return self._norms[1]


@dataclass(frozen=True)
class SegmentState:
    """A segment as one search sees it."""

    key: SegmentKey
    passage_count: int
    word_count: int
    block_bits: int
    dead_runs: tuple[int, ...]
    arrays: SegmentArrays

    @property
    def id(self) -> int:
        """The segment's id."""
        return self.key.id

    def visible_runs(self, editions: EditionSet) -> NDArray[np.bool_] | None:
        """Which runs may be shown: alive, and of an edition in the set. None: all."""
        if editions.only is None and not editions.never and not self.dead_runs:
            return None
        visible: NDArray[np.bool_] = np.isin(self.arrays.editions, editions.numbers, invert=editions.only is None)
        if self.dead_runs:
            visible &= ~np.isin(self.arrays.run_ids, self.dead_runs)
        return None if visible.all() else visible

    def mask(self, visible: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
        """Which places may be shown; None: all."""
        return None if visible is None else np.repeat(visible, self.arrays.counts)


_arrays: Kept[SegmentKey, SegmentArrays] = Kept(KEPT_BYTES)


def _segments() -> list[SegmentState]:
    rows = fetch_binary(_SEGMENTS)
    keys = [SegmentKey(row[0], row[1]) for row in rows]
    arrays = _arrays.get(keys)
    if missing := [key for key in keys if key not in arrays]:
        new = _read(missing)
        _arrays.put({key: (value, value.nbytes) for key, value in new.items()})
        arrays |= new
    return [
        SegmentState(key, row[2], row[3], row[4], tuple(row[5] or ()), arrays[key])
        for row, key in zip(rows, keys, strict=True)
    ]


#: The segments of this moment, by id.
segments = OfVersion(_segments)


def _read(keys: Sequence[SegmentKey]) -> dict[SegmentKey, SegmentArrays]:
    by_id = {key.id: key for key in keys}
    return {by_id[row[0]]: _to_arrays(*row[1:]) for row in fetch_binary(_ARRAYS, [list(by_id)])}


def _to_arrays(
    lengths: bytes, runs: list[list[int]], terms: list[int] | None, counts: list[int] | None
) -> SegmentArrays:
    ids, starts, sizes, editions, firsts = np.array(runs, np.int64).T
    return SegmentArrays(
        np.frombuffer(lengths, "<u2").astype(np.uint16, copy=False),
        ids.copy(),
        starts.copy(),
        sizes.copy(),
        editions.copy(),
        firsts.copy(),
        np.array(terms or (), np.int64).view(np.uint64),
        np.array(counts or (), np.int64),
    )
