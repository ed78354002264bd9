"""Finding an author, a book or an edition by its id: an old id answers with what took its place, for ever.

Each costs one query for a living id, three for a redirected one.
"""

from __future__ import annotations

from uuid import UUID

from library.models import Author, Book, Edition, Redirect


def find_author(author_id: int) -> Author | None:
    """The published author of that id, or the successor; None when there is none."""
    shown = Author.objects.published()
    found = shown.filter(pk=author_id).first()
    if found is None and (heir := _heir(Redirect.Kind.AUTHOR, author_id)):
        found = shown.filter(pk=int(heir)).first()
    return found


def find_book(book_id: UUID) -> Book | None:
    """The published book of that id with author and genre, or the successor; None when there is none."""
    shown = Book.objects.published().with_catalogue()
    found = shown.filter(pk=book_id).first()
    if found is None and (heir := _heir(Redirect.Kind.BOOK, book_id)):
        found = shown.filter(pk=UUID(heir)).first()
    return found


def find_edition(edition_id: int) -> Edition | None:
    """The published edition of that id with book, author and genre, or the successor; None when there is none."""
    shown = Edition.objects.published().with_catalogue()
    found = shown.filter(pk=edition_id).first()
    if found is None and (heir := _heir(Redirect.Kind.EDITION, edition_id)):
        found = shown.filter(pk=int(heir)).first()
    return found


def _heir(kind: Redirect.Kind, old: object) -> str | None:
    return Redirect.objects.successors(kind, [str(old)]).get(str(old))
