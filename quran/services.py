"""Writes of the Quran app."""

from __future__ import annotations

from typing import TypeVar

from django.db import transaction

from library.arabic import tsvector_literal

from .models import Surah, Verse
from .packages import read


def load() -> int:
    """Write the packaged surahs and verses; returns how many rows were new or differed.

    Raises:
        WrongPackageData: the packages do not hold what was promised; nothing is written.
    """
    surah_rows, verse_rows = read()
    surahs = [
        Surah(
            number=row.number,
            name_ar=row.name_ar,
            name_en=row.name_en,
            verse_count=row.verse_count,
            revelation=row.revelation,
        )
        for row in surah_rows
    ]
    verses = [
        Verse(
            id=row.id,
            surah_id=row.surah,
            number=row.number,
            text=row.text,
            translation=row.translation,
            words=tsvector_literal(row.text),
            juz=row.juz,
            page=row.page,
        )
        for row in verse_rows
    ]
    with transaction.atomic():
        return _write(Surah, surahs) + _write(Verse, verses)


Row = TypeVar("Row", Surah, Verse)


def _write(model: type[Row], rows: list[Row]) -> int:
    """Upsert those of ``rows`` that are new or differ, the search words aside: PostgreSQL prints them its own way."""
    columns = [field.attname for field in model._meta.concrete_fields if field.name != "words"]
    there = {values[0]: values for values in model._default_manager.values_list(*columns)}
    wanted = [row for row in rows if there.get(row.pk) != tuple(getattr(row, column) for column in columns)]
    model._default_manager.bulk_create(
        wanted,
        update_conflicts=True,
        unique_fields=[columns[0]],
        update_fields=[field.name for field in model._meta.concrete_fields if not field.primary_key],
    )
    return len(wanted)
