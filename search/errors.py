"""Errors that the caller of a search can correct; their text says what to change."""

from __future__ import annotations

from collections.abc import Sequence


class CorrectableSearchError(Exception):
    """``str()`` of it is the message for the caller; ``field`` is the input it is about."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class UnknownIds(CorrectableSearchError):
    """A filter names what is not in the catalogue, or is hidden there."""

    def __init__(self, field: str, noun: str, ids: Sequence[object], remedy: str) -> None:
        self.ids = list(ids)
        listed = ", ".join(str(item) for item in ids[:-1])
        named = f"{listed} or {ids[-1]}" if listed else f"{ids[-1]}"
        super().__init__(field, f"No {noun} has {_ids_word(noun, ids)} {named}; {remedy}.")


class NoBookMatches(CorrectableSearchError):
    """Filters that no book of the catalogue can match; ``fields`` are those that were given."""

    def __init__(self, fields: Sequence[str], operator: str) -> None:
        self.fields = list(fields)
        together = " together" if len(fields) > 1 and operator == "AND" else ""
        super().__init__("filters", f"No book matches {' and '.join(fields)}{together}; widen or leave out a filter.")


def _ids_word(noun: str, ids: Sequence[object]) -> str:
    return "slug" if noun == "genre" else "ID"
