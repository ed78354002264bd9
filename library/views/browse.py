"""The home page and the lists: books, authors, genres."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from library.models import Author, Book, Edition, Genre
from library.models.catalogue import BookQuerySet
from library.paging import BadPlace, M, Slice, slice_of
from library.views.moves import NotInLibrary, for_readers, get_author

RECENT_BOOKS = 8
PROLIFIC_AUTHORS = 12


@require_safe
@for_readers
def home(request: HttpRequest) -> HttpResponse:
    """Search, genres with counts, what arrived last, the authors of most books."""
    context = {
        "genres": [genre for genre in Genre.objects.with_book_counts() if genre.book_count],
        "recent": Book.objects.published().with_catalogue().newest_first()[:RECENT_BOOKS],
        "authors": Author.objects.published().most_books_first()[:PROLIFIC_AUTHORS],
        "totals": {"books": Book.objects.published().count(), **Edition.objects.published().totals()},
    }
    return render(request, "library/home.html", context)


@require_safe
@for_readers
def books(request: HttpRequest) -> HttpResponse:
    """All books by title."""
    return render(request, "library/books.html", {"slice": _slice(request, _listed(Book.objects.all()))})


@require_safe
@for_readers
def authors(request: HttpRequest) -> HttpResponse:
    """All authors by name."""
    listed = Author.objects.published().with_book_counts().in_name_order()
    return render(request, "library/authors.html", {"slice": _slice(request, listed)})


@require_safe
@for_readers
def author(request: HttpRequest, slug: str) -> HttpResponse:
    """An author and their books."""
    person = get_author(slug)
    books = _slice(request, _listed(Book.objects.by_author(person)))
    return render(request, "library/author.html", {"author": person, "slice": books})


@require_safe
@for_readers
def genres(request: HttpRequest) -> HttpResponse:
    """The forty genres with counts."""
    return render(request, "library/genres.html", {"genres": Genre.objects.with_book_counts()})


@require_safe
@for_readers
def genre(request: HttpRequest, slug: str) -> HttpResponse:
    """A genre and its books."""
    kind = Genre.objects.filter(slug=slug).first()
    if kind is None:
        raise NotInLibrary(_("There is no such genre."))
    books = _slice(request, _listed(Book.objects.in_genre(kind)))
    return render(request, "library/genre.html", {"genre": kind, "slice": books})


def _listed(books: BookQuerySet) -> BookQuerySet:
    """Published ones with author and genre, by title."""
    return books.published().with_catalogue().in_title_order()


def _slice(request: HttpRequest, listed: QuerySet[M]) -> Slice[M]:
    """The part that the query string asks for; raises NotInLibrary for a place no list gave out."""
    try:
        return slice_of(listed, request.GET)
    except BadPlace:
        raise NotInLibrary(_("There is no such part of the list.")) from None
