"""How many queries each address asks, however large the library is; the count of calls is one more, elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from library.services.names import save_author, save_book
from qaf.access import keys
from tests.factories import AuthorFactory, BookFactory, make_edition
from tests.qaf.small_library import SmallLibrary, replaced

NOTHING = "00000000-0000-4000-8000-000000000000"

COUNTS: list[tuple[str, int]] = [
    ("/v1/genres", 1),
    ("/v1/authors?limit=3", 1),
    ("/v1/authors/{author}", 2),
    ("/v1/books?limit=3", 1),
    ("/v1/books?limit=3&authorId={author}&genre=creed", 2),
    ("/v1/books/{book}", 4),
    ("/v1/passages/{passage}", 1),
    ("/v1/passages/{passage}?radius=5", 2),
    ("/v1/passages/" + NOTHING + "?radius=5", 4),
    ("/v1/editions/{edition}/pages/1/2", 4),
    ("/v1/editions/{edition}/pages/2", 4),
    ("/v1/catalog/lookup?type=author&query=Ghazali", 2),
    ("/v1/catalog/lookup?type=book&query=Epistle", 2),
    ("/v1/quran/verses?verseKey=112:1-4", 1),
    ("/v1/openapi.json", 0),
    ("/v1/docs", 0),
    ("/v1/redoc", 0),
    ("/v1/nothing", 0),
    ("/healthz", 0),
]


def grow() -> None:
    """Many more rows of everything."""
    for number in range(20):
        author = AuthorFactory.build(name_en=f"Al-Ghazali {number}")
        save_author(author)
        book = BookFactory.build(author=author, genre_id=1, title_en=f"Epistle {number}")
        save_book(book)
        make_edition(2, book=book)


def asked(call: Callable[[], object]) -> int:
    """How many queries a call asks."""
    with CaptureQueriesContext(connection) as queries:
        call()
    return len(queries)


@pytest.mark.parametrize(("path", "count"), COUNTS, ids=[path for path, _ in COUNTS])
def test_an_address_asks_so_many_queries(client: Client, small_library: SmallLibrary, path: str, count: int) -> None:
    replaced("passage", NOTHING, small_library.passages[1].pk)
    path = path.format(
        author=small_library.ghazali.pk,
        book=small_library.ihya.pk,
        passage=small_library.passages[1].pk,
        edition=small_library.edition.pk,
    )
    assert asked(lambda: client.get(path)) == count


SEARCHES = [
    ({}, 4),
    ({"filters": {"authorIds": ["author"]}}, 5),
    ({"excludeIds": [NOTHING]}, 5),
]


@pytest.mark.parametrize(("given", "count"), SEARCHES)
def test_a_search_asks_no_more_in_a_larger_library(
    client: Client, small_library: SmallLibrary, given: dict[str, object], count: int
) -> None:
    body = {"query": "العلم", **given}
    if "filters" in body:
        body["filters"] = {"authorIds": [small_library.ghazali.pk]}

    def search() -> object:
        return client.post("/v1/search", body, content_type="application/json")

    search()
    assert asked(search) <= count
    grow()
    search()  # what was remembered of the smaller library is out of date and read anew, once
    assert asked(search) <= count


@pytest.mark.parametrize(
    "path", ["/v1/genres", "/v1/authors", "/v1/books", "/v1/catalog/lookup?type=book&query=Epistle"]
)
def test_lists_ask_no_more_in_a_larger_library(client: Client, small_library: SmallLibrary, path: str) -> None:
    before = asked(lambda: client.get(path))
    grow()
    assert asked(lambda: client.get(path)) == before


def test_a_key_costs_one_query(client: Client, small_library: SmallLibrary) -> None:
    _, key = keys.make_key("a reader")
    assert asked(lambda: client.get("/v1/genres", headers={"Authorization": f"Bearer {key}"})) == 2
