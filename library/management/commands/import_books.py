"""``manage.py import_books``: books from files or folders into the library."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, InterfaceError, OperationalError
from tqdm import tqdm

from library.importers.cutting import TARGET_WORDS, CuttingRules
from library.importers.drafts import UnreadableBook
from library.importers.registry import Book, books_at
from library.importers.store import Outcome, Status, Taken, import_book, preview_book

# Bytes of UTF-8 to a letter, space or stop of Arabic text (15 books: 1.78–1.83): what moves the bar.
BYTES_PER_LETTER = 1.8


def _target(value: str) -> int:
    """The argument of ``--words``."""
    if not value.isdecimal() or not 20 <= int(value) <= 2000:
        raise ArgumentTypeError("must be a number from 20 to 2000")
    return int(value)


@dataclass(slots=True)
class Report:
    """What became of a run's files."""

    outcomes: list[Outcome] = field(default_factory=list)
    failures: int = 0

    def summary(self) -> str:
        """One line."""
        states = Counter(outcome.status for outcome in self.outcomes)
        editions = len({outcome.edition_key for outcome in self.outcomes})
        books = len({outcome.book_key for outcome in self.outcomes})
        told = ", ".join(f"{states[status]} {status}" for status in Status)
        line = f"{_count(editions, 'edition')} of {_count(books, 'book')}: {told}; "
        read = [outcome for outcome in self.outcomes if outcome.read]
        if read:
            parts = ((sum(getattr(outcome, name) for outcome in read), name[:-1]) for name in _COUNTED)
            line += ", ".join(_count(number, name) for number, name in parts)
        elif states[Status.UNCHANGED] == len(self.outcomes):
            line += "nothing was changed"
        else:
            line += "no text was changed"
        return line + (f"; {_count(self.failures, 'path')} could not be imported" if self.failures else "")


_COUNTED = ("passages", "pages", "sections", "notes", "findings")


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


class Command(BaseCommand):
    """Exit code 1 when any path could not be imported, 130 when interrupted."""

    help = (
        "Import books from files or folders, one transaction a book. Safe to run twice and to kill: what is stored and "
        "unchanged is left alone, and values that a curator changed are kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare paths and options."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a book, or a folder to search")
        parser.add_argument("--dry-run", action="store_true", help="read and cut, write nothing, list findings")
        parser.add_argument("--force", action="store_true", help="store books again that are unchanged")
        parser.add_argument(
            "--words", type=_target, default=TARGET_WORDS, help=f"words of a passage (default {TARGET_WORDS})"
        )

    def handle(self, *, paths: list[Path], dry_run: bool, force: bool, words: int, **options: Any) -> None:
        """Import what is at ``paths`` and end with one line that says what was done."""
        report = Report()
        rules, taken = CuttingRules(words), Taken()

        def act(book: Book, progress: Callable[[int], None]) -> Outcome:
            if dry_run:
                return preview_book(book.reader, book.path, rules=rules, progress=progress, taken=taken)
            return import_book(book.reader, book.path, rules=rules, force=force, progress=progress, taken=taken)

        try:
            self._run(self._books(paths, report), act, report)
        except KeyboardInterrupt:
            self.stderr.write("Interrupted; the book at hand was left as it was. Run the command again to go on.")
            self._tell(report, dry_run)
            raise SystemExit(130) from None
        self._tell(report, dry_run)
        if report.failures:
            raise SystemExit(1)

    def _books(self, paths: Iterable[Path], report: Report) -> list[Book]:
        """The books at all paths; a path without one is told and counted."""
        books: dict[str, Book] = {}
        for path in paths:
            try:
                for book in books_at(path):
                    books.setdefault(os.path.realpath(book.path), book)
            except (UnreadableBook, OSError) as error:
                self._fail(report, path, error)
        return list(books.values())

    def _run(self, books: list[Book], act: Callable[[Book, Callable[[int], None]], Outcome], report: Report) -> None:
        """Do ``act`` on each book, under a progress bar where someone looks at one."""
        sizes = [_size(book.path) for book in books]
        with tqdm(total=sum(sizes), unit="B", unit_scale=True, disable=None, leave=False) as bar:
            for book, size in zip(books, sizes, strict=True):
                bar.set_description(book.path.name[:40])
                meter = _Meter(bar, size)
                try:
                    outcome = act(book, meter.advance)
                except (UnreadableBook, OSError) as error:
                    self._fail(report, book.path, error)
                except (OperationalError, InterfaceError) as error:
                    why = f"the database did not answer ({_line(error)}); run the command again."
                    self._fail(report, book.path, why)
                    return
                except DatabaseError as error:
                    self._fail(report, book.path, f"the database refused it: {_line(error)}")
                else:
                    report.outcomes.append(outcome)
                    for message in outcome.kept:
                        with tqdm.external_write_mode(self.stdout):
                            self.stdout.write(message)
                meter.finish()

    def _fail(self, report: Report, path: Path, error: Exception | str) -> None:
        """One line on stderr, with the path before it unless it is there."""
        report.failures += 1
        line = str(error) if isinstance(error, str) else _line(error)
        with tqdm.external_write_mode(self.stderr):
            self.stderr.write(line if line.startswith(str(path)) else f"{path}: {line}")

    def _tell(self, report: Report, dry_run: bool) -> None:
        """The summary; in a dry run the findings by kind too."""
        if dry_run:
            codes: Counter[str] = Counter()
            for outcome in report.outcomes:
                codes.update(outcome.finding_codes)
            for code, number in codes.most_common():
                self.stdout.write(f"{number:>8,}  {code}")
        if report.outcomes:
            self.stdout.write(("would be: " if dry_run else "") + report.summary())


class _Meter:
    """Moves the bar by one file: by estimate while it is read, by the file's size at its end."""

    def __init__(self, bar: tqdm[Any], size: int) -> None:
        self._bar, self._size, self._letters, self._shown = bar, size, 0, 0

    def advance(self, letters: int) -> None:
        """So many letters more were read."""
        self._letters += letters
        self._to(min(self._size, int(self._letters * BYTES_PER_LETTER)))

    def finish(self) -> None:
        """The file is done."""
        self._to(self._size)

    def _to(self, shown: int) -> None:
        if shown > self._shown:
            self._bar.update(shown - self._shown)
            self._shown = shown


def _size(path: Path) -> int:
    """Bytes of a file; 0 when it is gone, which its reader will say better."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _line(error: Exception) -> str:
    """An error's message in one line."""
    return " ".join(str(error).split()) or type(error).__name__
