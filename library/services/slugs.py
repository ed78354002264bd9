"""Slugs: the names of authors and books in addresses; ASCII, unique, never one that once named something else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count

from django.utils.text import slugify

from library.models import Author, Book, Redirect


def author_slug(hints: Iterable[str], death_year_ah: int | None, fallback: str) -> str:
    """A free slug for a new author from the first usable hint, with the death year or a number where it is taken."""
    return _free(Author, Redirect.Kind.AUTHOR_SLUG, hints, death_year_ah, fallback)


def book_slug(hints: Iterable[str], death_year_ah: int | None, fallback: str) -> str:
    """A free slug for a new book from the first usable hint, with its author's death year or a number where taken."""
    return _free(Book, Redirect.Kind.BOOK_SLUG, hints, death_year_ah, fallback)


def _free(model: type[Author] | type[Book], kind: str, hints: Iterable[str], year: int | None, fallback: str) -> str:
    longest = model._meta.get_field("slug").max_length or 100
    base = next((slug for hint in hints if (slug := slugify(hint))), slugify(fallback))[: longest - 12].strip("-")
    family = {"slug__startswith": base}
    taken = set(model._default_manager.filter(**family).values_list("slug", flat=True))
    taken |= set(Redirect.objects.of_kind(kind).filter(old__startswith=base).values_list("old", flat=True))
    dated = [f"{base}-{year}"] if year is not None and year > 0 else []
    root = dated[0] if dated else base
    candidates = chain([base], dated, (f"{root}-{number}" for number in count(2)))
    return next(slug for slug in candidates if slug not in taken)
