"""Footnotes as they are written: their marks, and the tail of them that may follow the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..drafts import NoteBlock
from .findings import Tally
from .markup import read_inline
from .pages import NUMBER, VOLUME, PageKey, key_of, page_break

RULE = re.compile(r"_{5,}")
"""A run of underscores: the rule between a page's text and its footnotes."""

MARK = re.compile(
    r"(?:\(¬?\s*[0-9٠-٩*]{1,4}\s*\)|\[¬?[0-9٠-٩]{1,3}\]|«[0-9٠-٩]{1,3}»|[0-9٠-٩]{1,4}\s*[-–]|\*{1,3})(?:\s+|(?=\w))"
)
SHAMELA_MARK = re.compile(r"\(¬\s*[^()\s]{1,8}\s*\)")
"""A mark that is nothing else: at the start of a paragraph it makes it a footnote."""

PAGE_NAMED = re.compile(rf"PageV(?P<vol>{VOLUME})P(?P<num>{NUMBER})(?P<suffix>[A-Za-z]?)\s*:?")


def mark_of(text: str) -> tuple[str, str]:
    """A footnote's mark as printed (``(1)``, without the sign ¬), and the rest; an empty mark when it has none."""
    match = MARK.match(text) or SHAMELA_MARK.match(text)
    if match is None:
        return "", text
    return re.sub(r"[\s¬]", "", match[0]), text[match.end() :]


@dataclass(slots=True)
class OpenNote:
    """A footnote being read: its paragraphs, each of lines. ``begins_group``: in a tail, the first of its page."""

    mark: str
    line: int
    paragraphs: list[list[str]] = field(default_factory=list)
    begins_group: bool = False

    @classmethod
    def begun(cls, text: str, line: int, begins_group: bool = False) -> OpenNote:
        """A note whose first line is ``text``."""
        mark, rest = mark_of(text)
        return cls(mark, line, [[rest]], begins_group)

    def block(self, page: int | None, tally: Tally) -> NoteBlock:
        """The note read, its paragraphs a line each."""
        read = [read_inline(" ".join(lines), self.line, tally) for lines in self.paragraphs]
        for inline in read:
            markers = len(inline.leading) + len(inline.breaks) + len(inline.trailing)
            if markers:
                tally.add("note-page-mark", self.line, inline.text, count=markers)
        return NoteBlock(self.mark, "\n".join(inline.text for inline in read if inline.text), self.line, page)


def read_tail(lines: Iterable[tuple[int, str]], tally: Tally) -> Iterator[tuple[PageKey | None, OpenNote]]:
    """The notes of a tail, each with the page named above it (``PageV01P027:``), or None where none is.

    A paragraph without a mark goes on with the note before it, unless it begins what belongs to another page: a page
    was named, or, where none ever is, the line has no ``#`` before it.
    """
    page: PageKey | None = None
    note: OpenNote | None = None
    for number, line in lines:
        text = line.strip()
        if not text:
            continue
        named = PAGE_NAMED.fullmatch(text)
        if named is not None:
            if note is not None:
                yield page, note
            note, page = None, key_of(page_break(named["vol"], named["num"], named["suffix"], number))
            tally.add("note-page-mark", number, text)
        elif text.startswith("~~") and note is not None:
            note.paragraphs[-1].append(text[2:].strip())
        else:
            words = text.removeprefix("~~").removeprefix("# ").strip()
            begins_group = page is None and not text.startswith("#")
            if note is not None and not begins_group and not mark_of(words)[0]:
                note.paragraphs.append([words])
                continue
            if note is not None:
                yield page, note
            note = OpenNote.begun(words, number, begins_group)
    if note is not None:
        yield page, note
