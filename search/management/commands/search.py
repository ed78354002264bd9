"""``manage.py search "…"``: what the library answers, for a person at a terminal."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.errors import CorrectableSearchError
from search.filters import DeathYears, Filters
from search.retrieve import Hit, Hits, retrieve

#: Letters of a passage that are printed, around its first mark.
EXCERPT = 400


class Command(BaseCommand):
    """Prints book, author, place, score and an excerpt of each passage found; marks are coloured on a terminal."""

    help = "Search the library."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the query and its filters."""
        parser.add_argument("query", help="Arabic or English; a quoted part is a phrase.")
        parser.add_argument("--limit", type=int, default=5)
        parser.add_argument("--author", type=int, action="append", default=[], metavar="ID", dest="authors")
        parser.add_argument("--book", type=UUID, action="append", default=[], metavar="ID", dest="books")
        parser.add_argument("--genre", action="append", default=[], metavar="SLUG", dest="genres")
        parser.add_argument("--died-from", type=int, metavar="YEAR", help="AH")
        parser.add_argument("--died-to", type=int, metavar="YEAR", help="AH")
        parser.add_argument("--or", action="store_const", const="OR", default="AND", dest="operator")
        parser.add_argument("--full", action="store_true", help="Whole passages instead of excerpts.")

    def handle(self, **options: Any) -> None:
        """Search and print."""
        filters = Filters(
            author_ids=tuple(options["authors"]),
            book_ids=tuple(options["books"]),
            death_year=DeathYears(gte=options["died_from"], lte=options["died_to"]),
            genres=tuple(options["genres"]),
        )
        start = time.perf_counter()
        try:
            hits = retrieve(options["query"], filters, options["operator"], options["limit"])
        except CorrectableSearchError as error:
            raise CommandError(str(error)) from error
        for rank, hit in enumerate(hits.results, start=1):
            self._print(rank, hit, options["full"])
        self._print_end(hits, (time.perf_counter() - start) * 1000)

    def _print(self, rank: int, hit: Hit, full: bool) -> None:
        edition = hit.passage.edition
        author = edition.book.author
        died = f" ({author.death_year_ah})" if author.death_year_ah is not None else ""
        head = f"{rank}. {edition.book.title_ar} — {author.name_ar}{died}, {_place(hit)}"
        self.stdout.write(self.style.MIGRATE_HEADING(head) + f"  [{hit.score:.2f}] {hit.passage.pk}")
        begin, end = (0, len(hit.passage.text)) if full else _window(hit)
        self.stdout.write(self._marked(hit, begin, end) + "\n")

    def _marked(self, hit: Hit, begin: int, end: int) -> str:
        text, at, parts = hit.passage.text, begin, []
        for start, stop in hit.marks:
            if begin <= start and stop <= end:
                parts += [text[at:start], self.style.SUCCESS(text[start:stop])]
                at = stop
        parts.append(text[at:end])
        before, after = "… " if begin else "", " …" if end < len(text) else ""
        return before + "".join(parts).strip() + after

    def _print_end(self, hits: Hits, milliseconds: float) -> None:
        phases = ", ".join(f"{phase} {spent:.1f}" for phase, spent in hits.milliseconds.items())
        notes = f" Notes: {', '.join(hits.notes)}." if hits.notes else ""
        self.stdout.write(f"{len(hits.results)} passages, {hits.mode}, {milliseconds:.0f} ms ({phases}).{notes}")


def _place(hit: Hit) -> str:
    pages = hit.passage.pages
    if not pages:
        return f"#{hit.passage.sequence_number}"
    first = pages[0]
    number = "?" if first["page"] is None else first["page"]
    return f"{first['vol']}/{number}" if first["vol"] is not None else f"{number}"


def _window(hit: Hit) -> tuple[int, int]:
    """An excerpt around the first mark, cut at spaces."""
    text = hit.passage.text
    first = hit.marks[0][0] if hit.marks else 0
    begin = max(0, first - EXCERPT // 4)
    end = min(len(text), begin + EXCERPT)
    if begin:
        begin = text.find(" ", begin, first) + 1 or begin
    if end < len(text):
        end = text.rfind(" ", begin + 1, end) if " " in text[begin + 1 : end] else end
    return begin, end
