"""Reading the catalogue over REST: genres, authors, books, pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from library.models import Author, Book, Page
from library.services.names import save_author
from tests.factories import AuthorFactory, make_edition
from tests.qaf.small_library import PAGES, SmallLibrary

NOTHING = "00000000-0000-4000-8000-000000000000"


def get(client: Client, path: str, **query: object) -> Any:
    response = client.get(f"/v1/{path}", query)
    assert response.status_code == 200, response.content
    return response.json()


def walk(client: Client, path: str, key: str, **query: object) -> list[Any]:
    """All rows of a list, part by part."""
    rows: list[Any] = []
    after: dict[str, object] = {}
    while True:
        part = get(client, path, **query, **after)
        rows += part[key]
        if part["next"] is None:
            return rows
        after = {"after": part["next"]}


# -- lists ----------------------------------------------------------------------------------------------------------


def test_genres_are_forty_with_counts(client: Client, small_library: SmallLibrary) -> None:
    genres = get(client, "genres", locale="ar")["genres"]
    assert [genre["id"] for genre in genres] == list(range(1, 41))
    assert genres[0] == {"id": 1, "slug": "creed", "name": "العقيدة", "bookCount": 1}


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_authors_are_walked_in_the_alphabet_of_the_locale(
    client: Client, small_library: SmallLibrary, locale: str
) -> None:
    everyone = [author.pk for author in Author.objects.in_name_order(locale)]
    assert [row["id"] for row in walk(client, "authors", "authors", limit=1, locale=locale)] == everyone


def test_an_author_who_arrives_meanwhile_shifts_nobody(client: Client, small_library: SmallLibrary) -> None:
    first = get(client, "authors", limit=2)
    save_author(AuthorFactory.build(name_ar="آ", name_en="Aaa"))
    second = get(client, "authors", limit=2, after=first["next"])
    assert not {row["id"] for row in first["authors"]} & {row["id"] for row in second["authors"]}


def test_books_of_an_author_with_those_written_with_others(client: Client, small_library: SmallLibrary) -> None:
    listed = walk(client, "books", "books", authorId=small_library.coauthor.pk)
    assert [row["id"] for row in listed] == [str(small_library.fatwas.pk)]


def test_books_of_a_genre(client: Client, small_library: SmallLibrary) -> None:
    assert [row["id"] for row in walk(client, "books", "books", genre="creed")] == [str(small_library.undated_book.pk)]


def test_hidden_books_are_not_listed(client: Client, small_library: SmallLibrary) -> None:
    Book.objects.filter(pk=small_library.fatwas.pk).update(is_published=False)
    assert str(small_library.fatwas.pk) not in [row["id"] for row in walk(client, "books", "books", limit=2)]


@pytest.mark.parametrize("after", ["x", "W10", "WzEsMl0", "bnVsbA", "WyJhIiwgIngiXQ", "WyJcdWQ4MDAiLDFd"])
@pytest.mark.parametrize("path", ["authors", "books"])
def test_a_place_no_list_gave_out_is_correctable(
    client: Client, small_library: SmallLibrary, path: str, after: str
) -> None:
    response = client.get(f"/v1/{path}", {"after": after})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "after")


# -- one author, one book -------------------------------------------------------------------------------------------


def test_an_author(client: Client, small_library: SmallLibrary) -> None:
    author = small_library.undated
    assert get(client, f"authors/{author.pk}") == {
        "id": author.pk,
        "name": "An Unknown Author",
        "nameArabic": "مؤلف مجهول",
        "deathYearAH": None,
        "deathInexactLabel": "unknown",
        "bookCount": 1,
        "url": f"http://127.0.0.1:8000/en/authors/{author.slug}/",
    }


def test_a_book_with_editions_and_contents(client: Client, small_library: SmallLibrary) -> None:
    book = get(client, f"books/{small_library.ihya.pk}")
    assert book["title"] == "Revival of the Religious Sciences"
    (edition,) = book["editions"]
    assert (edition["versionId"], edition["publisher"], edition["editor"]) == (
        small_library.edition.pk,
        "دار المعرفة",
        None,
    )
    assert edition["volumes"] == [{"vol": "1", "first": 1, "last": len(PAGES), "pages": len(PAGES)}]
    assert book["contents"] == {
        "versionId": small_library.edition.pk,
        "headings": [
            {
                "ordinal": 1,
                "level": 1,
                "title": "كتاب العلم",
                "sequenceNumber": 0,
                "page": {"vol": "1", "page": "1", "ordinal": 1},
            }
        ],
        "next": None,
    }


def test_contributors_have_their_part(client: Client, small_library: SmallLibrary) -> None:
    assert get(client, f"books/{small_library.fatwas.pk}")["contributors"] == [
        {"id": small_library.coauthor.pk, "name": "Taqi al-Din al-Subki", "role": "author"}
    ]


def test_a_book_without_an_edition_has_no_contents(client: Client, small_library: SmallLibrary) -> None:
    book = Book.objects.get(title_en="Book 0")
    assert get(client, f"books/{book.pk}")["contents"] is None


def test_contents_are_listed_part_by_part(client: Client, small_library: SmallLibrary) -> None:
    edition = make_edition(1, volumes=("1", "2", "3"))
    path = f"books/{edition.book_id}"
    first = get(client, path, contentsLimit=2)["contents"]
    rest = get(client, path, contentsLimit=2, contentsAfter=first["next"])["contents"]
    assert [row["title"] for row in first["headings"] + rest["headings"]] == ["كتاب 1", "كتاب 2", "كتاب 3"]
    assert rest["next"] is None


def test_an_edition_of_another_book_is_not_its(client: Client, small_library: SmallLibrary) -> None:
    response = client.get(f"/v1/books/{small_library.fatwas.pk}?versionId={small_library.edition.pk}")
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "versionId")


@pytest.mark.parametrize("path", ["authors/7", f"books/{NOTHING}", "editions/7/pages/1/1", "editions/7/pages/1"])
def test_what_is_not_there_is_not_found(client: Client, small_library: SmallLibrary, path: str) -> None:
    assert client.get(f"/v1/{path}").status_code == 404


# -- pages ----------------------------------------------------------------------------------------------------------


def test_a_page_by_its_number(client: Client, small_library: SmallLibrary) -> None:
    edition = small_library.edition
    page = get(client, f"editions/{edition.pk}/pages/1/2")
    assert page["text"] == PAGES[1]
    assert page["footnotes"] == "(1) حاشية"
    assert page["headings"] == ["كتاب العلم"]
    assert (page["vol"], page["page"], page["n"], page["ordinal"]) == ("1", "2", 1, 2)
    assert (page["previous"], page["next"]) == (1, 3)
    assert page["url"].endswith(f"/en/books/{small_library.ihya.slug}/{edition.pk}/1/2/")
    assert page["passages"] == [
        {"id": str(small_library.passages[1].pk), "sequenceNumber": 1, "start": 0, "end": len(PAGES[1])}
    ]


def test_digits_of_any_script_name_a_page(client: Client, small_library: SmallLibrary) -> None:
    assert get(client, f"editions/{small_library.edition.pk}/pages/١/٢")["ordinal"] == 2


def test_an_edition_is_read_through_by_order(client: Client, small_library: SmallLibrary) -> None:
    Page.objects.filter(edition=small_library.edition, ordinal=3).update(number=None)
    read, here = "", 1
    while here:
        page = get(client, f"editions/{small_library.edition.pk}/pages/{here}")
        read, here = read + page["text"], page["next"]
    assert read == "".join(PAGES)


def test_of_pages_with_one_number_each_is_reached(client: Client, small_library: SmallLibrary) -> None:
    Page.objects.filter(edition=small_library.edition, ordinal=3).update(number=2)
    path = f"editions/{small_library.edition.pk}/pages/1/2"
    assert [get(client, path, n=n)["ordinal"] for n in (1, 2)] == [2, 3]
    assert client.get(f"/v1/{path}?n=3").status_code == 404


@pytest.mark.parametrize("page", ["1/99", "9/1", "-/1", "1/x", "1/%00", "1/2B", "99"])
def test_a_page_that_is_not_there_is_not_found(client: Client, small_library: SmallLibrary, page: str) -> None:
    response = client.get(f"/v1/editions/{small_library.edition.pk}/pages/{page}")
    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
