"""A book that was read and cut and waits on disk to be stored; what it holds in memory does not grow with its text.

Reading comes wholly before storing, because the page of a passage may be known only at the marker that closes it, and
so that a file that turns out to be no book has touched nothing.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

from .cutting import CutPassage, Cutter, CuttingRules
from .drafts import BookDraft, FindingDraft, NoteBlock, PageBreak, TextBlock, UnreadableBook
from .layout import Layout, NoteMark, PageSpan, Places, page_spans, pages_of_passage

# Below this a book stays in memory; above, its text goes to an unnamed file that vanishes with the process.
IN_MEMORY_BYTES = 8 * 2**20
# Findings of one code and book that become rows; the rest are counted in one more.
MOST_FINDINGS_PER_CODE = 2_000


class PassageRow(NamedTuple):
    """A passage as stored, but for its id and edition."""

    sequence_number: int
    text: str
    spans: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    pages: list[dict[str, Any]]
    item: str


class PageRow(NamedTuple):
    """A page as stored, but for its id and edition."""

    ordinal: int
    vol: str | None
    number: int | None
    suffix: str
    sequence_number: int
    at: int


class SectionRow(NamedTuple):
    """A heading as stored, but for its id and edition; ``parent`` is an ordinal."""

    ordinal: int
    parent: int | None
    level: int
    title: str
    kind: str
    sequence_number: int
    at: int


class FoundRow(NamedTuple):
    """A finding and the place of the text it is about."""

    draft: FindingDraft
    sequence_number: int | None
    page_ordinal: int | None


class _Spool:
    """Records on disk, written once, read in any order."""

    def __init__(self) -> None:
        self._file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115
        self._places = array("q")

    def __len__(self) -> int:
        return len(self._places)

    def add(self, record: list[Any]) -> None:
        """Append a record that JSON can hold."""
        self._places.append(self._file.tell())
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def get(self, index: int) -> Any:
        """One record."""
        self._file.seek(self._places[index])
        return json.loads(self._file.readline())

    def between(self, first: int, last: int) -> Iterator[Any]:
        """The records from ``first`` up to, not including, ``last``; nothing else may read this spool meanwhile."""
        if first < last:
            self._file.seek(self._places[first])
            yield from map(json.loads, islice(self._file, last - first))

    def close(self) -> None:
        """Give the disk back."""
        self._file.close()


def text_digest(text: str) -> bytes:
    """A short hash by which equal texts are known; 16 bytes."""
    return blake2b(text.encode(), digest_size=16).digest()


class CutBook:
    """The text of one draft, cut by ``rules``. Close it, or use it as a context manager.

    Raises:
        UnreadableBook: the draft's blocks turn out not to be readable, or hold no text at all.
    """

    def __init__(
        self, draft: BookDraft, rules: CuttingRules | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        self.words = 0
        self.finding_count = 0
        """Findings, listed or not; one that stands for many counts as many."""
        self.starts: list[int] = []
        self.digests: list[bytes] = []
        self._texts = _Spool()
        self._notes = _Spool()
        self._note_marks: list[NoteMark] = []
        self._found: list[tuple[FindingDraft, int, int]] = []
        self._rows_of_code: Counter[str] = Counter()
        try:
            self._read(draft, rules or CuttingRules(), progress)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> CutBook:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop what waits on disk."""
        self._texts.close()
        self._notes.close()

    def _read(self, draft: BookDraft, rules: CuttingRules, progress: Callable[[int], None] | None) -> None:
        cutter, layout = Cutter(rules), Layout()
        for block in draft.blocks:
            match block:
                case TextBlock():
                    if layout.add_text(block):
                        for passage in cutter.feed(block):
                            self._add(passage)
                        if progress:
                            progress(len(block.text))
                case PageBreak():
                    layout.add_break(block)
                case NoteBlock():
                    self._note_marks.append(layout.add_note(block))
                    self._notes.add([block.mark, block.text])
                    if progress:
                        progress(len(block.text))
                case FindingDraft():
                    self._find(block, layout.length, len(layout.pages))
        for passage in cutter.finish():
            self._add(passage)
        if not self.starts:
            raise UnreadableBook("holds no text")
        for finding in draft.findings:
            self._find(finding, -1, -1)
        self.length = layout.length
        self.page_spans, self._led = page_spans(layout.pages, layout.length)
        self._closes = bool(layout.pages) and layout.pages[0].closes
        self._headings = layout.headings
        self._places = Places(self.starts, self.length)
        if self._closes and len(self.page_spans) > len(layout.pages):
            after = FindingDraft("text-after-last-page", "Text after the last page marker; its page has no number.")
            self._find(after, self.page_spans[-1].start, len(layout.pages))

    def _add(self, passage: CutPassage) -> None:
        if "\x00" in passage.text:
            raise UnreadableBook("holds NUL characters, so it is not text")
        self.starts.append(passage.start)
        self.digests.append(text_digest(passage.text))
        self.words += passage.words
        self._texts.add([passage.text, passage.spans, passage.item])

    def _find(self, finding: FindingDraft, offset: int, markers: int) -> None:
        self._rows_of_code[finding.code] += 1
        self.finding_count += finding.count
        if self._rows_of_code[finding.code] <= MOST_FINDINGS_PER_CODE:
            self._found.append((finding, offset, markers))

    @property
    def passage_count(self) -> int:
        """How many passages there are, numbered from 0."""
        return len(self.starts)

    @property
    def note_count(self) -> int:
        """How many notes there are."""
        return len(self._note_marks)

    @property
    def section_count(self) -> int:
        """How many headings there are."""
        return len(self._headings)

    def between(self, first: int, last: int) -> Iterator[str]:
        """The texts of the passages from ``first`` up to, not including, ``last``."""
        return (text for text, _spans, _item in self._texts.between(first, last))

    def passages(self) -> Iterator[PassageRow]:
        """The passages in reading order, read from disk one by one."""
        order = sorted(range(self.note_count), key=lambda index: (self._of_note(index)[0], index))
        taken, page = 0, 0
        # Iterating and random reads share no file: notes have their own spool.
        for sequence_number, (text, spans, item) in enumerate(self._texts.between(0, len(self._texts))):
            start = self.starts[sequence_number]
            notes = []
            while taken < len(order) and self._of_note(order[taken])[0] == sequence_number:
                notes.append(self._note(order[taken]))
                taken += 1
            pages, page = pages_of_passage(self.page_spans, page, start, start + len(text))
            yield PassageRow(sequence_number, text, spans, notes, pages, item)

    def _of_note(self, index: int) -> tuple[int, int]:
        return self._places.of(self._note_marks[index].offset)

    def _note(self, index: int) -> dict[str, Any]:
        mark, text = self._notes.get(index)
        note = self._note_marks[index]
        at = self._of_note(index)[1] if note.signed else None
        return {"mark": mark, "at": at, "text": text, "page_ordinal": self._ordinal(note.markers)}

    def _ordinal(self, markers: int) -> int | None:
        """The ordinal of the page that a place lies on which so many markers came before."""
        ordinal = markers + (1 if self._closes else self._led)
        return min(ordinal, len(self.page_spans)) or None

    def pages(self) -> Iterator[PageRow]:
        """The pages in reading order."""
        for ordinal, page in enumerate(self.page_spans, start=1):
            yield PageRow(ordinal, page.vol, page.number, page.suffix, *self._places.of(page.start))

    def sections(self) -> Iterator[SectionRow]:
        """The headings in reading order; each under the nearest earlier one of a lower level."""
        above: list[tuple[int, int]] = []
        for ordinal, heading in enumerate(self._headings, start=1):
            while above and above[-1][0] >= heading.level:
                above.pop()
            parent = above[-1][1] if above else None
            above.append((heading.level, ordinal))
            place = self._places.of(heading.offset)
            yield SectionRow(ordinal, parent, heading.level, heading.title, heading.kind, *place)

    def findings(self) -> Iterator[FoundRow]:
        """What the reader and the cutting met, each with its place; past ``MOST_FINDINGS_PER_CODE``, how many more."""
        for finding, offset, markers in self._found:
            if offset < 0:
                yield FoundRow(finding, None, None)
            else:
                yield FoundRow(finding, self._places.of(offset)[0], self._ordinal(markers))
        for code, count in sorted(self._rows_of_code.items()):
            if count > MOST_FINDINGS_PER_CODE:
                more = count - MOST_FINDINGS_PER_CODE
                yield FoundRow(FindingDraft(code, f"{more} more of this kind are not listed."), None, None)


__all__ = ["CutBook", "FoundRow", "PageRow", "PageSpan", "PassageRow", "SectionRow"]
