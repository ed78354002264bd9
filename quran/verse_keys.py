"""Verse keys: ``2:255`` and ``2:255-257``, as people type them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from library.arabic import to_ascii_digits

from .data.facts import SURAHS

MAX_VERSES = 50
_KEY = re.compile(r"(\d{1,4})\s*:\s*(\d{1,4})(?:\s*[-–—]\s*(\d{1,4}))?", re.ASCII)

# Verses in each surah, so that a key can be judged without a database; ``quran.packages`` checks the same counts.
VERSE_COUNTS: tuple[int, ...] = (
    7, 286, 200, 176, 120, 165, 206, 75, 129, 109, 123, 111, 43, 52, 99, 128, 111, 110, 98, 135, 112, 78, 118, 64,
    77, 227, 93, 88, 69, 60, 34, 30, 73, 54, 45, 83, 182, 88, 75, 85, 54, 53, 89, 59, 37, 35, 38, 29, 18, 45, 60, 49,
    62, 55, 78, 96, 29, 22, 24, 13, 14, 11, 11, 18, 12, 12, 30, 52, 52, 44, 28, 28, 20, 56, 40, 31, 50, 40, 46, 42,
    29, 19, 36, 25, 22, 17, 19, 26, 30, 20, 15, 21, 11, 8, 8, 19, 5, 8, 8, 11, 11, 8, 3, 9, 5, 4, 7, 3, 6, 3, 5, 4,
    5, 6,
)  # fmt: skip


class InvalidVerseKey(ValueError):
    """A key that names no real verse; the message is the rule it breaks, to stand after the field's name."""


@dataclass(frozen=True, slots=True)
class VerseRange:
    """Verses ``first`` to ``last`` of one surah, both included."""

    surah: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.surah}:{self.first}" + (f"-{self.last}" if self.last != self.first else "")

    def __len__(self) -> int:
        return self.last - self.first + 1


def parse_verse_key(text: str, *, limit: int | None = MAX_VERSES) -> VerseRange:
    """The verses that ``text`` names: digits of any script, spaces allowed, at most ``limit`` verses of one surah.

    Raises:
        InvalidVerseKey: the rule that is broken.
    """
    match = _KEY.fullmatch(to_ascii_digits(text).strip())
    if match is None:
        raise InvalidVerseKey("must be a surah and verse like 2:255, or a range in one surah like 2:255-257")
    surah, first = int(match[1]), int(match[2])
    last = int(match[3]) if match[3] else first
    if not 1 <= surah <= SURAHS:
        raise InvalidVerseKey(f"must name a surah from 1 to {SURAHS}")
    count = VERSE_COUNTS[surah - 1]
    if not (1 <= first <= count and 1 <= last <= count):
        raise InvalidVerseKey(f"must name verses from 1 to {count} in surah {surah}")
    if last < first:
        raise InvalidVerseKey("must end at or after the verse it begins with")
    if limit is not None and last - first + 1 > limit:
        raise InvalidVerseKey(f"must name at most {limit} verses")
    return VerseRange(surah, first, last)
