"""BM25 over one segment at a time, keeping the best so far.

    score(passage) = sum over terms of  weight * idf * tf / (tf + k1 * (1 - b + b * length / average length))

as Lucene writes it (without the constant factor k1 + 1); idf = ln(1 + (N - df + 0.5) / (df + 0.5)). Lengths are stored raw
and normalised here: weights with the average length baked in fell to .73-.90 agreement as soon as books of other lengths came.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.lexical.blocks import FREQUENCY, PLACE

Floats = NDArray[np.float64]

#: With fewer postings than this in a segment, sorting them beats filling a buffer of all its places.
FEW_POSTINGS = 3_000


def idf(passages: int, having: int) -> float:
    """The weight of a term that ``having`` of ``passages`` hold; never negative."""
    return math.log(1 + (passages - having + 0.5) / (having + 0.5))


@dataclass(frozen=True)
class Row:
    """One word's postings in the segment being scored: ascending places (uint16) with frequencies (uint8), or where
    ``places`` is None, one frequency a place. ``group`` numbers the word and layer."""

    group: int
    weight: float
    count: int
    places: bytes | None
    frequencies: bytes

    def arrays(self) -> tuple[NDArray[np.integer], NDArray[np.uint8]]:
        """Places and frequencies, either way."""
        tf = np.frombuffer(self.frequencies, FREQUENCY)
        if self.places is not None:
            return np.frombuffer(self.places, PLACE), tf
        places = np.flatnonzero(tf)
        return places, tf[places]


@dataclass
class Norms:
    """The part of BM25's denominator that depends on a passage's length, by length."""

    k1: float
    b: float
    average: float

    def of(self, lengths: NDArray[np.uint16]) -> Floats:
        """One value a passage."""
        factor = self.k1 * self.b / self.average if self.average else 0.0
        return lengths * factor + self.k1 * (1 - self.b)


@dataclass
class Best:
    """The ``k`` highest scores seen, ties to the earlier segment and place."""

    k: int
    threshold: float = 0.0
    scores: Floats = field(default_factory=lambda: np.empty(0))
    segments: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    places: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def highest(self) -> float:
        """The highest score seen; 0 before any."""
        return float(self.scores[0]) if len(self.scores) else 0.0

    def offer(self, segment: int, places: NDArray[np.integer], scores: Floats) -> None:
        """Take in scores above the threshold; segments come in order."""
        if len(scores) > self.k:
            places, scores = _highest(places, scores, self.k)
        scores = np.concatenate([self.scores, scores])
        segments = np.concatenate([self.segments, np.full(len(places), segment)])
        places = np.concatenate([self.places, places])
        order = np.lexsort((places, segments, -scores))[: self.k]
        self.scores, self.segments, self.places = scores[order], segments[order], places[order]
        if len(order) == self.k:
            self.threshold = float(self.scores[-1])


def _highest(places: NDArray[np.integer], scores: Floats, k: int) -> tuple[NDArray[np.integer], Floats]:
    """The ``k`` highest, and of those that tie for the last place the earliest."""
    least = np.partition(scores, len(scores) - k)[len(scores) - k]
    above = np.flatnonzero(scores > least)
    level = np.flatnonzero(scores == least)[: k - len(above)]
    kept = np.concatenate([above, level])
    return places[kept], scores[kept]


def score_segment(
    rows: Sequence[Row], lengths: NDArray[np.uint16], norms: Norms, mask: NDArray[np.bool_] | None, threshold: float
) -> tuple[NDArray[np.integer], Floats]:
    """Places and scores of the visible passages that score above ``threshold``, places ascending."""
    count = len(lengths)
    sparse = [row for row in rows if row.places is not None]
    dense = [row for row in rows if row.places is None]
    if not dense and sum(row.count for row in sparse) < FEW_POSTINGS:
        places, scores = _sum_few(sparse, lengths, norms)
    else:
        scores = _sum_many(sparse, dense, lengths, norms)
        places = np.arange(count)
    keep = scores > threshold
    if mask is not None:
        keep &= mask[places]
    return places[keep], scores[keep]


def _postings(rows: Sequence[Row], lengths: NDArray[np.uint16], norms: Norms) -> tuple[NDArray[np.uint16], Floats]:
    """All postings of sparse rows one after the other: places, and what each adds."""
    places = np.frombuffer(b"".join(row.places or b"" for row in rows), PLACE)
    tf = np.frombuffer(b"".join(row.frequencies for row in rows), FREQUENCY)
    weights = np.repeat([row.weight for row in rows], [row.count for row in rows])
    return places, weights * tf / (tf + norms.of(lengths[places]))


def _sum_few(rows: Sequence[Row], lengths: NDArray[np.uint16], norms: Norms) -> tuple[NDArray[np.uint16], Floats]:
    if not rows:
        return np.empty(0, np.uint16), np.empty(0)
    places, added = _postings(rows, lengths, norms)
    unique, inverse = np.unique(places, return_inverse=True)
    return unique, np.bincount(inverse, added)


def _sum_many(sparse: Sequence[Row], dense: Sequence[Row], lengths: NDArray[np.uint16], norms: Norms) -> Floats:
    if sparse:
        places, added = _postings(sparse, lengths, norms)
        scores: Floats = np.bincount(places, added, minlength=len(lengths))
    else:
        scores = np.zeros(len(lengths))
    if dense:
        norm = norms.of(lengths)
        for row in dense:
            tf = np.frombuffer(row.frequencies, FREQUENCY)
            scores += row.weight * tf / (tf + norm)
    return scores


def merge_spellings(rows: Sequence[Row], segment_count: int) -> Row:
    """Rows of one word's spellings as one row: a passage counts once, with its highest frequency.

    A text with a dagger alef is stored under both its spellings, so adding them up would count it twice.
    """
    merged = np.zeros(segment_count, FREQUENCY)
    for row in rows:
        places, tf = row.arrays()
        merged[places] = np.maximum(merged[places], tf)
    held = np.flatnonzero(merged).astype(PLACE)
    return Row(rows[0].group, rows[0].weight, len(held), held.tobytes(), merged[held].tobytes())
