"""The reader of OpenITI mARkdown texts."""

from __future__ import annotations

import io
import os
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from ..drafts import Block, BookDraft, TextBlock, UnreadableBook
from .find import begins_as_openiti
from .findings import Tally
from .header import END, MAGIC, Header, author_of, edition_of, work_of
from .lines import BodyReader, loose_notes
from .notes import read_tail
from .pages import NUMBERED
from .tail import NotesTail
from .uri import VersionURI

LINE_LIMIT = 4 * 1024 * 1024
"""Bytes of the longest line that is read: four times the longest paragraph of the corpus."""

HEADER_LIMIT = 2000
"""Lines within which a header must end; real ones have at most 60."""

TAIL_LIMIT = 16 * 1024 * 1024
"""Bytes of notes after the text up to which they are held in memory, to be brought to their pages."""

BODY_LIMIT = 32 * 1024 * 1024
"""Bytes of a text up to which its words are held in memory, seven times their size, to find the pages of such notes."""

TAIL_MARK = b"#####ENDNOTES#"
TAIL_TITLE = b"Endnotes"


@dataclass(slots=True)
class _Survey:
    """What one pass over the bytes tells before anything is read: where the parts are, and that it can be read."""

    header: list[str] = field(default_factory=list)
    body_line: int = 0
    body_at: int = 0
    tail_line: int = 0
    tail_at: int = 0
    size: int = 0
    has_numbers: bool = False


class OpenITIReader:
    """Reads a text of the OpenITI corpus, or one written in its format; see ``BookReader``."""

    source: ClassVar[str] = "openiti"
    version: ClassVar[int] = 2

    def __init__(self, source: str = "openiti") -> None:
        self._source = source

    @classmethod
    def recognises(cls, path: Path) -> bool:
        """Whether the file begins as OpenITI texts do."""
        return begins_as_openiti(path)

    def read(self, path: Path) -> BookDraft:
        """Read the header now and the text as ``blocks`` is consumed.

        Raises:
            UnreadableBook: no file, not OpenITI, not named by a URI, not UTF-8, a header without end, a line too long.
        """
        try:
            uri = self._uri(path)
            survey = _surveyed(path)
        except OSError as error:
            raise UnreadableBook(f"{path}: cannot be read ({error.strerror}).") from None
        header = Header.of_lines(survey.header)
        author, author_findings = author_of(header, uri)
        work, work_findings = work_of(header, uri)
        return BookDraft(
            source=self._source,
            author=author,
            work=work,
            edition=edition_of(header, uri, survey.has_numbers, _home(path, uri), self._source == "openiti"),
            blocks=_blocks(path, survey),
            findings=[*author_findings, *work_findings],
        )

    @staticmethod
    def _uri(path: Path) -> VersionURI:
        if path.is_dir():
            os.listdir(path)  # raises where the folder was to be searched for texts and could not be
            raise UnreadableBook(f"{path}: a folder, not a text.")
        if not path.exists():
            raise UnreadableBook(f"{path}: there is no such file.")
        if not path.is_file():
            raise UnreadableBook(f"{path}: not a file.")
        if path.stat().st_size == 0:
            raise UnreadableBook(f"{path}: the file is empty.")
        path.open("rb").close()  # raises where it may not be read, which is not to be another kind of file
        if not begins_as_openiti(path):
            raise UnreadableBook(f"{path}: not an OpenITI text (it does not begin with {MAGIC}).")
        uri = VersionURI.of_file(path)
        if uri is None:
            raise UnreadableBook(f"{path}: not named by an OpenITI URI (0505Ghazali.IhyaCulumDin.Shamela0009472-ara1).")
        return uri


def _surveyed(path: Path) -> _Survey:
    survey, at, number, last = _Survey(), 0, 0, b""
    with path.open("rb") as file:
        for raw in iter(partial(file.readline, LINE_LIMIT + 1), b""):
            number += 1
            if len(raw) > LINE_LIMIT:
                raise UnreadableBook(f"{path}: line {number} is longer than {LINE_LIMIT // 1024 // 1024} MB.")
            line = _decoded(path, raw, number)
            at += len(raw)
            if not survey.body_line:
                _survey_header(path, survey, line, number, at)
            elif not survey.tail_line and (
                raw.removeprefix(BOM_UTF8).startswith(TAIL_MARK)
                or (raw.strip() == TAIL_TITLE and last.startswith(b"### |EDITOR|"))
            ):
                survey.tail_line, survey.tail_at = number, at
            elif not survey.has_numbers and b"PageV" in raw:
                survey.has_numbers = NUMBERED.search(raw) is not None
            if not raw.isspace():
                last = raw
    survey.size = at
    if not survey.body_line:
        raise UnreadableBook(f"{path}: the header has no end ({END}).")
    return survey


def _decoded(path: Path, raw: bytes, number: int) -> str:
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableBook(f"{path}: not UTF-8 (line {number}).") from None
    if "\0" in line:
        raise UnreadableBook(f"{path}: not a text, it has NUL characters (line {number}).")
    return line


def _survey_header(path: Path, survey: _Survey, line: str, number: int, at: int) -> None:
    if line.startswith(END):
        survey.body_line, survey.body_at = number + 1, at
    elif number > HEADER_LIMIT:
        raise UnreadableBook(f"{path}: the header has no end ({END}).")
    else:
        survey.header.append(line)


def _lines(path: Path, at: int, number: int, end: int) -> Iterator[tuple[int, str]]:
    """Numbered lines from byte ``at`` to line ``end`` (0: to the last).

    Files put together from several keep the byte order mark of each; before a line it would hide the mark of the line.
    """
    with path.open("rb") as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as file:
        raw.seek(at)
        try:
            for line in file:
                if number == end:
                    return
                yield number, line.rstrip("\r\n").replace("\r", " ").lstrip("\ufeff")
                number += 1
        except UnicodeDecodeError:
            raise UnreadableBook(f"{path}: changed while it was read.") from None


def _blocks(path: Path, survey: _Survey) -> Iterator[Block]:
    tally = Tally()
    body = partial(_lines, path, survey.body_at, survey.body_line, survey.tail_line)
    after = _lines(path, survey.tail_at, survey.tail_line + 1, 0) if survey.tail_line else iter(())
    tail: NotesTail | None = None
    if survey.tail_line and survey.size - survey.tail_at < TAIL_LIMIT and survey.tail_at < BODY_LIMIT:
        tail = NotesTail(after, body(), tally)
    yield from _with_text(path, BodyReader(body(), tally, tail).blocks())
    yield from loose_notes((note for _, note in read_tail(after, tally)) if tail is None else tail.left(), tally)
    yield from tally.findings()


def _with_text(path: Path, blocks: Iterator[Block]) -> Iterator[Block]:
    empty = True
    for block in blocks:
        empty = empty and not isinstance(block, TextBlock)
        yield block
    if empty:
        raise UnreadableBook(f"{path}: there is no text after the header.")


def _home(path: Path, uri: VersionURI) -> str:
    """The address of a file that lies in a clone of an OpenITI repository."""
    folder = uri.century_folder
    if folder not in path.resolve().parts:
        return ""
    return f"https://github.com/OpenITI/{folder}/blob/master/data/{uri.author_key}/{uri.book_key}/{path.name}"
