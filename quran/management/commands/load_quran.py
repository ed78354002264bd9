"""Load the surahs and verses of the packaged text."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quran.packages import WrongPackageData
from quran.services import load


class Command(BaseCommand):
    """``manage.py load_quran``: safe to run at any time; says whether anything changed."""

    help = "Load the 114 surahs and 6,236 verses from the installed packages; changes nothing when they are there."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, or raise CommandError with one line."""
        try:
            changed = load()
        except WrongPackageData as error:
            raise CommandError(f"The Quran was not loaded: {error}.") from None
        self.stdout.write(
            f"Quran: 114 surahs, 6,236 verses; {changed} rows written." if changed else "Quran: nothing to change."
        )
