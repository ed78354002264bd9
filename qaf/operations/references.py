"""Books and authors as every answer names them."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation

from library.models import Author, Book

from .outputs import AuthorReference, BookReference


def book_reference(book: Book, locale: str) -> BookReference:
    """The book, wants its genre loaded."""
    return BookReference(id=str(book.pk), title=book.label(locale), genre=book.genre.slug, categoryId=book.genre_id)


def author_reference(author: Author, locale: str) -> AuthorReference:
    """The author."""
    return AuthorReference(
        id=author.pk,
        name=author.label(locale),
        deathYearAH=author.death_year_ah,
        deathInexactLabel=author.death_label(locale),
    )


def public_url(target: Author | Book, locale: str) -> str:
    """The absolute address of its page on the reading site, in the language of ``locale``."""
    with translation.override(locale):
        return f"{settings.PUBLIC_BASE_URL}{target.get_absolute_url()}"
