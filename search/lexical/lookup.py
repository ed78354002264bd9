"""Read the postings of a query's terms: first the blocks that hold them, then the large ones that are needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from search.database import fetch_binary
from search.lexical.blocks import Found, block_of, find, is_dense, signed, term_hash
from search.lexical.scoring import Row, merge_spellings
from search.lexical.snapshot import SegmentState
from search.lexical.terms import Group

#: Bytes of large postings a search holds at a time.
BYTES_AT_ONCE = 16 * 1024 * 1024

_BLOCKS = """
SELECT b.segment_id, b.number, b.data
FROM unnest(%s::int8[], %s::int4[]) AS wanted(segment_id, number)
JOIN search_postingblock b ON b.segment_id = wanted.segment_id AND b.number = wanted.number
"""
_LARGE = """
SELECT segment_id, term, passage_count, data FROM search_largeposting
WHERE segment_id = ANY(%s::int8[]) AND term = ANY(%s::int8[])
"""


@dataclass
class Postings:
    """What the blocks say: each term's passages over all segments, and what of it lies in each segment."""

    having: dict[str, int] = field(default_factory=dict)
    by_segment: dict[int, dict[str, Found]] = field(default_factory=lambda: defaultdict(dict))


def look_up(terms: Collection[str], states: Sequence[SegmentState]) -> Postings:
    """Find terms in all segments. One query; its size grows with terms times segments, not with postings."""
    hashes = {term: term_hash(term) for term in terms}
    places = {(state.id, block_of(number, state.block_bits)): None for state in states for number in hashes.values()}
    blocks = {
        (segment, number): data
        for segment, number, data in fetch_binary(
            _BLOCKS, [[segment for segment, _ in places], [number for _, number in places]]
        )
    }
    postings = Postings(dict.fromkeys(terms, 0))
    for state in states:
        for term, number in hashes.items():
            block = blocks.get((state.id, block_of(number, state.block_bits)))
            found = find(block, number) if block else None
            if found:
                postings.having[term] += found.count
                postings.by_segment[state.id][term] = found
    return postings


def rows(
    groups: Sequence[Group], postings: Postings, states: Sequence[SegmentState]
) -> Iterator[tuple[SegmentState, list[Row]]]:
    """The rows of the groups in each segment that has any; large ones of as many segments at a time as fit in memory."""
    batch: list[SegmentState] = []
    size = 0
    terms = [term for group in groups for term in group.terms]
    for state in states:
        held = postings.by_segment.get(state.id, {})
        bytes_held = sum(_row_bytes(held[term], state) for term in terms if term in held)
        if batch and size + bytes_held > BYTES_AT_ONCE:
            yield from _batch_rows(groups, postings, batch)
            batch, size = [], 0
        batch.append(state)
        size += bytes_held
    if batch:
        yield from _batch_rows(groups, postings, batch)


def _row_bytes(found: Found, state: SegmentState) -> int:
    if found.places is not None:
        return 0
    return state.passage_count if is_dense(found.count, state.passage_count) else 3 * found.count


def _batch_rows(
    groups: Sequence[Group], postings: Postings, states: Sequence[SegmentState]
) -> Iterator[tuple[SegmentState, list[Row]]]:
    large = _read_large(groups, postings, states)
    for state in states:
        held = postings.by_segment.get(state.id, {})
        found: list[Row] = []
        for number, group in enumerate(groups):
            spellings = [
                _row(number, group, state, held[term], large.get((state.id, term)))
                for term in group.terms
                if term in held
            ]
            if spellings:
                found.append(spellings[0] if len(spellings) == 1 else merge_spellings(spellings, state.passage_count))
        if found:
            yield state, found


def _read_large(
    groups: Sequence[Group], postings: Postings, states: Sequence[SegmentState]
) -> dict[tuple[int, str], bytes]:
    wanted = {
        signed(term_hash(term)): term
        for group in groups
        for term in group.terms
        if any((found := postings.by_segment.get(state.id, {}).get(term)) and found.places is None for state in states)
    }
    if not wanted:
        return {}
    return {
        (segment, wanted[number]): data
        for segment, number, _, data in fetch_binary(_LARGE, [[state.id for state in states], list(wanted)])
    }


def _row(number: int, group: Group, state: SegmentState, found: Found, large: bytes | None) -> Row:
    if found.places is not None and found.frequencies is not None:
        return Row(number, group.weight, found.count, found.places, found.frequencies)
    assert large is not None, f"segment {state.id} has no row of its own for a large term"
    if is_dense(found.count, state.passage_count):
        return Row(number, group.weight, found.count, None, large)
    return Row(number, group.weight, found.count, large[: 2 * found.count], large[2 * found.count :])
