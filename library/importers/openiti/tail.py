"""A tail of notes brought back to the pages it belongs to, as the text goes by.

Where the tail names pages, a note goes to the first page of that number; where it does not, ``alignment`` tells.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

from ..drafts import NoteBlock, PageBreak, Span
from .alignment import ASCII_DIGITS, PageWords, place_notes
from .findings import Tally
from .notes import OpenNote, read_tail
from .pages import PageKey, key_of


@cache
def _reference_to(mark: str) -> re.Pattern[str]:
    digits = re.sub(r"\D", "", mark).translate(ASCII_DIGITS)
    return re.compile(rf"\({digits}\)" if mark.startswith("(") else rf"(?<![\d/]){digits}(?= ?-)")


class NotesTail:
    """The notes after a text, handed out page by page."""

    def __init__(self, lines: Iterable[tuple[int, str]], body: Iterable[tuple[int, str]], tally: Tally) -> None:
        """``body`` is read only if the tail names no pages."""
        self._tally = tally
        self._by_key: dict[PageKey, list[OpenNote]] = defaultdict(list)
        self._by_ordinal: dict[int, list[OpenNote]] = defaultdict(list)
        self._loose: list[OpenNote] = []
        self._unreferred: dict[int, list[str]] = defaultdict(list)
        for key, note in read_tail(lines, tally):
            (self._loose if key is None else self._by_key[key]).append(note)
        if self._loose and not self._by_key:
            self._place(PageWords.of_lines(body))

    def _place(self, words: PageWords) -> None:
        notes, self._loose = self._loose, []
        for note, page in zip(notes, place_notes(notes, words), strict=True):
            if page is None:
                self._loose.append(note)
            else:
                self._by_ordinal[page + 1].append(note)
                if re.search(r"\d", note.mark):
                    self._unreferred[page + 1].append(note.mark)
                self._tally.add("notes-placed", note.line, " ".join(note.paragraphs[0]))

    def references(self, ordinal: int, text: str, start: int, end: int) -> Iterator[Span]:
        """Where the notes of page ``ordinal`` are referred to in ``text[start:end]``, a part of that page.

        ``(1)`` where the text has it; of ``2 -``, a note on the hadith of that number, the number. Each once.
        """
        wanted = self._unreferred.get(ordinal)
        if not wanted:
            return
        text = text.translate(ASCII_DIGITS)
        for mark in list(wanted):
            found = _reference_to(mark).search(text, start, end)
            if found is not None:
                wanted.remove(mark)
                yield Span("note_ref", *found.span(), mark)

    def of_page(self, ordinal: int, page: PageBreak) -> Iterator[NoteBlock]:
        """The notes of the page that ``page`` closes, the ``ordinal``-th of the book; each is given once."""
        for note in (*self._by_key.pop(key_of(page), ()), *self._by_ordinal.pop(ordinal, ())):
            yield note.block(ordinal, self._tally)

    def left(self) -> Iterator[OpenNote]:
        """What no page of the text took, in the order of the tail."""
        named = (note for notes in self._by_key.values() for note in notes)
        yield from sorted((*self._loose, *named), key=lambda note: note.line)
