"""Publishing and hiding. What is hidden is gone at once from lists, search and links; nothing is deleted."""

from __future__ import annotations

from library.models import Author, Book, Edition


def publish(thing: Author | Book | Edition) -> None:
    """Let the public see an author, book or edition (as far as what it belongs to is published too)."""
    _set(thing, True)


def hide(thing: Author | Book | Edition) -> None:
    """Hide an author with all their books, a book with its editions, or one edition."""
    _set(thing, False)


def _set(thing: Author | Book | Edition, published: bool) -> None:
    if thing.is_published != published:
        thing.is_published = published
        thing.save(update_fields=["is_published", "updated_at"])
