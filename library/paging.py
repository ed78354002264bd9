"""Lists paged by key: each part begins after a row, not after a count, so a part costs the same however far down it is.

Addresses carry ``after`` or ``before``, the place of a row in the list's order. Rows that arrive or go meanwhile
neither repeat nor hide others.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

if TYPE_CHECKING:
    from collections.abc import Mapping

M = TypeVar("M", bound=Model)

LIST_SIZE = 50


class BadPlace(ValueError):
    """An ``after`` or ``before`` that this list never gave out."""


@dataclass(frozen=True, slots=True)
class Slice(Generic[M]):
    """One part of a list. ``before`` and ``after`` are the values for its neighbours' addresses, None at an end."""

    items: list[M]
    before: str | None
    after: str | None


def slice_of(queryset: QuerySet[M], query: Mapping[str, Any], size: int = LIST_SIZE) -> Slice[M]:
    """The part of ``queryset`` that ``query`` asks for.

    Args:
        queryset: ordered by one ascending column that is never null, then by ``id``.
        query: may hold ``after`` or ``before``; with neither the list begins at its top.
        size: rows a part.

    Raises:
        BadPlace: the value was not made by this function.
    """
    column, unique = map(str, queryset.query.order_by)
    if unique != "id" or column.startswith("-"):
        raise ValueError("the list must be ordered by one ascending column, then by id")
    after, before = query.get("after"), query.get("before")
    rows = queryset
    if before:
        rows = _beyond(rows, column, before, "lt").reverse()
    elif after:
        rows = _beyond(rows, column, after, "gt")
    try:
        found = list(rows[: size + 1])
    except (ValidationError, ValueError) as error:
        raise BadPlace(str(error)) from None
    more, items = len(found) > size, found[:size]
    if before:
        items.reverse()
    first = _place(items[0], column) if items and (more if before else after) else None
    last = _place(items[-1], column) if items and (before or more) else None
    return Slice(items, first, last)


def _beyond(queryset: QuerySet[M], column: str, place: str, side: str) -> QuerySet[M]:
    """Rows after (``gt``) or before (``lt``) a place; the first condition lets an index find where to begin."""
    try:
        key, pk = json.loads(base64.urlsafe_b64decode(place.encode("ascii") + b"=" * (-len(place) % 4)))
    except (ValueError, TypeError, binascii.Error):
        raise BadPlace(place) from None
    if not isinstance(key, str) or not isinstance(pk, str | int) or "\0" in f"{key}{pk}":
        raise BadPlace(place)
    try:
        return queryset.filter(
            Q(**{f"{column}__{side}e": key}), Q(**{f"{column}__{side}": key}) | Q(**{f"id__{side}": pk})
        )
    except (ValidationError, ValueError, TypeError):
        raise BadPlace(place) from None


def _place(row: M, column: str) -> str:
    """The place of a row, as it stands in an address."""
    pk: Any = row.pk if isinstance(row.pk, int) else str(row.pk)
    text = json.dumps([getattr(row, column), pk], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
