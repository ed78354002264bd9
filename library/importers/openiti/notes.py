"""Footnotes: those at the foot of their page, and those gathered in a tail at the end of the book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..drafts import NoteBlock, PageBreak
from .findings import Tally
from .markup import read_inline
from .pages import NUMBER, VOLUME, page_break

RULE = re.compile(r"_{5,}")
"""A run of underscores: the rule between a page's text and its footnotes."""

MARK = re.compile(
    r"(?P<mark>\(¬?\s*[0-9٠-٩*]{1,4}\s*\)|\[¬?[0-9٠-٩]{1,3}\]|«[0-9٠-٩]{1,3}»|[0-9٠-٩]{1,4}\s*[-–]|\*{1,3})(?:\s+|(?=\w))"
)
SHAMELA_MARK = re.compile(r"\(¬\s*[^()\s]{1,8}\s*\)")
"""A mark that is nothing else: at the start of a paragraph it makes it a footnote."""

PAGE_NAMED = re.compile(rf"PageV(?P<vol>{VOLUME})P(?P<num>{NUMBER})(?P<suffix>[A-Za-z]?)\s*:?")

PageKey = tuple[str | None, int | None, str]


def mark_of(text: str) -> tuple[str, str]:
    """A footnote's mark as printed (``(1)``, without the sign ¬), and the rest; an empty mark when it has none."""
    match = MARK.match(text) or SHAMELA_MARK.match(text)
    if match is None:
        return "", text
    return re.sub(r"[\s¬]", "", match[0]), text[match.end() :]


@dataclass(slots=True)
class OpenNote:
    """A footnote being read: its paragraphs, each of lines."""

    mark: str
    line: int
    paragraphs: list[list[str]] = field(default_factory=list)

    @classmethod
    def begun(cls, text: str, line: int) -> OpenNote:
        """A note whose first line is ``text``."""
        mark, rest = mark_of(text)
        return cls(mark, line, [[rest]])

    def block(self, page: int | None, tally: Tally) -> NoteBlock:
        """The note read, its paragraphs a line each."""
        texts = [read_inline(" ".join(lines), self.line, tally).text for lines in self.paragraphs]
        return NoteBlock(self.mark, "\n".join(text for text in texts if text), self.line, page)


class NotesTail:
    """The notes after ``#####ENDNOTES#``, to be handed out page by page as the text goes by.

    Where the tail names pages (``PageV01P027:``) their notes go to the first page of that number.
    """

    def __init__(self, lines: Iterable[tuple[int, str]], tally: Tally) -> None:
        self._tally = tally
        self._by_page: dict[PageKey, list[OpenNote]] = {}
        self._loose: list[OpenNote] = []
        self._read(lines)

    def _read(self, lines: Iterable[tuple[int, str]]) -> None:
        notes = self._loose
        for number, line in lines:
            text = line.strip()
            if not text:
                continue
            named = PAGE_NAMED.fullmatch(text)
            if named is not None:
                page = page_break(named["vol"], named["num"], named["suffix"], number)
                self._tally.add("note-page-mark", number, text)
                notes = self._by_page.setdefault((page.vol, page.number, page.suffix), [])
            elif text.startswith("~~") and notes:
                notes[-1].paragraphs[-1].append(text[2:].strip())
            else:
                self._paragraph(notes, text.removeprefix("~~").removeprefix("# ").strip(), number)

    @staticmethod
    def _paragraph(notes: list[OpenNote], text: str, number: int) -> None:
        if notes and not mark_of(text)[0]:
            notes[-1].paragraphs.append([text])
        else:
            notes.append(OpenNote.begun(text, number))

    def of_page(self, ordinal: int, page: PageBreak) -> Iterator[NoteBlock]:
        """The notes of the page that ``page`` closes, the ``ordinal``-th of the book; each is given once."""
        for note in self._by_page.pop((page.vol, page.number, page.suffix), ()):
            yield note.block(ordinal, self._tally)

    def left(self) -> Iterator[NoteBlock]:
        """What no page of the text took, in the order of the tail."""
        rest = [*self._loose, *(note for notes in self._by_page.values() for note in notes)]
        for note in sorted(rest, key=lambda note: note.line):
            yield note.block(None, self._tally)
