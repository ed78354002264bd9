"""Which new passage is which old one, when a text is read again: ids are citations and must stay (DESIGN §3).

Both texts become runs of five words, each run belonging to the passage it begins in. Runs that occur equally often in
both are paired in order; a new passage is the old one with which it shares most, one to one; what shares nothing is
paired by order between its neighbours. Vowel signs and punctuation do not count, so neither a better vocalisation nor a
change of the cutting loses an id (docs/decisions/0011).
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat, takewhile
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

WORDS_IN_A_RUN = 5
# Runs kept of one text: above, only those whose hash is a multiple of a step. Pairing takes about 110 bytes a run.
MOST_RUNS = 500_000
WORDS_IN_A_BATCH = 100_000

_SIGNS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\ufeff]+")
_WORD = re.compile(r"\w+")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

Hashes = NDArray[np.uint64]
Owners = NDArray[np.uint32]


@dataclass(slots=True)
class Alignment:
    """What became of ``old`` passages (given by their place, as the new ones are)."""

    heirs: dict[int, int] = field(default_factory=dict)
    """Old → the new passage that takes its id; no two have the same."""
    successors: dict[int, int] = field(default_factory=dict)
    """Each old passage without an heir → the new one that holds its beginning, or stands where it stood."""


class Texts(Protocol):
    """The passages of one side."""

    @property
    def digests(self) -> Sequence[bytes]:
        """A short hash of each text, in order."""

    def between(self, first: int, last: int) -> Iterable[str]:
        """The texts from place ``first`` up to, not including, ``last``; called at most once."""


def align(old: Texts, new: Texts, *, words: int) -> Alignment:
    """Align two sequences of passage texts; ``words`` is about how many the longer has.

    What is the same at the beginning and at the end of both is not read. Memory does not grow with the texts beyond
    some bytes a passage.
    """
    old_count, new_count = len(old.digests), len(new.digests)
    if not new_count:
        raise ValueError("a text without passages has no place for old ids")
    first = _same(zip(old.digests, new.digests, strict=False))
    reach = min(old_count, new_count) - first
    tail = _same(islice(zip(reversed(old.digests), reversed(new.digests), strict=False), reach))
    result = Alignment({place: place for place in range(first)})
    result.heirs |= {old_count - back: new_count - back for back in range(1, tail + 1)}
    old_last, new_last = old_count - tail, new_count - tail
    if first == old_last:
        return result
    step = max(1, -(-words // MOST_RUNS))
    old_runs, old_owners = _runs(old.between(first, old_last), first, step)
    new_runs, new_owners = _runs(new.between(first, new_last), first, step)
    left, right = _paired(old_runs, new_runs)
    pairs_old, pairs_new = old_owners[left], new_owners[right]
    _by_shared_runs(result, pairs_old, pairs_new)
    _by_order(result, old_count, new_count)
    _beginnings(result, old_count, pairs_old, pairs_new)
    return result


def _same(pairs: Iterable[tuple[bytes, bytes]]) -> int:
    """How many pairs at the beginning are of equals."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _runs(texts: Iterable[str], first: int, step: int) -> tuple[Hashes, Owners]:
    """For every run of words kept its hash and the place of the text it begins in, counted from ``first``."""
    hashes: list[Hashes] = []
    owners: list[Owners] = []
    waiting, whose = np.empty(0, np.uint64), np.empty(0, np.uint32)
    batch, batch_owners = array("Q"), array("I")
    place = first
    for place, text in enumerate(texts, start=first):
        found = [crc32(word.encode()) for word in _WORD.findall(_SIGNS.sub("", text))]
        batch.extend(found)
        batch_owners.extend(repeat(place, len(found)))
        if len(batch) >= WORDS_IN_A_BATCH:
            waiting, whose = _hash_batch(waiting, whose, batch, batch_owners, step, hashes, owners)
            batch, batch_owners = array("Q"), array("I")
    # Empty words at the end, so that the last words begin runs too.
    batch.extend(repeat(0, WORDS_IN_A_RUN - 1))
    batch_owners.extend(repeat(place, WORDS_IN_A_RUN - 1))
    _hash_batch(waiting, whose, batch, batch_owners, step, hashes, owners)
    if not hashes:
        return np.empty(0, np.uint64), np.empty(0, np.uint32)
    return np.concatenate(hashes), np.concatenate(owners)


def _hash_batch(
    waiting: Hashes, whose: Owners, batch: Any, batch_owners: Any, step: int, hashes: list[Hashes], owners: list[Owners]
) -> tuple[Hashes, Owners]:
    """Hash the runs of a batch of words, those that waited first; returns the words that the next batch completes."""
    words = np.concatenate([waiting, np.frombuffer(batch, np.uint64)])
    owner = np.concatenate([whose, np.frombuffer(batch_owners, np.uint32)])
    count = len(words) - WORDS_IN_A_RUN + 1
    if count <= 0:
        return words, owner
    run = np.zeros(count, np.uint64)
    for place in range(WORDS_IN_A_RUN):
        run = (run ^ words[place : place + count]) * _MULTIPLIER
        run ^= run >> _SHIFT
    kept = slice(None) if step == 1 else run % np.uint64(step) == 0
    hashes.append(run[kept])
    owners.append(owner[:count][kept])
    return words[count:], owner[count:]


def _paired(old: Hashes, new: Hashes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indexes of runs in both texts that are the same: the n-th occurrence with the n-th, where both have as many.

    In the order of the old text.
    """
    old_order, new_order = np.argsort(old, kind="stable"), np.argsort(new, kind="stable")
    old_values, old_first, old_counts = np.unique(old[old_order], return_index=True, return_counts=True)
    new_values, new_first, new_counts = np.unique(new[new_order], return_index=True, return_counts=True)
    _shared, in_old, in_new = np.intersect1d(old_values, new_values, assume_unique=True, return_indices=True)
    equal = old_counts[in_old] == new_counts[in_new]
    in_old, in_new = in_old[equal], in_new[equal]
    counts = old_counts[in_old]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    left = old_order[np.repeat(old_first[in_old], counts) + within]
    right = new_order[np.repeat(new_first[in_new], counts) + within]
    order = np.argsort(left, kind="stable")
    return left[order], right[order]


def _by_shared_runs(result: Alignment, pairs_old: Owners, pairs_new: Owners) -> None:
    """Give each new passage the old one with which it shares most, the largest shares first."""
    keys = pairs_old.astype(np.uint64) << np.uint64(32) | pairs_new
    found, shares = np.unique(keys, return_counts=True)
    taken: set[int] = set()
    for index in np.argsort(-shares, kind="stable"):
        old, new = int(found[index] >> np.uint64(32)), int(found[index] & np.uint64(0xFFFFFFFF))
        if old not in result.heirs and new not in taken:
            result.heirs[old] = new
            taken.add(new)


def _by_order(result: Alignment, old_count: int, new_count: int) -> None:
    """Between neighbours that are settled, pair what is left over on both sides in order."""
    free_new = sorted(set(range(new_count)) - set(result.heirs.values()))
    settled = sorted(result.heirs.items())
    places = [old for old, _new in settled]
    for old in range(old_count):
        if old in result.heirs:
            continue
        place = bisect_left(places, old)
        after = settled[place - 1][1] if place else -1
        before = settled[place][1] if place < len(settled) else new_count
        index = bisect_left(free_new, after + 1)
        if index < len(free_new) and free_new[index] < before:
            result.heirs[old] = free_new.pop(index)


def _beginnings(result: Alignment, old_count: int, pairs_old: Owners, pairs_new: Owners) -> None:
    """Find the successor of every old passage without an heir."""
    firsts, first_pairs = np.unique(pairs_old, return_index=True)
    beginning = dict(zip(firsts.tolist(), pairs_new[first_pairs].tolist(), strict=True))
    last = 0
    for old in range(old_count):
        if old in result.heirs:
            last = result.heirs[old]
        else:
            last = result.successors[old] = beginning.get(old, last)
