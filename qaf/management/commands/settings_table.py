"""``manage.py settings_table``: prints ``docs/settings.md``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from qaf.settings.environment import SETTINGS

HEAD = """# Settings

Read from the environment. This page is printed by `manage.py settings_table > docs/settings.md`.

| name | default | what it does |
|---|---|---|
"""


def settings_page() -> str:
    """The page, in Markdown."""
    rows = (f"| `{each.name}` | {f'`{each.default}`' if each.default else ''} | {each.help} |\n" for each in SETTINGS)
    return HEAD + "".join(rows)


class Command(BaseCommand):
    """Print every setting with its default and its meaning."""

    help = "Print docs/settings.md."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Print it."""
        self.stdout.write(settings_page(), ending="")
