"""``manage.py refold``: index anew, beside the old, what an older folding wrote."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from library.models import Edition, Passage
from search.lexical.building import BUILD_SIZE
from search.lexical.indexing import index_editions, index_next_missing
from search.lexical.merging import merge_once


class Command(BaseCommand):
    """Search goes on meanwhile: an edition changes from the old to the new in one moment."""

    help = "Index the editions that are not, or not under the present folding, and merge what there is to merge."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare how far to go."""
        parser.add_argument("--all", action="store_true", help="Index every edition anew.")

    def handle(self, *, all: bool, **options: Any) -> None:
        """Index, then merge."""
        with tqdm(total=Passage.objects.count() if all else None, unit=" passages") as progress:
            for batch in _batches() if all else ():
                progress.update(index_editions(batch))
            while done := index_next_missing():
                progress.update(done)
        merged = 0
        while done := merge_once():
            merged += done
        self.stdout.write(f"merged {merged} segments")


def _batches() -> list[list[int]]:
    """Editions by id, about ``BUILD_SIZE`` passages at a time."""
    batches: list[list[int]] = [[]]
    size = 0
    for pk, count in Edition.objects.order_by("pk").values_list("pk", "passage_count"):
        if batches[-1] and size + count > BUILD_SIZE:
            batches.append([])
            size = 0
        batches[-1].append(pk)
        size += count
    return batches
