"""Finding verses: by reference, by the name of a surah, by Arabic words, by English ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quran.models import Surah, Verse, VerseQuerySet
from quran.references import Reference, parse_reference, surahs

_ARABIC = re.compile("[\u0621-\u064a\u0671-\u06d3]")
#: Code points of a query that are looked at; no verse has as many (2:282: 1,209).
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Found:
    """What a query finds. ``verses`` are not read yet: count or slice them.

    ``reference`` is set when the query is one; ``surah`` when it is the name of one.
    """

    reference: Reference | None
    surah: Surah | None
    verses: VerseQuerySet
    in_arabic: bool


def find(query: str) -> Found:
    """What ``query`` finds; any string is a query."""
    query = query.strip()[:LONGEST]
    reference = parse_reference(query)
    in_arabic = bool(_ARABIC.search(query))
    verses = Verse.objects.saying(query) if in_arabic else Verse.objects.translated_as(query)
    surah = surahs().get(reference.surah) if reference else None
    return Found(reference, surah, verses.with_surah(), in_arabic)
