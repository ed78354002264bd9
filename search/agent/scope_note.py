"""What the model is told of the sources that the user picked."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from library.by_id import find_author, find_book
from library.models import Author, Book, Genre
from search.filters import Scope

GONE = "no longer in the library"
NOTHING_LEFT = "The last search found nothing because its filters leave none of these sources."


def scope_note(scope: Scope, locale: str) -> str:
    """Ids and labels (in ``locale``) of what was picked, one kind a line; empty when nothing was.

    An id that was merged into another stands as its successor.
    """
    if not scope:
        return ""
    kinds = {
        "Authors": _authors(scope.author_ids, locale),
        "Books": _books(scope.book_ids, locale),
        "Genres": _genres(scope.genres, locale),
    }
    lines = [f"{kind}: {'; '.join(named)}" for kind, named in kinds.items() if named]
    return "\n".join(["The user selected these sources; every search is limited to them.", *lines])


def _authors(ids: Iterable[int], locale: str) -> list[str]:
    living = Author.objects.published().in_bulk(list(ids))
    found = {given: living.get(given) or find_author(given) for given in ids}
    return [_named(given, author, locale) for given, author in found.items()]


def _books(ids: Iterable[UUID], locale: str) -> list[str]:
    living = Book.objects.published().in_bulk(list(ids))
    found = {given: living.get(given) or find_book(given) for given in ids}
    return [_named(given, book, locale) for given, book in found.items()]


def _genres(slugs: Iterable[str], locale: str) -> list[str]:
    found = Genre.objects.in_bulk(list(slugs), field_name="slug")
    return [f"{slug} ({found[slug].label(locale) if slug in found else GONE})" for slug in slugs]


def _named(given: int | UUID, found: Author | Book | None, locale: str) -> str:
    return f"{given} ({GONE})" if found is None else f"{found.pk} ({found.label(locale)})"
