"""The formats Qaf reads, and the books at a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .drafts import BookReader, UnreadableBook
from .openiti import OpenITIReader, find_books


@dataclass(frozen=True)
class Format:
    """A format: what it is called, its reader, and how its books are found in folders.

    ``find`` gives the books among paths, raising ``UnreadableBook`` for a folder without one.
    """

    name: str
    reader: type[BookReader]
    find: Callable[[Iterable[Path]], Iterator[Path]]


# In the order in which they are asked.
FORMATS = (Format("OpenITI mARkdown", OpenITIReader, find_books),)


@dataclass(frozen=True)
class Book:
    """A file to import and the reader for it."""

    path: Path
    reader: BookReader


def reader_for(path: Path) -> BookReader | None:
    """A reader of the first format that recognises a file, or None."""
    return next((form.reader() for form in FORMATS if form.reader.recognises(path)), None)


def books_at(path: Path) -> list[Book]:
    """The book that a file is, or the books in a folder and its folders, in order of their paths.

    Raises:
        UnreadableBook: there is nothing at ``path``, or no book; one line says so.
    """
    if path.is_dir():
        found: dict[Path, BookReader] = {}
        for form in reversed(FORMATS):
            try:
                found |= {book: form.reader() for book in form.find([path])}
            except UnreadableBook:
                continue
        if not found:
            raise UnreadableBook(f"{path}: no book in this folder.")
        return [Book(book, found[book]) for book in sorted(found)]
    if not path.exists():
        raise UnreadableBook(f"{path}: there is no such file or folder.")
    if not path.is_file():
        raise UnreadableBook(f"{path}: not a file.")
    if path.stat().st_size == 0:
        raise UnreadableBook(f"{path}: the file is empty.")
    try:
        path.open("rb").close()
    except OSError as error:
        raise UnreadableBook(f"{path}: cannot be read ({error.strerror}).") from None
    reader = reader_for(path)
    if reader is None:
        names = ", ".join(form.name for form in FORMATS)
        raise UnreadableBook(f"{path}: not a book in a format that Qaf reads ({names}).")
    return [Book(path, reader)]
