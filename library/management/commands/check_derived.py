"""``manage.py check_derived``: find columns and rows that no longer follow from what they are derived from."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from library.services.derived import find_stale


class Command(BaseCommand):
    """Exit code 1 when anything is stale and was not repaired."""

    help = (
        "Compare sort keys, name forms, page copies, volumes, counts, default editions and redirects with what they "
        "are derived from, and say what a raw UPDATE left behind."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare ``--fix``."""
        parser.add_argument("--fix", action="store_true", help="set right what can be derived again")

    def handle(self, *, fix: bool, **options: Any) -> None:
        """Print a line for each stale thing, and one in the end."""
        found: Counter[str] = Counter()
        for stale in find_stale():
            repaired = fix and stale.repair is not None
            if repaired and stale.repair:
                stale.repair()
            found["repaired" if repaired else "stale"] += 1
            self.stdout.write(f"{stale.check}: {stale.what}{' (repaired)' if repaired else ''}")
        if not found:
            self.stdout.write("Everything derived is as it should be.")
            return
        self.stdout.write(", ".join(f"{number:,} {state}" for state, number in sorted(found.items())))
        if found["stale"]:
            raise SystemExit(1)
