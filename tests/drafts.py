"""Drafts for tests of the importer, without a file format between: a reader that hands out the blocks it was given."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from library.importers.cutbook import CutBook
from library.importers.cutting import CuttingRules
from library.importers.drafts import (
    AuthorDraft,
    Block,
    BookDraft,
    EditionDraft,
    FindingDraft,
    PageBreak,
    Span,
    TextBlock,
    WorkDraft,
)
from library.models.catalogue import Numbering

AUTHOR = AuthorDraft("0505Ghazali", "أبو حامد الغزالي", death_year_ah=505, slug_hint="ghazali")
WORK = WorkDraft("0505Ghazali.IhyaCulumDin", "إحياء علوم الدين", genre_id=20, slug_hint="ihya-culum-din")
EDITION = EditionDraft("0505Ghazali.IhyaCulumDin.Made0000001-ara1", numbering=Numbering.PRINT)


def words(count: int, name: str = "كلمة") -> str:
    """So many different words."""
    return " ".join(f"{name}{number}" for number in range(1, count + 1))


def paragraph(text: str | int, name: str = "كلمة", **more: Any) -> TextBlock:
    """A paragraph, of ``text`` or of so many words that begin with ``name``."""
    return TextBlock("paragraph", words(text, name) if isinstance(text, int) else text, **more)


def heading(text: str, level: int = 1, **more: Any) -> TextBlock:
    """A heading."""
    return TextBlock("heading", text, level=level, **more)


def page(number: int | None, vol: str | None = "1", **more: Any) -> PageBreak:
    """The marker that closes a page, or opens it with ``closes=False``."""
    return PageBreak(vol, number, **more)


def note_sign(text: str, mark: str) -> Span:
    """The span of a note's sign in a text."""
    at = text.index(mark)
    return Span("note_ref", at, at + len(mark), mark)


@dataclass
class MadeReader:
    """Reads nothing: gives out a draft of these blocks. ``version`` takes part in the content hash, as a file would."""

    blocks: Iterable[Block]
    author: AuthorDraft = AUTHOR
    work: WorkDraft = WORK
    edition: EditionDraft = EDITION
    version: int = 1
    findings: tuple[FindingDraft, ...] = ()
    reads: int = field(default=0, init=False)

    source: ClassVar[str] = "made"

    @classmethod
    def recognises(cls, path: Path) -> bool:
        """Never asked."""
        return False

    def read(self, path: Path) -> BookDraft:
        """The draft; its blocks count how often they were consumed."""
        return BookDraft(self.source, self.author, self.work, self.edition, self._blocks(), list(self.findings))

    def _blocks(self) -> Iterator[Block]:
        self.reads += 1
        yield from self.blocks

    def with_blocks(self, *blocks: Block) -> MadeReader:
        """The same book with another text."""
        return replace(self, blocks=blocks, version=self.version + 1)


def cut(*blocks: Block, target: int = 200) -> CutBook:
    """A text read and cut; closed when the test lets go of it."""
    book = CutBook(MadeReader(blocks).read(Path()), CuttingRules(target))
    for spool in (book._texts, book._notes):
        weakref.finalize(book, spool.close)
    return book


def texts(book: CutBook) -> list[str]:
    """Its passages' texts."""
    return [row.text for row in book.passages()]


def lengths(book: CutBook) -> list[int]:
    """Its passages' lengths in words."""
    return [len(text.split()) for text in texts(book)]
