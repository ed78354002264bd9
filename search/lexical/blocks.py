"""The byte layout of postings, written in one place and read in one place.

A term is known by a 64-bit hash. A segment's terms, in the order of their hashes, are cut into ``2 ** bits`` blocks
by the first ``bits`` bits, about two kilobytes each. A block, all numbers little-endian:

    uint32                  how many terms: n
    n × uint64              their hashes, ascending
    n × uint32              where each one's postings begin, counted in postings
    uint16 …                places of passages, ascending within a term
    uint8 …                 frequencies, in the same order (255 stands for more)

A term in more than ``LARGE`` passages is in no block but has a row of its own: as above (places, then frequencies),
or where at least a quarter of the segment's passages hold the term, one frequency a place, 0 where absent. That takes
a third of the room for the commonest words and is scored without scattering.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from struct import unpack_from
from typing import Any

import numpy as np
from numpy.typing import NDArray

HASH = np.dtype("<u8")
BEGIN = np.dtype("<u4")
PLACE = np.dtype("<u2")
FREQUENCY = np.dtype("u1")

#: Bits of a place: a segment holds at most 65,536 passages.
PLACE_BITS = 16
#: Bits of a row's number in its segment.
ROW_BITS = 24
#: A term in more passages of a segment has a row of its own (from 4 KB).
LARGE = 1_365
#: What a block holds on average; PostgreSQL keeps rows up to 8 KB in their page.
BLOCK_BYTES = 2_048
#: A hash is this many bytes of BLAKE2b: among ten million terms two share one with a chance of 1 in 400,000.
HASH_BYTES = 8
_HEAD = 4
_ENTRY = HASH_BYTES + 4


@lru_cache(maxsize=1 << 18)
def term_hash(term: str) -> int:
    """The number a term is known by."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=HASH_BYTES).digest(), "little")


def row_id(segment_id: int, number: int) -> int:
    """The id of a segment's block, or of its large term, by its number."""
    return segment_id << ROW_BITS | number


def row_ids(segment_id: int) -> tuple[int, int]:
    """The first and the last id that a segment's rows can have."""
    return row_id(segment_id, 0), row_id(segment_id + 1, 0) - 1


def block_of(term: int, bits: int) -> int:
    """The number of the block that holds a term, in a segment of ``2 ** bits`` blocks."""
    return term >> (64 - bits) if bits else 0


def signed(term: int) -> int:
    """A hash as PostgreSQL's bigint holds it."""
    return term - (1 << 64) if term >> 63 else term


def is_dense(passage_count: int, segment_count: int) -> bool:
    """Whether a large term's own row holds one frequency a place."""
    return passage_count * 4 >= segment_count


def find(block: bytes, term: int) -> tuple[bytes, bytes] | None:
    """A term's places and frequencies in its block; an empty block holds none."""
    if not block:
        return None
    (size,) = unpack_from("<I", block)
    wanted = term.to_bytes(HASH_BYTES, "little")
    end = _HEAD + HASH_BYTES * size
    at = block.find(wanted, _HEAD, end)
    while at >= 0 and (at - _HEAD) % HASH_BYTES:
        at = block.find(wanted, at + 1, end)
    if at < 0:
        return None
    entry = (at - _HEAD) // HASH_BYTES
    places = _HEAD + _ENTRY * size
    held = (len(block) - places) // 3
    (begin,) = unpack_from("<I", block, end + 4 * entry)
    (stop,) = unpack_from("<I", block, end + 4 * entry + 4) if entry + 1 < size else (held,)
    frequencies = places + 2 * held
    return block[places + 2 * begin : places + 2 * stop], block[frequencies + begin : frequencies + stop]


@dataclass(frozen=True)
class Postings:
    """All postings of a segment: terms by hash, and one after the other the places and frequencies of each."""

    hashes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    places: NDArray[np.uint16]
    frequencies: NDArray[np.uint8]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each term's postings begin, and the end of all."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    def block_bits(self) -> int:
        """The number of bits that gives blocks of about ``BLOCK_BYTES``."""
        inline = self.counts[self.counts <= LARGE]
        blocks = (3 * int(inline.sum()) + _ENTRY * len(inline)) / BLOCK_BYTES
        return max(0, round(np.log2(blocks))) if blocks > 1 else 0

    def blocks(self, bits: int) -> Iterator[tuple[int, bytes]]:
        """The blocks that hold something, with their numbers."""
        inline = self.counts <= LARGE
        kept = np.repeat(inline, self.counts)
        hashes, places, frequencies = self.hashes[inline], self.places[kept], self.frequencies[kept]
        begins = np.concatenate([[0], np.cumsum(self.counts[inline])])
        numbers = hashes >> np.uint64(64 - bits) if bits else np.zeros(len(hashes), np.uint64)
        firsts = np.flatnonzero(np.diff(numbers, prepend=np.uint64(1 << bits))).tolist()
        for first, last in zip(firsts, [*firsts[1:], len(numbers)], strict=True) if firsts else ():
            begin, end = int(begins[first]), int(begins[last])
            parts: tuple[NDArray[Any], ...] = (
                hashes[first:last].astype(HASH, copy=False),
                (begins[first:last] - begin).astype(BEGIN),
                places[begin:end].astype(PLACE, copy=False),
                frequencies[begin:end],
            )
            head = (last - first).to_bytes(_HEAD, "little")
            yield int(numbers[first]), head + b"".join(part.tobytes() for part in parts)

    def large(self, segment_count: int) -> Iterator[tuple[int, int, bytes]]:
        """The rows of large terms: hash, passages, bytes."""
        starts = self.starts
        for term in np.flatnonzero(self.counts > LARGE).tolist():
            span = slice(int(starts[term]), int(starts[term + 1]))
            count = span.stop - span.start
            yield int(self.hashes[term]), count, encode(self.places[span], self.frequencies[span], segment_count)


def encode(places: NDArray[np.uint16], frequencies: NDArray[np.uint8], segment_count: int) -> bytes:
    """The bytes of a large term's own row."""
    if is_dense(len(places), segment_count):
        dense = np.zeros(segment_count, FREQUENCY)
        dense[places] = frequencies
        return dense.tobytes()
    return places.astype(PLACE).tobytes() + frequencies.tobytes()


def decode(data: bytes, passage_count: int, segment_count: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Places and frequencies of a large term's own row."""
    if is_dense(passage_count, segment_count):
        dense = np.frombuffer(data, FREQUENCY)
        places = np.flatnonzero(dense).astype(np.uint16)
        return places, dense[places]
    return np.frombuffer(data, PLACE, passage_count), np.frombuffer(data, FREQUENCY, passage_count, 2 * passage_count)


def read_segment(blocks: list[bytes], large: dict[int, tuple[NDArray[np.uint16], NDArray[np.uint8]]]) -> Postings:
    """All postings of a segment, from its blocks and from the places and frequencies of its large terms, by hash."""
    hashes, counts, places, frequencies = [], [], [], []
    for block in blocks:
        (size,) = unpack_from("<I", block)
        at = _HEAD + _ENTRY * size
        held = (len(block) - at) // 3
        hashes.append(np.frombuffer(block, HASH, size, _HEAD))
        begins = np.frombuffer(block, BEGIN, size, _HEAD + HASH_BYTES * size)
        counts.append(np.diff(begins, append=BEGIN.type(held)))
        places.append(np.frombuffer(block, PLACE, held, at))
        frequencies.append(np.frombuffer(block, FREQUENCY, held, at + 2 * held))
    for term, (term_places, term_frequencies) in large.items():
        hashes.append(np.array([term], HASH))
        counts.append(np.array([len(term_places)], BEGIN))
        places.append(term_places)
        frequencies.append(term_frequencies)
    return _sorted(np.concatenate(hashes), np.concatenate(counts), np.concatenate(places), np.concatenate(frequencies))


def _sorted(
    hashes: NDArray[np.uint64],
    counts: NDArray[np.integer],
    places: NDArray[np.uint16],
    frequencies: NDArray[np.uint8],
) -> Postings:
    """Postings whose terms may stand in any order, in the order of their hashes."""
    order = np.argsort(hashes, kind="stable")
    old_starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])[:-1][order]
    new_counts = counts[order].astype(np.int64)
    new_starts = np.concatenate([[0], np.cumsum(new_counts)])[:-1]
    moved = np.arange(len(places)) + np.repeat(old_starts - new_starts, new_counts)
    return Postings(hashes[order], new_counts, places[moved], frequencies[moved])
