"""The byte layout of postings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.lexical.blocks import (
    LARGE,
    Postings,
    block_of,
    decode,
    encode,
    find,
    is_dense,
    read_segment,
    signed,
    term_hash,
)


def postings(of: dict[int, dict[int, int]]) -> Postings:
    """``{hash: {place: frequency}}`` as postings."""
    rows = [(term, sorted(places.items())) for term, places in sorted(of.items())]
    return Postings(
        np.array([term for term, _ in rows], np.uint64),
        np.array([len(places) for _, places in rows], np.int64),
        np.array([place for _, places in rows for place, _ in places], np.uint16),
        np.array([frequency for _, places in rows for _, frequency in places], np.uint8),
    )


def same(one: Postings, other: Postings) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("hashes", "counts", "places", "frequencies")
    )


ANY = st.dictionaries(
    st.integers(0, 2**64 - 1),
    st.dictionaries(st.integers(0, 65_535), st.integers(1, 255), min_size=1, max_size=5),
    min_size=1,
    max_size=60,
)


@given(ANY, st.integers(0, 6))
def test_blocks_give_back_what_was_put_in(of: dict[int, dict[int, int]], bits: int) -> None:
    given = postings(of)
    assert same(read_segment([data for _, data in given.blocks(bits)], {}), given)


@given(ANY, st.integers(0, 6))
def test_each_term_is_found_in_its_block(of: dict[int, dict[int, int]], bits: int) -> None:
    blocks = dict(postings(of).blocks(bits))
    for term, places in of.items():
        found = find(blocks[block_of(term, bits)], term)
        assert found is not None
        assert np.frombuffer(found[0], "<u2").tolist() == sorted(places)
        assert list(found[1]) == [places[place] for place in sorted(places)]


@given(ANY, st.integers(0, 2**64 - 1))
def test_a_term_that_is_not_there_is_not_found(of: dict[int, dict[int, int]], other: int) -> None:
    (_, block), *_ = postings(of).blocks(0)
    assert (find(block, other) is not None) == (other in of)


def test_bytes_that_straddle_two_hashes_are_no_hash() -> None:
    left, right = 0x1122334455667788, 0x99AABBCCDDEEFF00
    (_, block), *_ = postings({left: {0: 1}, right: {1: 1}}).blocks(0)
    straddling = int.from_bytes((left.to_bytes(8, "little") + right.to_bytes(8, "little"))[4:12], "little")
    assert find(block, straddling) is None


@pytest.mark.parametrize("segment_count", [LARGE + 1, 60_000])
def test_a_large_term_stands_apart(segment_count: int) -> None:
    places = {place: place % 255 + 1 for place in range(LARGE + 1)}
    given = postings({5: places, 7: {3: 1}})
    blocks = [data for _, data in given.blocks(0)]
    assert find(blocks[0], 5) is None
    ((term, count, data),) = given.large(segment_count)
    assert is_dense(count, segment_count) == (segment_count < 60_000)
    assert same(read_segment(blocks, {term: decode(data, count, segment_count)}), given)


@given(st.dictionaries(st.integers(0, 99), st.integers(1, 255), min_size=1))
def test_a_row_of_its_own_gives_back_what_was_put_in(places: dict[int, int]) -> None:
    held = np.array(sorted(places), np.uint16)
    frequencies = np.array([places[place] for place in sorted(places)], np.uint8)
    back = decode(encode(held, frequencies, 100), len(held), 100)
    assert [list(array) for array in back] == [held.tolist(), frequencies.tolist()]


def test_hashes_keep_their_place_in_a_signed_column() -> None:
    assert [signed(0), signed(2**63 - 1), signed(2**63), signed(2**64 - 1)] == [0, 2**63 - 1, -(2**63), -1]


def test_terms_are_known_by_the_same_number_for_ever() -> None:
    assert term_hash("كتاب") == 15742711007920401590
