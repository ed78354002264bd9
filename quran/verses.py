"""Verses for whoever asks: from the Quran Foundation where its credentials are set and it answers, else as packaged."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from quran.foundation import FoundationUnavailable, OnlineVerse, configured
from quran.models import Surah, Verse
from quran.verse_keys import MAX_VERSES, VerseRange

log = logging.getLogger(__name__)

#: Seconds that the online service may take at most, and those that are left to the packaged text in any case.
ONLINE_SECONDS = 8.0
SPARE_SECONDS = 1.0

Locale = Literal["ar", "en"]


class QuranNotLoaded(Exception):
    """The tables of the Quran are empty: ``manage.py load_quran`` fills them."""


class Source(StrEnum):
    """Who spoke."""

    PACKAGED = "packaged"
    QURAN_FOUNDATION = "quran_foundation"


@dataclass(frozen=True, slots=True)
class SpokenVerse:
    """A verse with the words of its source."""

    verse: Verse
    text: str
    translation: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """Consecutive verses of one surah, all from one source."""

    wanted: VerseRange
    surah: Surah
    verses: list[SpokenVerse]
    source: Source


@dataclass(frozen=True, slots=True)
class QuranVerses:
    """What ``get_quran_verses`` answers, and who spoke."""

    surah_name: str
    surah_name_arabic: str
    surah_number: int
    verse_start: int
    verse_end: int
    verse_text: str
    translation: str | None
    juz: int
    revelation: str
    source: Source

    def as_contract(self) -> dict[str, str | int | None]:
        """The contract's fields by its names."""
        return {
            "surahName": self.surah_name,
            "surahNameArabic": self.surah_name_arabic,
            "surahNumber": self.surah_number,
            "verseStart": self.verse_start,
            "verseEnd": self.verse_end,
            "verseText": self.verse_text,
            "translation": self.translation,
            "juz": self.juz,
            "revelation": self.revelation,
        }


def get_verses(wanted: VerseRange, locale: Locale, deadline: float) -> QuranVerses:
    """The verses of a key that ``parse_verse_key`` has read, in the contract's shape.

    ``deadline`` is the ``time.monotonic()`` by which to be done. Costs one query. Raises QuranNotLoaded.
    """
    spoken = speak(wanted, deadline)
    surah = spoken.surah
    return QuranVerses(
        surah_name=surah.label(locale),
        surah_name_arabic=surah.name_ar,
        surah_number=surah.number,
        verse_start=wanted.first,
        verse_end=wanted.last,
        verse_text=" ".join(verse.text for verse in spoken.verses),
        translation=" ".join(verse.translation for verse in spoken.verses) if locale == "en" else None,
        juz=spoken.verses[0].verse.juz,
        revelation=surah.revelation,
        source=spoken.source,
    )


def speak(wanted: VerseRange, deadline: float) -> Spoken:
    """The verses of a range with text and translation, from the source that answers. Raises QuranNotLoaded."""
    rows = list(Verse.objects.in_range(wanted.surah, wanted.first, wanted.last).select_related("surah"))
    if len(rows) != len(wanted):
        raise QuranNotLoaded(f"there are {len(rows)} verses in {wanted}")
    online = _online(wanted, rows, deadline)
    if online is None:
        verses = [SpokenVerse(row, row.text, row.translation) for row in rows]
        return Spoken(wanted, rows[0].surah, verses, Source.PACKAGED)
    verses = [SpokenVerse(row, said.text, said.translation) for row, said in zip(rows, online, strict=True)]
    return Spoken(wanted, rows[0].surah, verses, Source.QURAN_FOUNDATION)


def _online(wanted: VerseRange, rows: list[Verse], deadline: float) -> list[OnlineVerse] | None:
    """What the Quran Foundation says; None when it is not to be asked, or does not answer as it should.

    A permalink may name a whole surah; more verses than a call may have are not asked for.
    """
    service = configured()
    if service is None or len(wanted) > MAX_VERSES:
        return None
    until = min(deadline - SPARE_SECONDS, time.monotonic() + ONLINE_SECONDS)
    try:
        return service.verses(wanted, [row.text for row in rows], until)
    except FoundationUnavailable as failure:
        log.warning("quran foundation: %s; the packaged text answers for %s", failure, wanted)
        return None
