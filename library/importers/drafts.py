"""What every reader yields: one shape for all formats, streamed so that a book never has to fit in memory.

A reader is a ``BookReader``: ``read(path)`` opens the file and returns a ``BookDraft``, whose ``blocks`` are then
consumed once, in reading order. Nothing in a draft knows of the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Protocol

from library.models.catalogue import Numbering


class UnreadableBook(Exception):
    """The file cannot be read as its format; the message is one clear line for a person."""


@dataclass(frozen=True, slots=True)
class AuthorDraft:
    """An author as the source names them. ``key`` is the source's own (OpenITI: ``0505Ghazali``)."""

    key: str
    name_ar: str
    name_en: str = ""
    death_year_ah: int | None = None
    death_label_ar: str = ""
    death_label_en: str = ""
    death_source: str = ""
    aliases: tuple[str, ...] = ()
    transliterations: tuple[str, ...] = ()
    slug_hint: str = ""


@dataclass(frozen=True, slots=True)
class WorkDraft:
    """A book as the source names it. ``key`` is the source's own (OpenITI: ``0505Ghazali.IhyaCulumDin``)."""

    key: str
    title_ar: str
    title_en: str = ""
    genre_id: int = 39
    aliases: tuple[str, ...] = ()
    transliterations: tuple[str, ...] = ()
    slug_hint: str = ""


@dataclass(frozen=True, slots=True)
class EditionDraft:
    """An edition as the source describes it. ``key`` is the source's own (OpenITI: the whole version URI)."""

    key: str
    source_url: str = ""
    editor: str = ""
    publisher: str = ""
    place: str = ""
    year: str = ""
    numbering: Numbering = Numbering.UNKNOWN
    licence: str = ""
    attribution: str = ""
    wanted_id: int | None = None
    """The id to take where the source's numbers are ours (Turath); None: the next free one."""


SpanKind = Literal["verse", "quran", "note_ref", "hemistich"]


@dataclass(frozen=True, slots=True)
class Span:
    """Code points ``start``–``end`` of a block's text that are of one kind."""

    kind: SpanKind
    start: int
    end: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A page marker. ``closes``: the text before it is its page (OpenITI); else the text after it is (TEI, Turath).

    A marker inside a block sits in ``TextBlock.breaks`` instead, with its place.
    """

    vol: str | None
    number: int | None
    suffix: str = ""
    closes: bool = True
    line: int = 0


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, heading or verse line. ``text`` has no markup and no line break.

    ``breaks`` are the page markers met inside it, each with the code point of ``text`` before which it stood.
    """

    kind: Literal["paragraph", "heading", "verse"]
    text: str
    line: int = 0
    level: int = 0
    """Headings only, from 1."""
    section_kind: str = "heading"
    """Headings and titled paragraphs: heading, biography, event, notes, …"""
    title: str = ""
    """Set on a paragraph that opens a section although it is no heading: a biography whose first words name it, a tail
    of loose notes. ``level`` and ``section_kind`` go with it. A heading leaves it empty: its text is its title."""
    item: str = ""
    """The number of the hadith or entry that begins here."""
    spans: tuple[Span, ...] = ()
    breaks: tuple[tuple[int, PageBreak], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteBlock:
    """A footnote. It belongs to the nearest earlier ``note_ref`` span with its mark on its page, else to the page.

    ``mark`` is as printed (``(1)``) and equals that of its ``note_ref``. ``page`` counts the page breaks of the book
    from 1: the page that the n-th break closes (or opens) is page n. None: the page of the text just before it.
    """

    mark: str
    text: str
    line: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class FindingDraft:
    """Something a curator should see. ``code`` is short and stable; ``excerpt`` at most 200 characters.

    One finding may stand for many of its kind in a book: ``count`` of them, ``line`` and ``excerpt`` of the first.
    """

    code: str
    message: str
    line: int = 0
    excerpt: str = ""
    count: int = 1


Block = TextBlock | NoteBlock | PageBreak | FindingDraft


@dataclass(slots=True)
class BookDraft:
    """One file, read. The head is there at once; ``blocks`` is read once, in reading order.

    Raises:
        UnreadableBook: while ``blocks`` is consumed, when the file turns out not to be what it said.
    """

    source: str
    author: AuthorDraft
    work: WorkDraft
    edition: EditionDraft
    blocks: Iterator[Block]
    findings: list[FindingDraft] = field(default_factory=list)


class BookReader(Protocol):
    """One class a format."""

    source: ClassVar[str]
    """Recorded on editions and source keys (``openiti``)."""

    version: ClassVar[int]
    """Raise when the reader makes anything else of the same file: its books are read again at their next import."""

    @classmethod
    def recognises(cls, path: Path) -> bool:
        """Whether the file looks like this format, from its name and first bytes; never raises for odd content."""

    def read(self, path: Path) -> BookDraft:
        """Open the file.

        Raises:
            UnreadableBook: it cannot be read as this format; one line says why.
        """
