"""``manage.py load_demo``: something to read in an empty library."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from library.demo import DEMO_BOOKS, DemoBook
from library.importers.drafts import UnreadableBook
from library.importers.store import Outcome, Status, import_book
from library.models import Book, SourceKey


class Command(BaseCommand):
    """Loads each book in a transaction of its own; after a kill, the next run loads what is missing."""

    help = (
        "Load the demo library: a handbook of the site, Sahih al-Bukhari and Sahih Muslim. Does nothing in a library "
        "that holds other books."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the option."""
        parser.add_argument("--force", action="store_true", help="load them beside other books, and again if stored")

    def handle(self, *, force: bool, verbosity: int, **options: Any) -> None:
        """Load them and say in one line what was done; of nothing done not a word at verbosity 0."""
        began = time.monotonic()
        loaded: list[Outcome] = []
        if not force and _holds_other_books():
            line = "The library has books; the demo library was not loaded (--force loads it beside them)."
        else:
            loaded = [outcome for outcome in self._load(force) if outcome.status is not Status.UNCHANGED]
            line = (
                _told(loaded, time.monotonic() - began)
                if loaded
                else "The demo library is stored already; nothing was changed."
            )
        if loaded or verbosity > 0:
            self.stdout.write(line)

    def _load(self, force: bool) -> list[Outcome]:
        """Import the books, under a progress bar where someone looks at one; one that is not there is told."""
        outcomes = []
        total = sum(book.letters for book in DEMO_BOOKS)
        with tqdm(total=total, unit=" letters", unit_scale=True, disable=None, leave=False) as bar:
            for book in DEMO_BOOKS:
                bar.set_description(book.title)
                try:
                    outcomes.append(_import(book, bar, force))
                except UnreadableBook as error:
                    tqdm.write(f"{book.title}: {error}", file=self.stderr)
        return outcomes


def _told(loaded: list[Outcome], seconds: float) -> str:
    """One line about what was loaded."""
    books = f"{len(loaded)} book{'' if len(loaded) == 1 else 's'}"
    passages, pages, findings = (sum(getattr(o, name) for o in loaded) for name in ("passages", "pages", "findings"))
    return (
        f"Demo library: {books}, {passages:,} passages, {pages:,} printed pages, {findings:,} findings for curators, "
        f"in {seconds:.0f} s."
    )


def _import(book: DemoBook, bar: tqdm[Any], force: bool) -> Outcome:
    """Import one book; at its end the bar stands where its share ends, whatever its text had."""
    ends = bar.n + book.letters
    outcome = import_book(book.reader, book.path(), force=force, progress=lambda letters: _advance(bar, letters, ends))
    _advance(bar, book.letters, ends)
    return outcome


def _advance(bar: tqdm[Any], letters: int, most: float) -> None:
    bar.update(max(0, min(letters, most - bar.n)))


def _holds_other_books() -> bool:
    """Whether the library has a book besides those of the demo library."""
    demo = SourceKey.objects.filter(
        kind=SourceKey.Kind.BOOK,
        source__in={book.source for book in DEMO_BOOKS},
        key__in={book.key for book in DEMO_BOOKS},
    )
    return Book.objects.exclude(id__in=demo.values("book_id")).exists()
