"""From the subject line of a header to one of the forty genres."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from ..drafts import FindingDraft

GENERAL_BOOKS = 39
"""Where a book goes whose subject is not told or not known."""

DATA = Path(__file__).resolve().parents[2] / "data" / "openiti_subjects.json"


@cache
def _subjects() -> tuple[dict[str, int], dict[str, int]]:
    """Subject → genre: the exact subjects, and the broad shelves that only count where nothing exact is told."""
    data: dict[str, dict[str, int]] = json.loads(DATA.read_text(encoding="utf-8"))
    return data["genres"], data["broad"]


def genre_of(subjects: list[str]) -> tuple[int, list[FindingDraft]]:
    """The genre of a book whose header gives ``subjects``; each may hold several, ``::`` between them.

    The genre that most of them name wins, of equals the first.
    """
    exact, broad = _subjects()
    names = [_name(part) for subject in subjects for part in subject.split("::")]
    names = [name for name in names if name]
    if not names:
        message = "The header names no subject; shelved under general books."
        return GENERAL_BOOKS, [FindingDraft("genre-missing", message)]
    for known in (exact, broad):
        votes = Counter(known[name] for name in names if known.get(name, GENERAL_BOOKS) != GENERAL_BOOKS)
        if votes:
            return votes.most_common(1)[0][0], []
    told = " :: ".join(names)
    message = f"The subject {told} is none that has a genre; shelved under general books."
    return GENERAL_BOOKS, [FindingDraft("genre-unknown", message, excerpt=told[:200])]


def _name(subject: str) -> str:
    """A subject without the note that its books are numbered by machine."""
    return " ".join(re.sub(r"\s*-\s*مرقم آليا\s*$", "", subject).split())
