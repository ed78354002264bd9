"""What stands on a page: pieces of passages, their blocks, what lies over the letters, and the notes at the foot.

Pure functions over stored passages; nothing here asks the database or writes markup (``library/drawing.py`` does).
The pieces of an edition's pages, joined, are its passages' texts, letter for letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from library.models import Passage
    from library.ports import Annotation

BlockKind = Literal["heading", "paragraph", "verse"]
BLOCK_KINDS = ("heading", "paragraph", "verse")


def note_anchor(sequence_number: int, index: int) -> str:
    """The id of a passage's note at the foot."""
    return f"n{sequence_number}-{index}"


def call_anchor(sequence_number: int, index: int) -> str:
    """The id of the mark that calls a note."""
    return f"c{sequence_number}-{index}"


class Place(NamedTuple):
    """A point of an edition's text: a passage's sequence number and a code point of its text."""

    sequence_number: int
    at: int


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph or verse line as far as it lies on the page: code points ``start``–``end`` of a passage.

    ``opens`` and ``closes``: whether it begins and ends here; a paragraph may run over from the page or passage before.
    ``rank`` is a heading's depth among the headings of the page, from 0 and without gaps; ``level`` the book's own.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    opens: bool = True
    closes: bool = True
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Inline:
    """Something laid over code points ``start``–``end``: half of a verse, a quotation, a note's mark, a link.

    ``note`` is the number of the note that a ``note_ref`` calls, counted within the passage, or None.
    """

    kind: Literal["hemistich", "gap", "link", "quran", "note_ref"]
    start: int
    end: int
    mark: str = ""
    note: int | None = None
    link: Annotation | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote of the page. ``index`` counts within its passage; ``call`` is the id of the mark that calls it."""

    passage: Passage
    index: int
    mark: str
    text: str
    call: str | None

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return note_anchor(self.passage.sequence_number, self.index)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Code points ``start``–``end`` of one passage. ``opens``: a paragraph begins at its start."""

    passage: Passage
    start: int
    end: int
    opens: bool

    @property
    def text(self) -> str:
        """The letters, as stored."""
        return self.passage.text[self.start : self.end]


def fragments(passages: Sequence[Passage], start: Place, end: Place | None) -> list[Fragment]:
    """The pieces of ``passages`` that lie from ``start`` up to ``end`` (None: to the last of them), in order.

    ``passages`` may begin one too early: the one before ``start`` tells whether a paragraph runs over.
    """
    found: list[Fragment] = []
    before = ""
    for passage in passages:
        text, number = passage.text, passage.sequence_number
        from_ = start.at if number == start.sequence_number else 0
        to = min(end.at, len(text)) if end and number == end.sequence_number else len(text)
        inside = number >= start.sequence_number and (end is None or number <= end.sequence_number)
        if inside and from_ < to:
            before = text[:from_] or before
            found.append(Fragment(passage, from_, to, opens=not before or before.endswith("\n")))
        before = text
    return found


def blocks(fragment: Fragment) -> list[Block]:
    """The blocks of a fragment, covering it without a gap: what no span claims is a paragraph."""
    cut = [span for span in _block_spans(fragment.passage) if span[0] < fragment.end and span[1] > fragment.start]
    text = fragment.passage.text
    found: list[Block] = []
    for start, end, kind, level in cut:
        first, last = max(start, fragment.start), min(end, fragment.end)
        found.append(
            Block(
                kind=kind,
                start=first,
                end=last,
                level=level,
                opens=start >= fragment.start and (start > fragment.start or fragment.opens),
                closes=end <= fragment.end and (end < len(text) or text.endswith("\n")),
            )
        )
    return found


def _block_spans(passage: Passage) -> list[tuple[int, int, BlockKind, int]]:
    """``(start, end, kind, level)`` of a passage's blocks, in order, side by side, newlines with what they end."""
    length = len(passage.text)
    found: list[tuple[int, int, BlockKind, int]] = []
    reached = 0

    def fill(to: int) -> None:
        """Give letters that no span has claimed, up to ``to``: blank ones to the block before, others a paragraph."""
        nonlocal reached
        gap = passage.text[reached:to]
        blank = len(gap) - len(gap.lstrip())
        if found and blank:
            reached += blank
            found[-1] = (found[-1][0], reached, *found[-1][2:])
        if reached < to and (gap.strip() or to == length):
            found.append((reached, to, "paragraph", 0))
            reached = to

    spans = [span for span in passage.spans if span["kind"] in BLOCK_KINDS]
    for span in sorted(spans, key=lambda span: (int(span["from"]), -int(span["to"]))):
        start, end = max(int(span["from"]), reached), min(int(span["to"]), length)
        if start >= end:
            continue
        fill(start)
        # Blank letters at the very beginning go with the first block.
        found.append((min(reached, start), end, span["kind"], int(span.get("level") or 0)))
        reached = end
    fill(length)
    return found


def ranked(levels: Iterable[int]) -> Iterator[int]:
    """Depths for headings of these levels, from 0: each at most one deeper than the heading before it."""
    above: list[int] = []
    for level in levels:
        while above and above[-1] >= level:
            above.pop()
        yield len(above)
        above.append(level)


def inlines(passage: Passage, annotations: Sequence[Annotation] = ()) -> list[Inline]:
    """What lies over a passage's letters, in order of beginning, the longer first."""
    length = len(passage.text)
    seen = drawn_calls(passage)
    calls = {call: note for note, call in note_calls(passage).items() if seen[note] == note}
    hidden = {call for note, call in note_calls(passage).items() if seen[note] != note}
    found = [
        Inline("link", max(link.start, 0), min(link.end, length), link=link)
        for link in annotations
        if max(link.start, 0) < min(link.end, length)
    ]
    for number, span in enumerate(passage.spans):
        start, end = max(int(span["from"]), 0), min(int(span["to"]), length)
        if span["kind"] == "note_ref" and start <= end and number not in hidden:
            found.append(Inline("note_ref", start, end, mark=str(span.get("mark") or ""), note=calls.get(number)))
        elif span["kind"] in ("quran", "hemistich") and start < end:
            found.append(Inline(span["kind"], start, end))
    return sorted([*found, *_gaps(found, passage.text)], key=lambda inline: (inline.start, -inline.end))


def _gaps(found: Sequence[Inline], text: str) -> list[Inline]:
    """What stands between the halves of one verse line: a page shows them apart, without it."""
    halves = sorted((half for half in found if half.kind == "hemistich"), key=lambda half: half.start)
    return [
        Inline("gap", left.end, right.start)
        for left, right in pairwise(halves)
        if left.end < right.start and "\n" not in text[left.end : right.start]
    ]


def note_calls(passage: Passage) -> dict[int, int]:
    """``{note: span}``: which ``note_ref`` span calls each note, both counted within the passage.

    A note is called where it says it is (``at``), else by the first mark like its own that calls none yet.
    """
    free = {
        number: span
        for number, span in enumerate(passage.spans)
        if span["kind"] == "note_ref" and 0 <= span["from"] <= span["to"] <= len(passage.text)
    }
    found: dict[int, int] = {}
    for exactly in (True, False):
        for index, note in enumerate(passage.notes):
            if index in found:
                continue
            call = next((number for number, span in free.items() if _calls(span, note, exactly=exactly)), None)
            if call is not None:
                found[index] = call
                del free[call]
    return found


def drawn_calls(passage: Passage) -> dict[int, int]:
    """``{note: note}``: whose mark is the one to be seen, where several notes are called by the same letters.

    A link cannot stand within a link, so that of marks over the same letters the widest, or first, is drawn alone.
    """
    calls = note_calls(passage)
    spans = {note: passage.spans[call] for note, call in calls.items()}
    order = sorted(spans, key=lambda note: (spans[note]["from"], -spans[note]["to"], note))
    drawn: dict[int, int] = {}
    for note in order:
        here = spans[note]
        around = (
            wide
            for wide in order
            if drawn.get(wide) == wide and spans[wide]["from"] <= here["from"] < here["to"] <= spans[wide]["to"]
        )
        drawn[note] = next(around, note)
    return drawn


def _calls(span: Mapping[str, Any], note: Mapping[str, Any], *, exactly: bool) -> bool:
    """Whether a mark in the text calls a note: at its very place, or (not ``exactly``) by the same mark."""
    if exactly:
        return note["at"] is not None and span["from"] <= note["at"] <= span["to"] and span["mark"] == note["mark"]
    return bool(span["mark"]) and span["mark"] == note["mark"] and note["at"] is None


def notes(shown: Sequence[Fragment], page_ordinal: int | None = None) -> list[Note]:
    """The notes at the foot of a page, or (``page_ordinal`` None) of whole passages, in reading order.

    A note stands where the mark that calls it stands; one that nothing calls on the page it came from; one that names
    no page either with the end of its passage.
    """
    found: list[Note] = []
    for fragment in shown:
        passage = fragment.passage
        calls, drawn = note_calls(passage), drawn_calls(passage)
        for index, note in enumerate(passage.notes):
            at = passage.spans[calls[index]]["from"] if index in calls else note["at"]
            if index not in calls and note["page_ordinal"] is not None and page_ordinal is not None:
                here = note["page_ordinal"] == page_ordinal
            elif at is not None:
                here = fragment.start <= at < fragment.end or at == fragment.end == len(passage.text)
            else:
                here = fragment.end == len(passage.text)
            if here:
                call = call_anchor(passage.sequence_number, drawn[index]) if index in drawn else None
                found.append(Note(passage, index, str(note["mark"]), str(note["text"]), call))
    return found
