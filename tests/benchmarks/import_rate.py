"""How fast a long book is imported and how much memory that takes: run by hand, prints, judges nothing.

    python -m tests.benchmarks.import_rate [--megabytes 100] [--library-only]

Makes a book in a temporary folder and imports it into a scratch database, which is dropped. Everything counts that
``import_books`` does: reading, cutting, storing, and what other applications do in the same transaction
(``--library-only`` leaves that out). The memory is this process's peak, without the database server's.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import django

HEADER = """######OpenITI#
#META# 010.AuthorNAME\t:: مؤلف الكتاب الطويل
#META# 020.BookTITLE\t:: الكتاب الطويل
#META#Header#End#

"""
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
VOCABULARY = 60_000
PARAGRAPH_WORDS = 40
PAGE_WORDS = 250
SECTION_WORDS = 2_000


def _vocabulary(chance: random.Random) -> list[str]:
    """Made-up words of two to eight letters."""
    return ["".join(chance.choices(LETTERS, k=chance.randint(2, 8))) for _ in range(VOCABULARY)]


def _paragraphs(chance: random.Random) -> Iterator[str]:
    """mARkdown without end: paragraphs, a heading every ten pages or so, page markers, common words more often."""
    words = _vocabulary(chance)
    since_page = since_section = 0
    page = 0
    for number in count(1):
        if since_section >= SECTION_WORDS:
            since_section = 0
            yield f"### {'|' if number % 5 == 0 else '||'} باب {number}\n"
        length = chance.randint(5, 2 * PARAGRAPH_WORDS)
        text = " ".join(words[int(VOCABULARY * chance.random() ** 4)] for _ in range(length))
        since_page += length
        since_section += length
        if since_page >= PAGE_WORDS:
            since_page, page = 0, page + 1
            text += f". PageV{page // 500 + 1:02}P{page % 500 + 1:03}"
        yield f"# {text}.\n"


def write_book(folder: Path, megabytes: int) -> Path:
    """A book of that size, the same every time."""
    path = folder / "0001Benchmark.LongBook.Made0000001-ara1.mARkdown"
    left = megabytes * 1_000_000
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for paragraph in _paragraphs(random.Random(1)):
            file.write(paragraph)
            left -= len(paragraph.encode())
            if left <= 0:
                return path
    return path


def main() -> None:
    """Make, import, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--library-only", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")
    django.setup()

    from django.db import connection

    from library.importers.registry import reader_for
    from library.importers.store import import_book
    from library.ports import edition_saved

    if options.library_only:
        edition_saved._plugs.clear()
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = write_book(Path(folder), options.megabytes)
            reader = reader_for(path)
            assert reader is not None
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            for act, force in (("first import", False), ("forced again", True)):
                began, cpu = time.perf_counter(), time.process_time()
                outcome = import_book(reader, path, force=force)
                seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(
                    f"{act}: {path.stat().st_size / 1e6:.0f} MB, {outcome.passages:,} passages, {outcome.pages:,} pages"
                    f" in {seconds:.1f} s = {outcome.passages / seconds:,.0f} passages a second"
                    f" ({cpu:.1f} s of this process);"
                    f" peak memory {peak:.0f} MB (before: {before:.0f} MB)"
                )
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


if __name__ == "__main__":
    main()
