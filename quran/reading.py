"""What one screen of the Quran shows: a page of the mushaf, a juz, a surah, or some verses. Each costs one query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from django.urls import reverse

from quran.data.facts import MUSHAF_PAGES, SURAHS
from quran.data.widths import SET_IN_THE_MIDDLE, SHORT_LAST_LINES
from quran.models import Surah, Verse
from quran.models import VerseQuerySet as Verses
from quran.verse_keys import VERSE_COUNTS, VerseRange
from quran.verses import QuranNotLoaded, Source, Spoken, SpokenVerse, speak

JUZ = 30

Kind = Literal["page", "juz", "surah", "verses"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Verses that run on in one another; ``centred``: their lines are set in the middle, not to the full width."""

    verses: list[SpokenVerse]
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive verses of one surah. ``basmalah`` stands above them where the surah begins and has one."""

    surah: Surah
    verses: list[SpokenVerse]
    basmalah: str

    @property
    def opens(self) -> bool:
        """Whether the surah begins here."""
        return self.verses[0].verse.number == 1

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Its verses as a page of the mushaf sets them: a short last line by itself."""
        surah, last = self.surah.number, self.verses[-1].verse
        ends = last.number == self.surah.verse_count
        if not (ends and surah in SHORT_LAST_LINES):
            return [Paragraph(self.verses, centred=ends and surah in SET_IN_THE_MIDDLE)]
        at = max(place for place, said in enumerate(self.verses) if 0 in said.verse.lines)
        return [*([Paragraph(self.verses[:at])] if at else []), Paragraph(self.verses[at:], centred=True)]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A screen. ``number`` is that of the page, juz or surah; the addresses are None at the ends of the Quran."""

    kind: Kind
    number: int
    groups: list[Group]
    address: str
    previous: str | None
    next: str | None
    source: Source = Source.PACKAGED
    wanted: VerseRange | None = None

    @property
    def first(self) -> Verse:
        """Its first verse."""
        return self.groups[0].verses[0].verse

    @property
    def last(self) -> Verse:
        """Its last verse."""
        return self.groups[-1].verses[-1].verse

    @property
    def surahs(self) -> list[Surah]:
        """The surahs it holds verses of."""
        return [group.surah for group in self.groups]


def open_page(number: int) -> Leaf:
    """A page of the Madinah mushaf, 1–604. Raises QuranNotLoaded."""
    return _leaf("page", number, MUSHAF_PAGES, Verse.objects.on_page(number))


def open_juz(number: int) -> Leaf:
    """A juz, 1–30. Raises QuranNotLoaded."""
    return _leaf("juz", number, JUZ, Verse.objects.in_juz(number))


def open_surah(number: int) -> Leaf:
    """A surah, 1–114. Raises QuranNotLoaded."""
    return _leaf("surah", number, SURAHS, Verse.objects.whole_surah(number))


def _leaf(kind: Kind, number: int, last: int, verses: Verses) -> Leaf:
    """One of a series numbered from 1 to ``last``."""
    groups = _groups(verses.with_surah().with_basmalah())
    if not groups:
        raise QuranNotLoaded(f"there are no verses of {kind} {number}")

    def address(other: int) -> str:
        return reverse(f"quran:{kind}", args=[other])

    return Leaf(
        kind=kind,
        number=number,
        groups=groups,
        address=address(number),
        previous=address(number - 1) if number > 1 else None,
        next=address(number + 1) if number < last else None,
    )


def _groups(verses: Iterable[Verse]) -> list[Group]:
    """Verses in order, as packaged, by surah."""
    found = []
    for _, together in groupby(verses, key=lambda verse: verse.surah_id):
        rows = list(together)
        spoken = [SpokenVerse(row, row.text, row.translation) for row in rows]
        surah = rows[0].surah
        basmalah = rows[0].basmalah if rows[0].number == 1 and surah.has_basmalah else ""
        found.append(Group(surah, spoken, basmalah))
    return found


def open_verses(wanted: VerseRange, deadline: float) -> Leaf:
    """Verses of one surah, from the source that answers by ``deadline``. Raises QuranNotLoaded."""
    spoken: Spoken = speak(wanted, deadline)
    before, after = _beside(wanted)
    return Leaf(
        kind="verses",
        number=wanted.surah,
        groups=[Group(spoken.surah, spoken.verses, "")],
        address=address_of(wanted),
        previous=before,
        next=after,
        source=spoken.source,
        wanted=wanted,
    )


def address_of(wanted: VerseRange) -> str:
    """The permalink of verses."""
    numbers = str(wanted.first) if wanted.first == wanted.last else f"{wanted.first}-{wanted.last}"
    return reverse("quran:verses", args=[wanted.surah, numbers])


def _beside(wanted: VerseRange) -> tuple[str | None, str | None]:
    """The addresses of the verse before and the verse after, in the neighbouring surah where one ends."""
    before = after = None
    if wanted.first > 1:
        before = (wanted.surah, wanted.first - 1)
    elif wanted.surah > 1:
        before = (wanted.surah - 1, VERSE_COUNTS[wanted.surah - 2])
    if wanted.last < VERSE_COUNTS[wanted.surah - 1]:
        after = (wanted.surah, wanted.last + 1)
    elif wanted.surah < SURAHS:
        after = (wanted.surah + 1, 1)
    return (
        reverse("quran:verses", args=[before[0], str(before[1])]) if before else None,
        reverse("quran:verses", args=[after[0], str(after[1])]) if after else None,
    )
