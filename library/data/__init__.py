"""Facts that come with the code: the contract's genres, tables for importers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


@cache
def genre_slugs() -> tuple[str, ...]:
    """The slugs of the 40 genres in the contract's order; the rows themselves are in the database."""
    return tuple(genre["slug"] for genre in json.loads((FOLDER / "genres.json").read_text("utf-8")))
