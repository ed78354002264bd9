"""What answers the catalogue's operations."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.db.models import QuerySet

from library.by_id import find_author, find_book
from library.models import Author, Book, Genre
from library.models.catalogue import BookQuerySet
from library.paging import BadPlace, M, Slice, slice_of
from qaf.operations.errors import CorrectableInput
from qaf.operations.references import author_reference, public_url
from search.database import snapshot, until

from .editions import contents, edition_output
from .inputs import AuthorInput, AuthorsInput, BookInput, BooksInput, GenresInput, ListInput
from .outputs import (
    AuthorOutput,
    AuthorsOutput,
    BookOutput,
    BooksOutput,
    BookSummary,
    ContributorOutput,
    GenreOutput,
    GenresOutput,
    Role,
)


def list_genres(given: GenresInput, deadline: float) -> GenresOutput:
    """The forty genres with how many books each has."""
    with snapshot(), until(deadline):
        rows = list(Genre.objects.with_book_counts())
    return GenresOutput(
        genres=[
            GenreOutput(id=row.pk, slug=row.slug, name=row.label(given.locale), bookCount=row.book_count)
            for row in rows
        ]
    )


def list_authors(given: AuthorsInput, deadline: float) -> AuthorsOutput:
    """A part of the authors in alphabetical order."""
    with snapshot(), until(deadline):
        part = _part(given, Author.objects.published().with_book_counts().in_name_order(given.locale))
    return AuthorsOutput(authors=[_author(row, given.locale) for row in part.items], next=part.after)


def get_author(given: AuthorInput, deadline: float) -> AuthorOutput:
    """An author; an id that was merged answers with its successor."""
    with snapshot(), until(deadline):
        author = _known_author(given.id, "id")
        author.book_count = Book.objects.published().filter(author=author).count()
    return _author(author, given.locale)


def list_books(given: BooksInput, deadline: float) -> BooksOutput:
    """A part of the books in alphabetical order."""
    with snapshot(), until(deadline):
        books: BookQuerySet = Book.objects.published().with_catalogue().in_title_order(given.locale)
        if given.authorId is not None:
            books = books.by_author(_known_author(given.authorId, "authorId"))
        if given.genre is not None:
            books = books.in_genre_called(given.genre)
        part = _part(given, books)
    return BooksOutput(books=[_summary(row, given.locale) for row in part.items], next=part.after)


def get_book(given: BookInput, deadline: float) -> BookOutput:
    """A book, its editions and a part of the contents of one; an id that was merged answers with its successor."""
    with snapshot(), until(deadline):
        book = find_book(UUID(given.id))
        if book is None:
            message = f"No book has ID {given.id}; use an ID returned by lookup_catalog."
            raise CorrectableInput("id", message, not_found=True)
        contributors = list(book.contributors.select_related("author").filter(author__is_published=True).order_by("id"))
        editions = list(book.editions.published().preferred_first())
        listed = contents(editions, given)
    return BookOutput(
        **dict(_summary(book, given.locale)),
        contributors=[
            ContributorOutput(id=row.author_id, name=row.author.label(given.locale), role=cast(Role, row.role))
            for row in contributors
        ],
        editions=[edition_output(row) for row in editions],
        contents=listed,
    )


def _part(given: ListInput, rows: QuerySet[M]) -> Slice[M]:
    """The part of a list that was asked for."""
    try:
        return slice_of(rows, {"after": given.after} if given.after else {}, given.limit)
    except BadPlace:
        message = "No part of this list begins there; use the `next` of an earlier part."
        raise CorrectableInput("after", message) from None


def _known_author(author_id: int, field: str) -> Author:
    author = find_author(author_id)
    if author is None:
        message = f"No author has ID {author_id}; use an ID returned by lookup_catalog."
        raise CorrectableInput(field, message, not_found=field == "id")
    return author


def _author(author: Author, locale: str) -> AuthorOutput:
    return AuthorOutput(
        id=author.pk,
        name=author.label(locale),
        nameArabic=author.label("ar"),
        deathYearAH=author.death_year_ah,
        deathInexactLabel=author.death_label(locale),
        bookCount=author.book_count,
        url=public_url(author, locale),
    )


def _summary(book: Book, locale: str) -> BookSummary:
    return BookSummary(
        id=str(book.pk),
        title=book.label(locale),
        titleArabic=book.label("ar"),
        genre=book.genre.slug,
        categoryId=book.genre_id,
        author=author_reference(book.author, locale),
        url=public_url(book, locale),
    )
