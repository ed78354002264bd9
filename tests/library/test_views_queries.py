"""How many queries each page asks, and that a library a hundred times larger asks no more.

The page measured is the hardest: it has footnotes, headings above it, a volume among four and another edition.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from library.models import Author, Book, Edition, Passage
from tests.factories import AuthorFactory, BookFactory, EditionFactory
from tests.library.bulk import annotate, fill

pytestmark = pytest.mark.django_db

VOLUMES = ("1", "2", "3", "4")


def crowd(books: int) -> None:
    """Write so many more authors with a book and an edition each."""
    authors = AuthorFactory.build_batch(books)
    Author.objects.bulk_create(authors)
    written = [BookFactory.build(author=author, genre_id=number % 40 + 1) for number, author in enumerate(authors)]
    Book.objects.bulk_create(written)
    Edition.objects.bulk_create(EditionFactory.build(book=book) for book in written)


@pytest.fixture(params=[1, 100], ids=["small", "a hundredfold"])
def measured(request: pytest.FixtureRequest) -> Edition:
    """An edition to read in a library of this size, beside another edition of its book."""
    size = request.param
    edition = EditionFactory.create()
    for one in (edition, EditionFactory.create(book=edition.book, is_default=False)):
        fill(one, 3 * size, VOLUMES)
        annotate(one)
    crowd(2 * size)
    return edition


# Query counts by address; ``{e}`` is the edition's. No more than six for a page of a four-volume book.
PAGES = {
    "/": 5,
    "/books/": 1,
    "/authors/": 1,
    "/authors/{author}/": 2,
    "/genres/": 1,
    "/genres/{genre}/": 2,
    "/books/{book}/": 5,
    "{e}": 5,
    "{e}contents/": 2,
    "{e}contents/?at=4": 3,
    "{e}contents/?under=3": 3,
    "{e}2/2/": 5,
    "{e}p/2/": 4,
    "{e}t/2/": 4,
    "{e}go/?vol=2&page=3": 1,
    "{e}n/7/": 3,
    "{e}same-place/?of={other}&passage=4&at=0": 4,
    "/passages/{passage}/": 2,
    "/books/nothing/": 2,
}


def test_pages_ask_as_much_of_a_large_library_as_of_a_small_one(client: Client, prefix: str, measured: Edition) -> None:
    names = {
        "e": f"/books/{measured.book.slug}/{measured.pk}/",
        "author": measured.book.author.slug,
        "book": measured.book.slug,
        "genre": measured.book.genre.slug,
        "other": measured.book.editions.exclude(pk=measured.pk).get().pk,
        "passage": Passage.objects.in_edition(measured)[3].pk,
    }
    counted = {}
    for address in PAGES:
        with CaptureQueriesContext(connection) as queries:
            client.get(prefix + address.format(**names))
        counted[address] = len(queries)
    assert counted == PAGES


def test_the_page_that_is_measured_has_everything_and_turns_at_no_more(client: Client, measured: Edition) -> None:
    page = client.get(f"/books/{measured.book.slug}/{measured.pk}/2/2/").content.decode()
    for part in ('class="notes"', 'class="path"', 'id="drawer"', "same-place/", '<select name="vol">'):
        assert part in page
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/books/{measured.book.slug}/{measured.pk}/2/2/", headers={"HX-Request": "true"})
    assert len(queries) == PAGES["{e}2/2/"]
