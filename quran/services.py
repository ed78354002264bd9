"""Writes of the Quran app."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from library.arabic import FOLD_VERSION, STEM_MARK, light_stem, tsvector_literal

from .data.facts import VERSES
from .models import Surah, Verse
from .packages import read


def load() -> int:
    """Write the packaged surahs and verses; returns how many rows were new or differed.

    Raises:
        WrongPackageData: the packages do not hold what was promised; nothing is written.
    """
    surahs, verses = packaged_rows()
    with transaction.atomic():
        return _write(Surah, surahs) + _write(Verse, verses, prepare=add_search_words)


def is_loaded() -> bool:
    """Whether all verses are there, indexed under the present folding."""
    return Verse.objects.folded_now().count() == VERSES


def packaged_rows() -> tuple[list[Surah], list[Verse]]:
    """What the tables are to hold, not written yet, and verses without search words. Raises WrongPackageData."""
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
            fold_version=FOLD_VERSION,
            juz=row.juz,
            page=row.page,
            lines=row.lines,
        )
        for row in verse_rows
    ]
    return surahs, verses


def add_search_words(verses: list[Verse]) -> None:
    """Give verses their words with places and their stems without, in PostgreSQL's notation."""
    for verse in verses:
        words = tsvector_literal(verse.text)
        stems = {STEM_MARK + light_stem(form) for form in re.findall(r"'([^']+)'", words)}
        verse.words = " ".join([words, *(f"'{stem}'" for stem in sorted(stems))])


Row = TypeVar("Row", Surah, Verse)


def _write(model: type[Row], rows: list[Row], prepare: Callable[[list[Row]], None] | None = None) -> int:
    """Upsert those of ``rows`` that are new or differ, search words aside: ``prepare`` makes them for the others."""
    columns = [field.attname for field in model._meta.concrete_fields if field.name != "words"]
    there = {values[0]: values for values in model._default_manager.values_list(*columns)}
    wanted = [row for row in rows if there.get(row.pk) != tuple(getattr(row, column) for column in columns)]
    if prepare:
        prepare(wanted)
    model._default_manager.bulk_create(
        wanted,
        update_conflicts=True,
        unique_fields=[columns[0]],
        update_fields=[field.name for field in model._meta.concrete_fields if not field.primary_key],
    )
    return len(wanted)
