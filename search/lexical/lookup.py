"""Read the postings of a query's terms.

Which terms of a segment are large, and how many passages hold them, is known beforehand; the blocks of the others are
read, then the rows of the large ones that are scored. What was read is kept for the next search, up to a bound.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from search.database import fetch_binary
from search.lexical.blocks import block_of, find, is_dense, row_id, term_hash
from search.lexical.cache import Kept
from search.lexical.scoring import Row, merge_spellings
from search.lexical.snapshot import SegmentKey, SegmentState
from search.lexical.terms import AskedWord, Group

#: Bytes of blocks, and of large rows, that a process keeps.
KEPT_BLOCKS = 64 * 1024 * 1024
KEPT_LARGE = 64 * 1024 * 1024
#: Bytes of large rows a search holds at a time.
BYTES_AT_ONCE = 16 * 1024 * 1024
#: What a kept value costs beside its bytes, about.
OVERHEAD = 200

#: A segment's row by its number: a block, or a large term's row.
RowKey = tuple[SegmentKey, int]
_blocks: Kept[RowKey, bytes] = Kept(KEPT_BLOCKS)
_large: Kept[RowKey, bytes] = Kept(KEPT_LARGE)

_BLOCKS = "SELECT id, data FROM search_postingblock WHERE id = ANY(%s)"
_LARGE = "SELECT id, data FROM search_largeposting WHERE id = ANY(%s)"


@dataclass(frozen=True, slots=True)
class Large:
    """A large term of a segment: in how many passages it is, and where its row lies."""

    count: int
    row: RowKey


class Lookup:
    """The search for a set of terms in the segments of one moment.

    ``having`` says in how many passages of all segments each term is, once ``look_up`` was called.
    """

    def __init__(self) -> None:
        self.having: dict[str, int] = {}
        self._seen: dict[int, set[str]] = defaultdict(set)
        self._small: dict[int, dict[str, tuple[bytes, bytes]]] = defaultdict(dict)
        self._large: dict[int, dict[str, Large]] = defaultdict(dict)

    def look_up(self, terms: Collection[str], states: Sequence[SegmentState]) -> None:
        """Find terms in segments; what was found before is not looked up again. At most one query, whose size grows
        with terms times segments, not with postings.
        """
        for term in terms:
            self.having.setdefault(term, 0)
        plans = []
        for state in states:
            seen = self._seen[state.id]
            new = [term for term in terms if term not in seen]
            seen.update(new)
            plans.append((state, *_plan(new, state)))
        read = _read(_BLOCKS, _blocks, {key for _, _, blocks in plans for key in blocks.values()})
        for state, large, blocks in plans:
            self._large[state.id] |= large
            for term, row in large.items():
                self.having[term] += row.count
            for term, key in blocks.items():
                if found := find(read[key], term_hash(term)):
                    self._small[state.id][term] = found
                    self.having[term] += len(found[1])

    def rows(self, groups: Sequence[Group], states: Sequence[SegmentState]) -> Iterator[tuple[SegmentState, list[Row]]]:
        """The rows of the groups in each segment that has any; large ones of as many segments at a time as fit."""
        batch: list[SegmentState] = []
        size = 0
        terms = [term for group in groups for term in group.terms]
        for state in states:
            large = self._large[state.id]
            held = sum(_row_bytes(large[term].count, state) for term in terms if term in large)
            if batch and size + held > BYTES_AT_ONCE:
                yield from self._batch(groups, batch)
                batch, size = [], 0
            batch.append(state)
            size += held
        if batch:
            yield from self._batch(groups, batch)

    def _batch(
        self, groups: Sequence[Group], states: Sequence[SegmentState]
    ) -> Iterator[tuple[SegmentState, list[Row]]]:
        wanted = {
            self._large[state.id][term].row
            for state in states
            for group in groups
            for term in group.terms
            if term in self._large[state.id]
        }
        large = _read(_LARGE, _large, wanted)
        for state in states:
            found = [
                row
                for number, group in enumerate(groups)
                if (row := self._row(number, group, state, large)) is not None
            ]
            if found:
                yield state, found

    def _row(self, number: int, group: Group, state: SegmentState, large: dict[RowKey, bytes]) -> Row | None:
        """A group's row in a segment, its spellings taken together; None: it is not there."""
        spellings: list[Row] = []
        for term in group.terms:
            if found := self._large[state.id].get(term):
                spellings.append(_large_row(number, group.weight, found.count, state, large[found.row]))
            elif term in self._small[state.id]:
                places, frequencies = self._small[state.id][term]
                spellings.append(Row(number, group.weight, len(frequencies), places, frequencies))
        if len(spellings) < 2:
            return spellings[0] if spellings else None
        return merge_spellings(spellings, state.passage_count)


def at_least(asked: Sequence[AskedWord], states: Sequence[SegmentState]) -> dict[str, int]:
    """In how many passages the terms of words are at least, as far as is known without reading anything."""
    having: Counter[str] = Counter()
    terms = list({term for word in asked for term in word.first_layer})
    for state in states:
        having.update({term: large.count for term, large in _plan(terms, state)[0].items()})
    return having


def _plan(terms: Collection[str], state: SegmentState) -> tuple[dict[str, Large], dict[str, RowKey]]:
    """Which terms are large in a segment, and in which blocks the others would be."""
    hashes = [term_hash(term) for term in terms]
    large: dict[str, Large] = {}
    if len(known := state.arrays.large_terms):
        numbers = np.array(hashes, np.uint64)
        places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        held = known[places] == numbers
        if held.any():
            counts = state.arrays.large_counts[places].tolist()
            large = {
                term: Large(count, (state.key, place))
                for term, is_large, place, count in zip(terms, held.tolist(), places.tolist(), counts, strict=True)
                if is_large
            }
    blocks = {
        term: (state.key, block_of(number, state.block_bits))
        for term, number in zip(terms, hashes, strict=True)
        if term not in large
    }
    return large, blocks


def _row_bytes(count: int, state: SegmentState) -> int:
    return state.passage_count if is_dense(count, state.passage_count) else 3 * count


def _large_row(number: int, weight: float, count: int, state: SegmentState, data: bytes) -> Row:
    if is_dense(count, state.passage_count):
        return Row(number, weight, count, None, data)
    return Row(number, weight, count, data[: 2 * count], data[2 * count :])


def _read(sql: str, kept: Kept[RowKey, bytes], wanted: Collection[RowKey]) -> dict[RowKey, bytes]:
    """Rows by their keys: kept ones, and the others in one query. One that does not exist is empty."""
    rows = kept.get(wanted)
    if missing := {row_id(key.id, number): (key, number) for key, number in wanted if (key, number) not in rows}:
        found: dict[int, bytes] = {row[0]: row[1] for row in fetch_binary(sql, [list(missing)])}
        new = {key: found.get(number, b"") for number, key in missing.items()}
        kept.put({key: (data, len(data) + OVERHEAD) for key, data in new.items()})
        rows |= new
    return rows
