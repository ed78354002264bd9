"""The body of a text: lines into paragraphs, headings, verses, footnotes and page breaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from ..drafts import Block, NoteBlock, PageBreak, Span, TextBlock
from .findings import Tally
from .markup import Inline, dotted_hemistichs, read_inline
from .notes import RULE, SHAMELA_MARK, OpenNote, mark_of
from .pages import Pagination
from .tail import NotesTail
from .units import ITEM, Heading, read_heading, unit_title

PARAGRAPH_LIMIT = 1_000_000
"""Letters after which a paragraph is cut, so that memory stays flat; the longest real one has 226,000."""

NOTES_TITLE = "الحواشي"
PAGE_LINE = re.compile(r"PageV\S+\s*")
NUMBER_ALONE = re.compile(r"\[?(?P<item>\d{1,6}(?:\.\d{1,4})?)\]?(?:\s*-)?")


@dataclass(slots=True)
class _Open:
    """The block being read."""

    kind: Literal["paragraph", "heading", "verse"]
    line: int
    parts: list[str] = field(default_factory=list)
    heading: Heading | None = None
    size: int = 0

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text)


class BodyReader:
    """Reads the body once. ``tail`` hands out the notes of the pages as they are closed."""

    def __init__(self, lines: Iterable[tuple[int, str]], tally: Tally, tail: NotesTail | None = None) -> None:
        self._lines = lines
        self._tally = tally
        self._tail = tail
        self._pages = Pagination(tally)
        self._open: _Open | None = None
        self._note: OpenNote | None = None
        self._under_rule = False
        self._rule_line = 0
        self._level = 0

    def blocks(self) -> Iterator[Block]:
        """Everything in reading order; findings are left to the tally."""
        for number, line in self._lines:
            if "_____" in line and (rule := RULE.search(line)) is not None:
                yield from self._line(number, line[: rule.start()])
                yield from self._close()
                self._under_rule, self._rule_line = True, number
                line = line[rule.end() :].lstrip("_")
            yield from self._line(number, line)
        yield from self._close()
        self._rule_was_empty()

    def _line(self, number: int, line: str) -> Iterator[Block]:
        line = line.strip()
        if not line:
            return
        if self._under_rule or self._note is not None:
            taken, rest = self._note_line(number, line)
            if taken is not None:
                yield from taken
            if not rest:
                return
            line = rest
        if line.startswith("~~"):
            yield from self._continued(number, line[2:].lstrip())
        elif line.startswith("# "):
            yield from self._paragraph(number, line[2:].lstrip())
        elif line.startswith("###"):
            yield from self._heading(number, line)
        else:
            yield from self._other(number, line)

    def _paragraph(self, number: int, text: str) -> Iterator[Block]:
        if text.startswith("~~"):
            yield from self._continued(number, text[2:].lstrip())
            return
        if text.startswith("|") and not text.startswith("||"):
            text = text[1:].lstrip()
        yield from self._close()
        if SHAMELA_MARK.match(text):
            self._note = OpenNote.begun(text, number)
        else:
            self._begin(number, text)

    def _begin(self, number: int, text: str) -> None:
        self._open = _Open("verse" if "%~%" in text else "paragraph", number)
        self._open.add(text)

    def _continued(self, number: int, text: str) -> Iterator[Block]:
        """A line that runs on from the one before; a line of verse is its own block wherever it stands."""
        if self._open is None or "%~%" in text:
            yield from self._close()
            self._begin(number, text)
            return
        self._open.add(text)
        if self._open.size > PARAGRAPH_LIMIT:
            self._tally.add("paragraph-cut", number)
            yield from self._close()

    def _heading(self, number: int, line: str) -> Iterator[Block]:
        heading = read_heading(line)
        if heading is None:
            yield from self._unknown(number, line)
            return
        yield from self._close()
        if heading.editorial:
            self._tally.add("editorial-marker", number, line)
            if heading.text:
                self._begin(number, heading.text)
            return
        if heading.kind == "heading":
            self._level = heading.level if heading.text else self._level
        else:
            heading = replace(heading, level=max(2, self._level + heading.level))
        self._open = _Open("heading", number, [heading.text], heading, len(heading.text))

    def _other(self, number: int, text: str) -> Iterator[Block]:
        """A line with no mark: a page marker alone or before words, an empty paragraph, or one nobody marked."""
        if text == "#":
            yield from self._close()
        elif text.startswith("PageV"):
            words = PAGE_LINE.sub("", text, count=1)
            if self._open is not None and self._open.kind == "paragraph":
                self._open.add(text)
            elif words:
                yield from self._close()
                self._begin(number, text)
            else:
                yield from self._continued(number, text)
                yield from self._close()
        elif text.startswith("#"):
            yield from self._unknown(number, text)
        else:
            self._tally.add("unmarked-line", number, text)
            yield from self._close()
            self._begin(number, text)

    def _unknown(self, number: int, text: str) -> Iterator[Block]:
        self._tally.add("unknown-line", number, text)
        yield from self._close()
        self._begin(number, text)

    def _note_line(self, number: int, line: str) -> tuple[list[Block] | None, str]:
        """A line among footnotes: the blocks it ends, and what of it is no footnote."""
        continued = line.startswith("~~")
        text = line.removeprefix("~~").removeprefix("# ").strip()
        if line.startswith("###"):
            return self._end_notes(), line
        if text == "#":
            return [], ""
        if self._under_rule and self._note is None and not mark_of(text)[0]:
            if text.startswith("PageV"):
                return self._end_notes(), line
            self._rule_was_empty()
            return None, line
        marker = text.find("PageV")
        rest = "" if marker < 0 else f"# {text[marker:]}"
        words = text if marker < 0 else text[:marker].strip()
        ended: list[Block] = []
        if words:
            ended = self._note_words(number, words, continued)
            if self._note is None:
                return ended, line
        if rest:
            ended += self._end_notes()
        return ended, rest

    def _note_words(self, number: int, words: str, continued: bool) -> list[Block]:
        if continued and self._note is not None:
            self._note.paragraphs[-1].append(words)
            return []
        if mark_of(words)[0] and (self._under_rule or SHAMELA_MARK.match(words)):
            ended = self._end_note()
            self._note = OpenNote.begun(words, number)
            return ended
        if self._under_rule and self._note is not None:
            self._note.paragraphs.append([words])
            return []
        return self._end_notes()

    def _end_note(self) -> list[Block]:
        note, self._note = self._note, None
        return [] if note is None else [note.block(self._pages.count + 1, self._tally)]

    def _end_notes(self) -> list[Block]:
        ended = self._end_note()
        if not ended:
            self._rule_was_empty()
        self._under_rule = False
        return ended

    def _rule_was_empty(self) -> None:
        if self._under_rule and self._note is None:
            self._tally.add("rule-without-notes", self._rule_line)
        self._under_rule = False

    def _close(self) -> Iterator[Block]:
        """End what is open: its leading page breaks, itself, the notes of pages that end in it, trailing breaks."""
        yield from self._end_note()
        block, self._open = self._open, None
        if block is None:
            return
        inline = read_inline(" ".join(block.parts), block.line, self._tally)
        for page in inline.leading:
            yield from self._turned(page)
            yield page
        if inline.text:
            if self._tail is not None:
                inline.spans = sorted([*inline.spans, *self._references(self._tail, inline)], key=_place)
            yield self._text_block(block, inline)
        elif block.kind == "heading":
            self._tally.add("empty-heading", block.line)
        for _, page in inline.breaks:
            yield from self._turned(page)
        for page in inline.trailing:
            yield from self._turned(page)
            yield page

    def _references(self, tail: NotesTail, inline: Inline) -> Iterator[Span]:
        """Where the pages of a block refer to notes of the tail."""
        ordinal, start = self._pages.count + 1, 0
        for end, _ in [*inline.breaks, (len(inline.text), None)]:
            yield from tail.references(ordinal, inline.text, start, end)
            ordinal, start = ordinal + 1, end

    def _turned(self, page: PageBreak) -> Iterator[NoteBlock]:
        self._pages.turn(page)
        if self._tail is not None:
            yield from self._tail.of_page(self._pages.count, page)

    def _text_block(self, block: _Open, inline: Inline) -> TextBlock:
        text, spans = inline.text, inline.spans
        heading = block.heading
        if heading is not None:
            return _section(block, heading, inline)
        kind = block.kind
        if kind == "paragraph" and len(block.parts) == 1 and len(text) < 200:
            halves = dotted_hemistichs(text)
            if halves:
                kind, spans = "verse", sorted([*spans, *halves], key=_place)
        alone = NUMBER_ALONE.fullmatch(text) if len(text) < 20 else None
        return TextBlock(
            kind,
            text,
            block.line,
            item=alone["item"] if alone is not None else "",
            spans=tuple(spans),
            breaks=tuple(inline.breaks),
        )


def _section(block: _Open, heading: Heading, inline: Inline) -> TextBlock:
    """A heading; or the paragraph of a biography or the like, titled by its first words."""
    title = "" if heading.kind == "heading" else unit_title(inline.text)
    item = ITEM.match(inline.text) if heading.kind != "heading" else None
    return TextBlock(
        "paragraph" if title else "heading",
        inline.text,
        block.line,
        level=heading.level,
        section_kind=heading.kind,
        title=title,
        item=item["item"] if item is not None else "",
        spans=tuple(inline.spans),
        breaks=tuple(inline.breaks),
    )


def _place(span: Span) -> tuple[int, int]:
    return span.start, -span.end


def loose_notes(notes: Iterable[OpenNote], tally: Tally) -> Iterator[TextBlock]:
    """Notes that belong to no known page, as the paragraphs of one section."""
    title = NOTES_TITLE
    for note in notes:
        block = note.block(None, tally)
        tally.add("notes-tail", note.line, block.text)
        for paragraph in filter(None, f"{block.mark} {block.text}".strip().split("\n")):
            if title:
                yield TextBlock("paragraph", paragraph, note.line, level=1, section_kind="notes", title=title)
            else:
                yield TextBlock("paragraph", paragraph, note.line)
            title = ""
