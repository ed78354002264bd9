"""Writing an edition's passages, pages and sections: by COPY, and only what differs from what is stored.

COPY goes into tables without history triggers alone (DESIGN §4); the caller has already written by the ORM.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from uuid import UUID, uuid5

from django.db import connection, models
from django.db.models import CharField
from django.db.models.functions import Cast

from library.models import Edition, Page, Passage, Redirect, Section, SourceKey
from library.models.text import place_id
from library.services import redirects

from .alignment import Alignment, align
from .cutbook import CutBook, PassageRow, text_digest

_COLUMNS = ("id", "edition_id", "sequence_number", "text", "spans", "notes", "pages", "item")
_STAGED = "staged_passage"
_FETCHED = 500

Row = tuple[Any, ...]


@dataclass(slots=True)
class PassageChange:
    """What a text's storing did to the edition's passages; ``issued`` is the new ``Edition.passages_issued``."""

    issued: int
    ids: list[UUID] = field(default_factory=list)
    kept: int = 0
    redirected: dict[str, str] = field(default_factory=dict)
    written: int = 0


class _Stored:
    """The passages that an edition has now; texts are not held."""

    def __init__(self, edition: Edition) -> None:
        self._passages = Passage.objects.in_edition(edition)
        self.ids: list[UUID] = []
        self.digests: list[bytes] = []
        self.rows: dict[UUID, bytes] = {}
        for identity, *values in self._passages.values_list("id", *_COLUMNS[2:]).iterator(chunk_size=_FETCHED):
            self.ids.append(identity)
            self.digests.append(text_digest(values[1]))
            self.rows[identity] = _digest(values)

    def between(self, first: int, last: int) -> Iterator[str]:
        """The texts from place ``first`` up to, not including, ``last``."""
        texts = self._passages.values_list("text", flat=True)[first:last]
        return texts.iterator(chunk_size=_FETCHED)


def plan_passages(edition: Edition, key: SourceKey, cut: CutBook) -> tuple[PassageChange, dict[UUID, bytes]]:
    """Give every passage of ``cut`` its id, and say what becomes of the old ones; nothing is written.

    Returns:
        The change (``written`` still 0) and the digests of the rows that are stored now.
    """
    stored = _Stored(edition)
    change = PassageChange(issued=edition.passages_issued)
    alignment = Alignment()
    if stored.ids:
        longest = max(cut.words, len(stored.ids) * cut.words // cut.passage_count)
        alignment = align(stored, cut, words=longest)
    heirs = {new: old for old, new in alignment.heirs.items()}
    for new in range(cut.passage_count):
        if new in heirs:
            change.ids.append(stored.ids[heirs[new]])
        else:
            change.issued += 1
            change.ids.append(uuid5(key.pk, str(change.issued)))
    change.kept = len(heirs)
    change.redirected = {
        str(stored.ids[old]): str(change.ids[new]) for old, new in sorted(alignment.successors.items())
    }
    return change, stored.rows


def write_passages(edition: Edition, change: PassageChange, digests: dict[UUID, bytes], cut: CutBook) -> None:
    """Write what ``plan_passages`` planned: rows that differ, redirects for ids that went."""
    rows = _passage_rows(edition, change, digests, cut)
    if not digests:
        change.written = _copy(Passage._meta.db_table, _COLUMNS, rows)
    else:
        _merge_passages(rows, change)
        gone = list(change.redirected)
        Passage.objects.filter(pk__in=gone).delete()
        redirects.redirect(Redirect.Kind.PASSAGE, change.redirected)
    mine = Passage.objects.filter(edition=edition).annotate(as_text=Cast("id", CharField())).values("as_text")
    Redirect.objects.of_kind(Redirect.Kind.PASSAGE).filter(old__in=mine).delete()


def _passage_rows(edition: Edition, change: PassageChange, digests: dict[UUID, bytes], cut: CutBook) -> Iterator[Row]:
    """The rows to write: those that are new or differ."""
    for row in cut.passages():
        identity = change.ids[row.sequence_number]
        if identity not in digests or digests[identity] != _digest(list(row)):
            yield (str(identity), edition.pk, *_encoded(row))


def _encoded(row: PassageRow) -> Row:
    """A row for COPY: lists as JSON."""
    json_columns = (json.dumps(value, ensure_ascii=False) for value in (row.spans, row.notes, row.pages))
    return (row.sequence_number, row.text, *json_columns, row.item)


def _digest(values: list[Any]) -> bytes:
    """A hash of a passage's columns, the same for a stored row and a new one."""
    return blake2b(json.dumps(values, ensure_ascii=False, sort_keys=True).encode(), digest_size=16).digest()


def _merge_passages(rows: Iterator[Row], change: PassageChange) -> None:
    """Update the rows that exist and insert the others, in three statements."""
    table = Passage._meta.db_table
    names = ", ".join(_COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {_STAGED} (LIKE {table}) ON COMMIT DROP")
        change.written = _copy(_STAGED, _COLUMNS, rows)
        if change.written:
            settings = ", ".join(f"{name} = staged.{name}" for name in _COLUMNS[2:])
            cursor.execute(f"UPDATE {table} p SET {settings} FROM {_STAGED} staged WHERE p.id = staged.id")  # noqa: S608
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {names} FROM {_STAGED} staged"  # noqa: S608
                f" WHERE NOT EXISTS (SELECT FROM {table} p WHERE p.id = staged.id)"
            )
        cursor.execute(f"DROP TABLE {_STAGED}")


def write_pages(edition: Edition, cut: CutBook) -> bool:
    """Make the stored pages those of ``cut``; returns whether any row was written."""
    columns = ("ordinal", "vol", "number", "suffix", "sequence_number", "at")
    return _replace(Page, edition, columns, cut.pages())


def write_sections(edition: Edition, cut: CutBook) -> bool:
    """Make the stored sections those of ``cut``; returns whether any row was written."""
    columns = ("ordinal", "parent_id", "level", "title", "kind", "sequence_number", "at")
    placed = (
        (row.ordinal, None if row.parent is None else place_id(edition.pk, row.parent), *row[2:])
        for row in cut.sections()
    )
    return _replace(Section, edition, columns, placed)


def _replace(
    model: type[Page] | type[Section], edition: Edition, columns: tuple[str, ...], rows: Iterable[Row]
) -> bool:
    """Replace an edition's rows of ``model`` when any differs. ``columns`` begin with the ordinal."""
    new = [tuple(row) for row in rows]
    old = model._default_manager.filter(edition=edition).order_by("ordinal").values_list(*columns)
    if _same(old, new):
        return False
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE edition_id = %s", [edition.pk])  # noqa: S608
    full = ((place_id(edition.pk, row[0]), edition.pk, *row) for row in new)
    _copy(model._meta.db_table, ("id", "edition_id", *columns), full)
    return True


def _same(old: models.QuerySet[Any, Any], new: list[Row]) -> bool:
    count = 0
    for count, row in enumerate(old.iterator(chunk_size=_FETCHED), start=1):
        if count > len(new) or row != new[count - 1]:
            return False
    return count == len(new)


def _copy(table: str, columns: tuple[str, ...], rows: Iterable[Row]) -> int:
    """COPY ``rows`` into ``table`` and return how many there were."""
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return int(cursor.rowcount)
