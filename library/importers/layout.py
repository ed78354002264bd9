"""Where pages, headings and notes lie in a book's text, told in code points of the whole text while it streams by.

The text of a book is that of its blocks, each ended by a newline; blocks of white space only are no part of it. A page
that a marker closes runs from the marker before it; a page that a marker opens runs to the marker after it. White space
at a page's beginning belongs to the page before, so that a page with no words has no code points.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .drafts import NoteBlock, PageBreak, TextBlock


class PageMark(NamedTuple):
    """A page marker before code point ``offset``."""

    offset: int
    vol: str | None
    number: int | None
    suffix: str
    closes: bool


class HeadingMark(NamedTuple):
    """A heading that begins at code point ``offset``."""

    offset: int
    level: int
    title: str
    kind: str


class NoteMark(NamedTuple):
    """A note: the code point it hangs on, whether its sign stands there, and how many page markers came before it."""

    offset: int
    signed: bool
    markers: int


class PageSpan(NamedTuple):
    """A page: code points ``start``–``end`` of the text; empty when the page has no words."""

    vol: str | None
    number: int | None
    suffix: str
    start: int
    end: int


@dataclass(slots=True)
class Layout:
    """Collects marks as blocks go by; ``length`` is the code point at which the next block begins."""

    length: int = 0
    pages: list[PageMark] = field(default_factory=list)
    headings: list[HeadingMark] = field(default_factory=list)
    _signs: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    """Signs of notes that no note has answered, by page (markers before it) and mark."""
    _answered: dict[tuple[int, str], int] = field(default_factory=dict)
    _markers_of_text: int = 0
    """Markers that stood before the last visible character."""

    def add_break(self, mark: PageBreak) -> None:
        """A page marker between blocks."""
        self._page(self.length, mark)

    def add_text(self, block: TextBlock) -> bool:
        """A block; returns whether it has text. One of white space only leaves nothing but its page markers."""
        visible = block.text.rstrip()
        if not visible:
            for _place, mark in block.breaks:
                self.add_break(mark)
            return False
        if block.kind == "heading" or block.title:
            title = " ".join((block.title or block.text).split())
            self.headings.append(HeadingMark(self.length, max(1, block.level), title, block.section_kind))
        signs = [(span.start, span.mark) for span in block.spans if span.kind == "note_ref"]
        events: list[tuple[int, PageBreak | str]] = sorted([*block.breaks, *signs], key=lambda event: event[0])
        for place, what in events:
            if isinstance(what, PageBreak):
                if place < len(visible):
                    self._markers_of_text = len(self.pages) + 1
                self._page(self.length + _past_space(block.text, place), what)
            else:
                self._signs.setdefault((len(self.pages), what), []).append(self.length + place)
        if not block.breaks:
            self._markers_of_text = len(self.pages)
        self.length += len(block.text) + 1
        return True

    def add_note(self, note: NoteBlock) -> NoteMark:
        """Where a note hangs: on its page's first sign with its mark that has no note, else the last, else the page."""
        closes = not self.pages or self.pages[0].closes
        if note.page is not None:
            markers = note.page - 1 if closes else note.page
        else:
            markers = self._markers_of_text if closes else len(self.pages)
        key = (markers, note.mark)
        if waiting := self._signs.get(key):
            self._answered[key] = waiting.pop(0)
        offset = self._answered.get(key)
        if offset is not None:
            return NoteMark(offset, True, markers)
        end = self.pages[markers].offset if markers < len(self.pages) else self.length
        return NoteMark(max(0, end - 1), False, markers)

    def _page(self, offset: int, mark: PageBreak) -> None:
        self.pages.append(PageMark(offset, mark.vol, mark.number, mark.suffix, mark.closes))


def _past_space(text: str, place: int) -> int:
    """``place`` moved past white space; past the newline when nothing else follows in the block."""
    rest = text[place : place + 20]
    if rest and not rest[0].isspace():
        return place
    rest = text[place:]
    return place + len(rest) - len(rest.lstrip()) if rest.strip() else len(text) + 1


def page_spans(marks: list[PageMark], length: int) -> tuple[list[PageSpan], int]:
    """The pages of a text of ``length`` code points, in order, and the index of the first that a marker stands for.

    Words after the last closing marker, or before the first opening one, are on a page without a number, in the volume
    of their neighbour.
    """
    if not marks:
        return [], 0
    if marks[0].closes:
        starts = [0, *(mark.offset for mark in marks)]
        pages = [PageSpan(m.vol, m.number, m.suffix, start, m.offset) for m, start in zip(marks, starts, strict=False)]
        if marks[-1].offset < length:
            pages.append(PageSpan(marks[-1].vol, None, "", marks[-1].offset, length))
        return pages, 0
    ends = [*(mark.offset for mark in marks[1:]), length]
    pages = [PageSpan(m.vol, m.number, m.suffix, m.offset, end) for m, end in zip(marks, ends, strict=True)]
    if marks[0].offset > 0:
        return [PageSpan(marks[0].vol, None, "", 0, marks[0].offset), *pages], 1
    return pages, 0


class Places:
    """Turns code points of the whole text into places of passages."""

    def __init__(self, starts: list[int], length: int) -> None:
        self._starts = starts
        self._length = length

    def of(self, offset: int) -> tuple[int, int]:
        """``(sequence_number, at)`` of a code point; the end of the last passage for one past the text."""
        index = max(0, bisect_right(self._starts, min(offset, self._length - 1)) - 1)
        return index, offset - self._starts[index]


def pages_of_passage(pages: list[PageSpan], first: int, start: int, end: int) -> tuple[list[dict[str, Any]], int]:
    """The pages on which code points ``start``–``end`` lie, each once, as ``Passage.pages`` has them.

    ``first`` is the index of a page that is not behind ``start``; also returned: that index for the next passage.
    """
    while first < len(pages) and pages[first].end <= start:
        first += 1
    found: list[dict[str, Any]] = []
    index = first
    while index < len(pages) and pages[index].start < end:
        page = pages[index]
        shown = {"vol": page.vol, "page": page.number}
        if page.start < page.end and shown not in found:
            found.append(shown)
        index += 1
    return found, first


def volumes_of(pages: list[tuple[str | None, int | None]]) -> list[dict[str, Any]]:
    """``Edition.volumes`` from its pages' ``(vol, number)`` in reading order.

    One entry a volume, in order of first appearance; ``first`` and ``last`` are its smallest and largest page number.
    """
    volumes: dict[str | None, dict[str, Any]] = {}
    for ordinal, (vol, number) in enumerate(pages, start=1):
        entry = volumes.setdefault(vol, {"vol": vol, "first": None, "last": None, "first_ordinal": ordinal, "pages": 0})
        entry["pages"] += 1
        if number is not None:
            entry["first"] = number if entry["first"] is None else min(entry["first"], number)
            entry["last"] = number if entry["last"] is None else max(entry["last"], number)
    return list(volumes.values())
