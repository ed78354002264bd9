"""The part of a passage that a list of results shows: where the marks stand closest, in the source's own letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: About how many code points a result shows: three lines on a desktop, seven on a phone.
LENGTH = 320
#: How far before the first mark it begins, so that the mark is read in its sentence.
LEAD = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of letters, marked or not."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """``pieces`` joined are code points ``start``–``end`` of the passage."""

    pieces: list[Piece]
    start: int
    end: int
    length: int

    @property
    def begins_inside(self) -> bool:
        """Whether the passage has text before it."""
        return self.start > 0

    @property
    def ends_inside(self) -> bool:
        """Whether the passage has text after it."""
        return self.end < self.length


def excerpt(text: str, marks: Sequence[tuple[int, int]], length: int = LENGTH) -> Excerpt:
    """About ``length`` code points of ``text`` that hold the most of ``marks``, cut between words.

    Args:
        text: a passage's text.
        marks: code-point ranges, sorted and apart from each other.
        length: code points; a single longer mark is shown whole.
    """
    start, end = _window(text, marks, length)
    pieces: list[Piece] = []
    at = start
    for begin, stop in marks:
        if start <= begin and stop <= end:
            if begin > at:
                pieces.append(Piece(text[at:begin], marked=False))
            pieces.append(Piece(text[begin:stop], marked=True))
            at = stop
    if at < end:
        pieces.append(Piece(text[at:end], marked=False))
    return Excerpt(pieces, start, end, len(text.rstrip()))


def _window(text: str, marks: Sequence[tuple[int, int]], length: int) -> tuple[int, int]:
    whole = len(text.rstrip())
    if whole <= length:
        return 0, whole
    first = _densest(marks, length - LEAD)
    begin = max(0, (marks[first][0] if marks else 0) - LEAD)
    end = min(whole, max(begin + length, marks[first][1] if marks else 0))
    begin = max(0, min(begin, end - length))
    if begin:
        space = text.find(" ", begin, marks[first][0] if marks else end)
        begin = space + 1 if space >= 0 else begin
    if end < whole:
        floor = marks[first][1] if marks else begin
        space = text.rfind(" ", floor, end)
        end = space if space >= 0 else end
    return begin, end


def _densest(marks: Sequence[tuple[int, int]], length: int) -> int:
    """The place in ``marks`` from which on most of them lie within ``length`` code points; the earliest of equals."""
    best, most, last = 0, 0, 0
    for first, (begin, _) in enumerate(marks):
        while last < len(marks) and marks[last][1] <= begin + length:
            last += 1
        if last - first > most:
            best, most = first, last - first
    return best
