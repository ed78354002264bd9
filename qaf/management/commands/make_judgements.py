"""``manage.py make_judgements FOLDER OUT``: judged sets out of real books, for ``evaluate_search``."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from library.importers.drafts import UnreadableBook
from library.importers.registry import books_at
from library.importers.store import import_book
from quran.packages import WrongPackageData, read
from search.evaluation import judged_sets
from search.evaluation.own_sets import Verse, make_sets
from search.evaluation.scratch import NoScratchDatabase, scratch_database


class Command(BaseCommand):
    """Here and not in ``search``, which does not know the Quran. Run again, it writes the same files."""

    help = (
        "Import the books of FOLDER into a scratch database and write judged sets made of them under OUT, a folder "
        "each. The library's own data is not touched."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare where books come from and where sets go."""
        parser.add_argument("folder", type=Path, metavar="FOLDER")
        parser.add_argument("out", type=Path, metavar="OUT")

    def handle(self, *, folder: Path, out: Path, **options: Any) -> None:
        """Import, make, write."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            books = books_at(folder)
            verses = [Verse(f"{row.surah}:{row.number}", row.text, row.translation) for row in read()[1]]
            with scratch_database():
                for book in tqdm(books, unit=" books", leave=False, disable=None):
                    import_book(book.reader, book.path)
                for made in make_sets(verses):
                    judged_sets.write(out / made.name, made.documents, made.queries, made.grades)
                    (out / made.name / "README.txt").write_text(f"{made.about}\n", encoding="utf-8")
                    size = f"{len(made.queries):,} queries, {len(made.documents):,} passages"
                    self.stdout.write(f"{out / made.name}: {size}")
        except (UnreadableBook, WrongPackageData, NoScratchDatabase, OSError) as error:
            raise CommandError(str(error)) from error
