"""Texts without meaning whose words are as frequent as those of real books, and queries for them.

The frequencies by rank were counted in fifteen OpenITI books (1.29 million words, folded): the commonest word is in
94 % of all pieces of 200 words, half of the vocabulary occurs once. Between the counted ranks they are interpolated,
and beyond the last they fall as they did before it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

#: Rank and share of all words, as counted.
COUNTED = (
    (1, 2.2e-2),
    (2, 2.18e-2),
    (5, 1.55e-2),
    (10, 8.5e-3),
    (20, 4.5e-3),
    (50, 1.9e-3),
    (100, 9.7e-4),
    (200, 5.0e-4),
    (500, 2.2e-4),
    (1_000, 1.05e-4),
    (2_000, 5.1e-5),
    (5_000, 1.94e-5),
    (10_000, 8.5e-6),
    (20_000, 3.9e-6),
    (50_000, 1.55e-6),
    (100_000, 7.0e-7),
    (1_000_000, 5.0e-8),
)
#: Letters that no affix has, so that stemming finds the words' kinship and nothing else.
LETTERS = "جحخدذرزسشصضطظعغقمثءش"
PREFIXES = ("", "ال", "و")
#: Passages that are drawn at a time; what a passage says does not depend on how many are asked for.
BATCH = 1_000


def word(rank: int) -> str:
    """The word of a rank, from 0; three neighbours share a stem."""
    stem, form = divmod(rank, len(PREFIXES))
    letters = ""
    for _ in range(3) if stem < 16**3 else range(5):
        stem, letter = divmod(stem, 16)
        letters += LETTERS[letter]
    return PREFIXES[form] + letters


class Library:
    """A reproducible library of passages of 120 to 280 words."""

    def __init__(self, passages: int, vocabulary: int = 600_000, seed: int = 7) -> None:
        self.passages = passages
        self.seed = seed
        self.words = [word(rank) for rank in range(vocabulary)]
        ranks = np.arange(1, vocabulary + 1)
        known, shares = (np.log(column) for column in zip(*COUNTED, strict=True))
        frequencies = np.exp(np.interp(np.log(ranks), known, shares))
        self.cumulated: NDArray[np.float64] = np.cumsum(frequencies / frequencies.sum())

    def numbers(self, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ranks of the words of passages ``first`` to ``first + count - 1`` one after the other, and their lengths."""
        batches = range(first // BATCH, (first + count - 1) // BATCH + 1)
        words, lengths = zip(*map(self._batch, batches), strict=True)
        sizes = np.concatenate(lengths)
        ends = np.concatenate([[0], np.cumsum(sizes)])
        skipped = first - batches[0] * BATCH
        return np.concatenate(words)[ends[skipped] : ends[skipped + count]], sizes[skipped : skipped + count]

    def _batch(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        random = np.random.default_rng([self.seed, number])
        lengths = random.integers(120, 281, BATCH)
        return np.searchsorted(self.cumulated, random.random(int(lengths.sum()))), lengths

    def texts(self) -> Iterator[str]:
        """All passages in order."""
        for first in range(0, self.passages, BATCH):
            numbers, lengths = self.numbers(first, min(BATCH, self.passages - first))
            names = [self.words[number] for number in numbers.tolist()]
            end = 0
            for length in lengths.tolist():
                yield " ".join(names[end : end + length])
                end += length

    def query(self, ranks: list[int]) -> str:
        """The words of these ranks as a query."""
        return " ".join(self.words[rank] for rank in ranks)

    def rare_queries(self, count: int) -> list[str]:
        """Two to five words that a few passages in a thousand hold, or fewer."""
        random = np.random.default_rng(11)
        return [
            self.query(
                np.exp(random.uniform(np.log(1_000), np.log(30_000), random.integers(2, 6))).astype(int).tolist()
            )
            for _ in range(count)
        ]

    def common_queries(self, count: int) -> list[str]:
        """One or two words of the commonest fifty, and two to four of the commonest two thousand."""
        random = np.random.default_rng(12)
        return [
            self.query(
                [
                    *random.choice(50, random.integers(1, 3), replace=False).tolist(),
                    *(50 + random.choice(1_950, random.integers(2, 5), replace=False)).tolist(),
                ]
            )
            for _ in range(count)
        ]

    def long_queries(self, words: int, count: int) -> list[str]:
        """Texts of that many running words, as pasted."""
        return [self.query(self.numbers(10**9 + number, 2)[0][:words].tolist()) for number in range(count)]


def passage_id(number: int) -> uuid.UUID:
    """The id of a passage."""
    return uuid.UUID(int=number + 1)
