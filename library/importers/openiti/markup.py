"""What in a line is mARkdown and not text: the one place that says what is dropped and what it becomes.

Paragraph by paragraph: ``read_inline`` takes the joined lines of one and gives its words, with page breaks, Quran
quotations, note marks and hemistichs as places in them.

Source: the OpenITI mARkdown scheme (https://openiti.github.io/documentation) and its texts as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..drafts import PageBreak, Span, SpanKind
from .findings import Tally
from .pages import MARKER_END, NUMBER, VOLUME, page_break

HEMISTICH_GAP = "   "
"""Stands between two hemistichs in place of ``%~%``: plain spaces, so that no letter is added to the text."""

# Every alternative begins with a literal, so that ``re`` skips to candidates by a character set.
TOKEN = re.compile(
    rf"PageV(?P<vol>{VOLUME})P(?P<num>{NUMBER})(?P<suffix>[A-Za-z]?){MARKER_END}(?P<after>\s*(?:#(?:\s+|$))?)"
    r"|ms(?<![A-Za-z]ms)[A-Z]?\d+(?:-\d+)?(?![A-Za-z])"
    r"|Milestone\d+"
    r"|%~%(?P<verse>)"
    r"|@Q(?P<quran>[BE])@"
    r"|@QUR@?(?P<ahead>\d)(?P<words>\d{1,2})(?!\d)"
    r"|@(?P<tag>[A-Z]{1,12})(?:@\d*|\d+)(?![0-9A-Za-z@])"
    r"|\$(?P<unit>RWY)\$"
    r"|<(?P<html>/?(?:a|b|br|div|em|font|hr|i|p|s|span|strong|sub|sup|u)\b[^<>]{0,2000})>"
    r"|\(¬\s*(?P<note>[^()\s]{1,8})\s*\)"
    r"|﴿(?P<ayah>)"
    r"|﴾(?P<ayah_end>)"
)
CLOSING = frozenset("،؛؟.,:;!?»)]}﴾")
LEFTOVER = re.compile(r"[@|#$%^~<>¬]|\[\[|\]\]")
ODD_MARKER = re.compile(r"Page(?:Beg|End)?V\S*")
PAGE_IN_TEXT = re.compile(r"\[ص\s*:\s*\d+\]")
DOTTED_VERSE = re.compile(r"(?P<first>[^.…%]+?)(?P<gap> (?:\.{3}|…|%) )(?P<second>[^.…%]+)")


@dataclass(slots=True)
class Inline:
    """The words of a paragraph; ``leading`` and ``trailing`` are the page breaks before and after them."""

    text: str = ""
    spans: list[Span] = field(default_factory=list)
    leading: list[PageBreak] = field(default_factory=list)
    breaks: list[tuple[int, PageBreak]] = field(default_factory=list)
    trailing: list[PageBreak] = field(default_factory=list)


def read_inline(raw: str, line: int, tally: Tally) -> Inline:
    """Take the markup out of ``raw``, the joined lines of one paragraph that begins at ``line``."""
    match = TOKEN.search(raw)
    result = Inline(raw.strip()) if match is None else _Scan(raw, line, tally).run(match)
    leftover = LEFTOVER.search(result.text)
    if leftover is not None:
        around = result.text[max(0, leftover.start() - 60) : leftover.end() + 60]
        tally.add("leftover-markup", line, around, count=len(LEFTOVER.findall(result.text)))
    if "Page" in result.text and (odd := ODD_MARKER.findall(result.text)):
        tally.add("odd-page-marker", line, odd[0], count=len(odd))
    if "[ص" in result.text and (found := PAGE_IN_TEXT.findall(result.text)):
        tally.add("page-in-text", line, found[0], count=len(found))
    return result


def dotted_hemistichs(text: str) -> list[Span]:
    """The two halves of a line of verse set as ``first ... second``; empty when the line is no verse.

    Dots also mark a gap in prose: both halves must be of a verse's size, 2 to 9 words, and of like length.
    """
    match = DOTTED_VERSE.fullmatch(text)
    if match is None:
        return []
    first, second = match["first"], match["second"]
    sizes = sorted((len(first.split()), len(second.split())))
    short, long = sorted((len(first), len(second)))
    if sizes[0] < 2 or sizes[1] > 9 or long > 2 * short:
        return []
    return [Span("hemistich", 0, match.end("first")), Span("hemistich", match.start("second"), len(text))]


class _Scan:
    """One pass over a paragraph that has markup in it: words go out, marks become places in them."""

    def __init__(self, raw: str, line: int, tally: Tally) -> None:
        self.raw, self.line, self.tally = raw, line, tally
        self.out: list[str] = []
        self.length = 0
        # What was met since the last words: white space, a mark that stands between words, the middle of a verse.
        self.spaced = self.between_words = self.mid_verse = False
        self.result = Inline()
        self.pending: list[PageBreak] = []
        self.quran_from: int | None = None
        self.quran_waits = False
        self.ayah_from: int | None = None
        self.counted: list[tuple[int, int, int]] = []
        self.hemistich_from: int | None = None

    def run(self, match: re.Match[str] | None) -> Inline:
        """Read on from the first token of ``raw``."""
        raw, at = self.raw, 0
        while match is not None:
            chunk = raw[at : match.start()]
            if match["num"] is not None and chunk.rstrip().endswith("#"):
                self.tally.add("stray-paragraph-mark", self.line, chunk[-60:] + match[0])
                chunk = chunk.rstrip()[:-1]
            self._words(chunk)
            self._token(match)
            at = match.end()
            match = TOKEN.search(raw, at)
        self._words(raw[at:])
        return self._finish()

    def _words(self, chunk: str) -> None:
        """Append words, after one space, none or the gap of a verse; then give their place to what waited for them."""
        words = chunk.strip()
        if not words:
            self.spaced = self.spaced or bool(chunk)
            return
        gap = self._gap(words[0], glued=not chunk[0].isspace())
        self.length += len(gap)
        for page in self.pending:
            if self.out:
                self.result.breaks.append((self.length, page))
            else:
                self.result.leading.append(page)
        self.pending = []
        if self.quran_waits:
            self.quran_from, self.quran_waits = self.length, False
        if self.mid_verse:
            self.hemistich_from = self.length
        self.out += (gap, words)
        self.length += len(words)
        self.spaced = chunk[-1].isspace()
        self.between_words = self.mid_verse = False

    def _gap(self, first: str, glued: bool) -> str:
        if not self.out:
            return ""
        if self.mid_verse:
            return HEMISTICH_GAP
        if glued and first in CLOSING:
            return ""
        if self.spaced or not glued:
            return " "
        # Arabic is not hyphenated: a marker glued to letters on both sides stands between two words.
        return " " if self.between_words and first.isalnum() and self.out[-1][-1].isalnum() else ""

    def _token(self, token: re.Match[str]) -> None:
        if token["num"] is not None:
            self.pending.append(page_break(token["vol"], token["num"], token["suffix"], self.line))
            self.between_words = True
            self.spaced = self.spaced or bool(token["after"])
            if "#" in token["after"]:
                self.tally.add("stray-paragraph-mark", self.line, self.raw[token.start() : token.end() + 60])
        elif token["verse"] is not None:
            self._close_hemistich()
            self.mid_verse = True
        elif token["quran"] is not None:
            self._quran(token["quran"])
        elif token["words"] is not None:
            self.counted.append((self.length, int(token["ahead"]), int(token["words"])))
        elif token["note"] is not None:
            mark = f"({token['note']})"
            self._words(mark)
            self._span("note_ref", self.length - len(mark), mark)
        elif token["ayah"] is not None:
            self._words("﴿")
            self.ayah_from = self.length - 1
        elif token["ayah_end"] is not None:
            self._words("﴾")
            if self.ayah_from is not None:
                self._span("quran", self.ayah_from)
            self.ayah_from = None
        elif token["html"] is not None:
            self.tally.add("html-dropped", self.line, token[0])
        elif token["tag"] is not None or token["unit"] is not None:
            self.tally.add("tag-dropped", self.line, token[0])
        else:
            self.between_words = True

    def _span(self, kind: SpanKind, start: int, mark: str = "") -> None:
        self.result.spans.append(Span(kind, start, self.length, mark))

    def _quran(self, half: str) -> None:
        is_open = self.quran_from is not None or self.quran_waits
        if is_open == (half == "B"):
            self.tally.add("quran-unbalanced", self.line, self.raw[:60])
        elif half == "B":
            self.quran_waits = True
        else:
            self._close_quran()

    def _close_quran(self) -> None:
        if self.quran_from is not None:
            self._span("quran", self.quran_from)
        self.quran_from, self.quran_waits = None, False

    def _close_hemistich(self) -> None:
        start = 0 if self.hemistich_from is None else self.hemistich_from
        if self.length > start:
            self._span("hemistich", start)
        self.hemistich_from = self.length

    def _finish(self) -> Inline:
        result = self.result
        result.text = "".join(self.out)
        result.trailing = self.pending
        if self.hemistich_from is not None and not self.mid_verse:
            self._close_hemistich()
        if self.quran_from is not None or self.quran_waits:
            self.tally.add("quran-unbalanced", self.line, self.raw[:60])
            self._close_quran()
        for start, ahead, words in self.counted:
            span = _counted_words(result.text, start, ahead, words)
            if span is not None:
                result.spans.append(span)
        result.spans.sort(key=lambda span: (span.start, -span.end))
        return result


def _counted_words(text: str, start: int, ahead: int, words: int) -> Span | None:
    """The span of a tag that counts its words (``@QUR@02``: no letters before them, two words)."""
    places = [match.span() for match, _ in zip(re.finditer(r"\S+", text[start:]), range(words), strict=False)]
    if not places:
        return None
    return Span("quran", start + min(places[0][0] + ahead, places[-1][1] - 1), start + places[-1][1])
