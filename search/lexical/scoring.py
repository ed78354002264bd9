"""BM25 over one segment at a time, keeping the best so far.

    score(passage) = sum over terms of  weight * idf * tf / (tf + k1 * (1 - b + b * length / average length))

as Lucene writes it (without the constant factor k1 + 1); idf = ln(1 + (N - df + 0.5) / (df + 0.5)). Lengths are
stored raw and normalised here: weights with the average length baked in fell to .73-.90 agreement once books of other
lengths came.

What a term adds is less than its weight. So once ``k`` passages are known to score ``threshold``, the commonest
terms, whose weights together are less, cannot lift a passage that holds none of the others: they are looked up for
the rest alone, and the result is still exact (Turtle and Flood 1995, "MaxScore").

Everything is summed roughly first, in single precision and in whatever order is fast; passages that come within a hair
of the threshold are summed again in double precision and in one order, so that a passage has the same score whatever is
excluded, however many are asked for, and wherever a merge has put it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.lexical.blocks import FREQUENCY, PLACE, PLACE_BITS

Doubles = NDArray[np.float64]
Singles = NDArray[np.float32]
Indices = NDArray[np.int64]

#: With fewer postings than this in a segment, sorting their places beats going through all its places.
FEW_POSTINGS = 3_000
#: A row with more postings is looked up rather than summed where that is enough.
SHORT_ROW = 3_000
#: A row is spread out for looking up rather than searched when it has fewer than so many postings a passage looked up.
SCATTER = 16
#: How far single precision may be off, as a share of the threshold.
HAIR = 1e-4


def idf(passages: int, having: int) -> float:
    """The weight of a term that ``having`` of ``passages`` hold; never negative."""
    return math.log(1 + (passages - having + 0.5) / (having + 0.5))


@dataclass(frozen=True)
class Norms:
    """The part of BM25's denominator that depends on a passage's length."""

    k1: float
    b: float
    average: float

    def of(self, lengths: NDArray[np.uint16]) -> Singles:
        """One value a passage."""
        factor = self.k1 * self.b / self.average if self.average else 0.0
        return (lengths * factor + self.k1 * (1 - self.b)).astype(np.float32)


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

    def at(self, places: Indices) -> NDArray[np.uint8]:
        """The frequency in each of these passages."""
        tf = np.frombuffer(self.frequencies, FREQUENCY)
        if self.places is None:
            return tf[places]
        held = np.frombuffer(self.places, PLACE)
        if SCATTER * len(places) > len(held):
            everywhere = np.zeros(1 << PLACE_BITS, FREQUENCY)
            everywhere[held] = tf
            return everywhere[places]
        found = np.minimum(np.searchsorted(held, places.astype(PLACE)), len(held) - 1)
        return np.where(held[found] == places, tf[found], FREQUENCY.type(0))


@dataclass
class Best:
    """The ``k`` highest scores seen, ties to the earlier segment and place."""

    k: int
    threshold: float = 0.0
    scores: Doubles = field(default_factory=lambda: np.empty(0))
    segments: Indices = field(default_factory=lambda: np.empty(0, np.int64))
    places: Indices = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def highest(self) -> float:
        """The highest score seen; 0 before any."""
        return float(self.scores[0]) if len(self.scores) else 0.0

    def offer(self, segment: int, places: Indices, scores: Doubles) -> None:
        """Take in what scores above the threshold; segments come in order."""
        scores = np.concatenate([self.scores, scores])
        segments = np.concatenate([self.segments, np.full(len(places), segment)])
        places = np.concatenate([self.places, places])
        order = np.lexsort((places, segments, -scores))[: self.k]
        self.scores, self.segments, self.places = scores[order], segments[order], places[order]
        if len(order) == self.k:
            self.threshold = float(self.scores[-1])


def score_segment(
    rows: Sequence[Row], norm: Singles, mask: NDArray[np.bool_] | None, best: Best
) -> tuple[Indices, Doubles]:
    """Places and scores of the visible passages that may be among the ``best``: all that score above its threshold.

    ``norm``: see ``Norms``, one a passage of the segment. ``mask``: which are visible; None: all.
    """
    small = [row for row in rows if row.places is not None and row.count <= SHORT_ROW]
    large = sorted((row for row in rows if row.places is None or row.count > SHORT_ROW), key=lambda row: -row.weight)
    needed = _needed(large, best.threshold)
    places, sums = _sum_small(small, norm, fully=bool(needed))
    rough: NDArray[np.floating] = sums
    if needed:
        rough = sums.astype(np.float32)
        needed = _add_needed(rough, large, norm, mask, best)
    rest = sum(row.weight for row in large[needed:])
    kept = _visible(rough, places, mask, best.threshold, rest)
    near = rough[kept]
    within = _within_reach(near, best.k, best.threshold, rest)
    for row in large[needed:]:
        kept, near = kept[within], near[within]
        at = kept if places is None else places[kept]
        tf = row.at(at)
        near = near + row.weight * tf / (tf + norm[at])
        rest -= row.weight
        within = _within_reach(near, best.k, best.threshold, rest)
    kept = kept[within]
    at = kept if places is None else places[kept]
    scores = _exact(sums[kept], large, at, norm)
    above = scores > best.threshold
    return at[above], scores[above]


def _exact(sums: Doubles, large: Sequence[Row], places: Indices, norm: Singles) -> Doubles:
    """Scores of a few passages from what short rows added, in double precision and in the order of the query."""
    for row in sorted(large, key=lambda row: row.group):
        tf = row.at(places).astype(np.float64)
        sums = sums + row.weight * tf / (tf + norm[places])
    return sums


def _needed(large: Sequence[Row], threshold: float) -> int:
    """How many of the rows, which come by falling weight, can lift a passage over the threshold that has none
    before.
    """
    rest = 0.0
    for number in range(len(large), 0, -1):
        rest += large[number - 1].weight
        if rest >= threshold * (1 - HAIR):
            return number
    return 0


def _sum_small(rows: Sequence[Row], norm: Singles, fully: bool) -> tuple[Indices | None, Doubles]:
    """Sums of short rows, in double precision and in the order given: of the places that have any, ascending, or where
    there are many or ``fully`` is asked for, of all places (then None)."""
    places = np.frombuffer(b"".join(row.places or b"" for row in rows), PLACE)
    tf = np.frombuffer(b"".join(row.frequencies for row in rows), FREQUENCY).astype(np.float64)
    weights = np.repeat(np.array([row.weight for row in rows]), [row.count for row in rows])
    added = weights * tf / (tf + norm[places])
    if fully or len(places) > FEW_POSTINGS:
        return None, np.bincount(places, added, minlength=len(norm)).astype(np.float64, copy=False)
    order = np.argsort(places, kind="stable")  # a radix sort, for numbers of two bytes
    held = places[order].astype(np.int64)
    starts = np.flatnonzero(np.diff(held, prepend=-1))
    sums: Doubles = np.add.reduceat(added[order], starts) if len(starts) else added
    return held[starts], sums


def _add_needed(sums: Singles, large: Sequence[Row], norm: Singles, mask: NDArray[np.bool_] | None, best: Best) -> int:
    """Add to the sums of all places, in single precision, what the needed rows add, and return how many these were.

    After the first one, which is the rarest, enough passages that hold it may be known to make the others needless.
    """
    done = 0
    threshold = best.threshold
    while done < _needed(large, threshold):
        row = large[done]
        tf: Singles = np.frombuffer(row.frequencies, FREQUENCY).astype(np.float32)
        if row.places is None:
            added = tf + norm
            np.divide(tf, added, out=added)
            added *= np.float32(row.weight)
            sums += added
        else:
            places = np.frombuffer(row.places, PLACE)
            sums[places] += np.float32(row.weight) * tf / (tf + norm[places])
            if not done:
                known = sums[places] if mask is None else sums[places[mask[places]]]
                if len(known) >= best.k:
                    threshold = max(threshold, float(np.partition(known, len(known) - best.k)[-best.k]) * (1 - HAIR))
        done += 1
    return done


def _visible(
    rough: NDArray[np.floating],
    places: Indices | None,
    mask: NDArray[np.bool_] | None,
    threshold: float,
    rest: float,
) -> Indices:
    """Indices into ``rough`` of visible passages that ``rest`` more could lift over the threshold."""
    reach = rough > max(0.0, threshold * (1 - HAIR) - rest)
    if mask is not None:
        reach &= mask if places is None else mask[places]
    return np.flatnonzero(reach)


def _within_reach(sums: NDArray[np.floating], k: int, threshold: float, rest: float) -> Indices:
    """Indices of those that ``rest`` more could lift over the threshold and among the ``k`` best."""
    least = threshold
    if len(sums) > k:
        least = max(least, float(np.partition(sums, len(sums) - k)[len(sums) - k]))
    return np.flatnonzero(sums >= least * (1 - HAIR) - rest)


def merge_spellings(rows: Sequence[Row], segment_count: int) -> Row:
    """Rows of one word's spellings as one row: a passage counts once, with its highest frequency.

    A text with a dagger alef is stored under both its spellings, so adding them up would count it twice.
    """
    merged = np.zeros(segment_count, FREQUENCY)
    for row in rows:
        places, tf = row.arrays()
        merged[places] = np.maximum(merged[places], tf)
    if any(row.places is None for row in rows):
        return Row(rows[0].group, rows[0].weight, int(np.count_nonzero(merged)), None, merged.tobytes())
    held = np.flatnonzero(merged).astype(PLACE)
    return Row(rows[0].group, rows[0].weight, len(held), held.tobytes(), merged[held].tobytes())
