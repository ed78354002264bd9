"""Quotations of the Quran in the books: found between their marks, matched to verses, linked.

The whole text is kept in the process, word by word in all spellings it is asked for (about 25 MB), so that a page costs
no query. A quotation matches when each of its words, in any spelling, stands at its place; it may begin and end within
verses and run over several of a surah.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext

from library.arabic import QueryWord, query_words
from library.ports import Annotation
from library.templatetags.qaf import numerals
from quran.models import Verse
from quran.references import surah_named, surahs
from quran.verse_keys import VerseRange

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from library.models import Passage

#: Words a quotation has at least, unless it stands at one place of the Quran only.
LEAST_WORDS = 3
#: Code points between the marks at most; more is a slip of the pen that opened a quotation.
LONGEST = 4000

_MARKED = re.compile(rf"[﴿﴾{{]([^﴿﴾{{}}]{{2,{LONGEST}}})[﴿﴾}}]")
_ELLIPSIS = re.compile(r"\.{2,}|…")
#: A reference behind a quotation: ``[البقرة: 255]``, ``(سورة البقرة الآية 255)``.
_CITED = re.compile(r"[﴿﴾}\s]*[\[(]\s*(?:سورة\s+)?(\D{1,25}?)\s*[:،/]?\s*(?:الآية|آية)?\s*:?\s*([0-9٠-٩]{1,3})")
_LEXEME = re.compile(r"'([^']+)':([\d,]+)")


@dataclass(frozen=True, slots=True)
class Quoted:
    """Where a quotation stands: the verses, and at how many other places the same words stand."""

    verses: VerseRange
    elsewhere: int


class VerseIndex:
    """The words of the Quran by place. ``rows``: (surah, number, search words as stored) of all verses in order."""

    def __init__(self, rows: Iterator[tuple[int, int, str]]) -> None:
        self._forms: list[tuple[str, ...]] = []
        self._verse_of = array("H")
        self._verses: list[tuple[int, int]] = []
        self._places: dict[str, array[int]] = {}
        for surah, number, words in rows:
            self._add(surah, number, words)

    def _add(self, surah: int, number: int, words: str) -> None:
        """Append a verse. Stems have no places and are passed over."""
        forms: dict[int, list[str]] = {}
        for form, positions in _LEXEME.findall(words):
            for position in positions.split(","):
                forms.setdefault(int(position), []).append(form)
        for position in range(1, max(forms) + 1):
            place = len(self._forms)
            self._forms.append(tuple(forms[position]))
            self._verse_of.append(len(self._verses))
            for form in forms[position]:
                self._places.setdefault(form, array("I")).append(place)
        self._verses.append((surah, number))

    def find(self, words: Sequence[QueryWord], cited: tuple[int, int] | None = None) -> Quoted | None:
        """The place of consecutive words; None when they stand nowhere, or are too few to tell.

        Of several places the one ``cited`` (surah, verse), else one of whole verses, else the first.
        """
        starts = self._starts([word.forms for word in words])
        if not starts or (len(words) < LEAST_WORDS and len(starts) > 1):
            return None
        best = min(
            starts,
            key=lambda start: (not self._is_cited(start, len(words), cited), self._cuts(start, len(words)), start),
        )
        surah, first = self._verses[self._verse_of[best]]
        last = self._verses[self._verse_of[best + len(words) - 1]][1]
        return Quoted(VerseRange(surah, first, last), len(starts) - 1)

    def _starts(self, asked: list[tuple[str, ...]]) -> list[int]:
        """Places at which all of ``asked`` begin, within one surah."""
        if not asked:
            return []
        known = [[self._places[form] for form in forms if form in self._places] for forms in asked]
        rarest = min(range(len(asked)), key=lambda number: sum(map(len, known[number])))
        end = len(self._forms) - len(asked)
        starts = sorted({place - rarest for places in known[rarest] for place in places})
        return [start for start in starts if 0 <= start <= end and self._stands(start, asked)]

    def _stands(self, start: int, asked: list[tuple[str, ...]]) -> bool:
        forms = self._forms
        return self._surah(start) == self._surah(start + len(asked) - 1) and all(
            any(form in forms[start + number] for form in wanted) for number, wanted in enumerate(asked)
        )

    def _surah(self, place: int) -> int:
        return self._verses[self._verse_of[place]][0]

    def _is_cited(self, start: int, length: int, cited: tuple[int, int] | None) -> bool:
        if cited is None:
            return False
        first, last = self._verse_of[start], self._verse_of[start + length - 1]
        return self._verses[first] <= cited <= self._verses[last]

    def _cuts(self, start: int, length: int) -> int:
        """How many ends of the quotation lie within a verse."""
        verse_of, end = self._verse_of, start + length
        begins = start == 0 or verse_of[start - 1] != verse_of[start]
        ends = end == len(verse_of) or verse_of[end] != verse_of[end - 1]
        return (not begins) + (not ends)


_index: VerseIndex | None = None
_loading = threading.Lock()


def index() -> VerseIndex | None:
    """The index of this process, made when first needed (two queries); None while the Quran is not loaded."""
    global _index
    if _index is None:
        with _loading:
            if _index is None:
                rows = list(Verse.objects.order_by("id").values_list("surah_id", "number", "words"))
                if rows:
                    _index = VerseIndex(iter(rows))
    return _index


def forget() -> None:
    """Make the index anew next time."""
    global _index
    _index = None


def annotate(passages: list[Passage]) -> dict[UUID, list[Annotation]]:
    """Links from the quotations of passages to their verses: what ``library.ports.passage_annotators`` calls."""
    found: dict[UUID, list[Annotation]] = {}
    for passage in passages:
        for start, end in _marked(passage):
            if links := _links(passage.text, start, end):
                found.setdefault(passage.pk, []).extend(links)
    return found


def _marked(passage: Passage) -> list[tuple[int, int]]:
    """Where quotations stand in a passage, without overlap: between marks, and where the source said so."""
    ranges = [(match.start(1), match.end(1)) for match in _MARKED.finditer(passage.text)]
    ranges += [(int(span["from"]), int(span["to"])) for span in passage.spans if span["kind"] == "quran"]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(ranges, key=lambda place: (place[0], -place[1])):
        if start < end and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _links(text: str, start: int, end: int) -> list[Annotation]:
    """The links of one quotation; where it leaves words out, each part has its own."""
    verses = index()
    if verses is None:
        return []
    cited = _cited(text[end : end + 60])
    cuts = [start, *(at for gap in _ELLIPSIS.finditer(text, start, end) for at in gap.span()), end]
    links = []
    for first, last in zip(cuts[::2], cuts[1::2], strict=True):
        # Numbers of verses stand between them in some books.
        words = [word for word in query_words(text[first:last]) if not word.forms[0].isdecimal()]
        if quoted := verses.find(words, cited):
            links.append(_link(first + words[0].start, first + words[-1].end, quoted))
    return links


def _cited(after: str) -> tuple[int, int] | None:
    """The surah and verse that a book names behind a quotation."""
    match = _CITED.match(after)
    surah = surah_named(match[1]) if match else None
    return (surah, int(match[2])) if match and surah else None


def _link(start: int, end: int, quoted: Quoted) -> Annotation:
    surah, first, last = quoted.verses.surah, quoted.verses.first, quoted.verses.last
    numbers = str(first) if first == last else f"{first}-{last}"
    title = f"{surahs()[surah].label()} {numerals(f'{surah}:{numbers}')}"
    if quoted.elsewhere:
        title = gettext("%(place)s, and elsewhere") % {"place": title}
    return Annotation(start, end, reverse("quran:verses", args=[surah, numbers]), title, "verse")
