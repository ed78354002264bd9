"""The search page: what is found, marked, restricted, refused, and paged on."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from library.models import Author, Book, Genre
from library.ports import edition_saved
from search.forms import pack_ids, unpack_ids
from tests.factories import AuthorFactory, BookFactory, EditionFactory, PassageFactory

pytestmark = pytest.mark.django_db

NIYYA = "إنَّما الأعمالُ بالنِّيَّاتِ، وإنَّما لكلِّ امرئٍ ما نوى.\n"


def make_book(*texts: str, **book: Any) -> Book:
    made: Book = BookFactory.create(**book)
    edition = EditionFactory.create(book=made)
    for number, text in enumerate(texts):
        PassageFactory.create(
            edition=edition, sequence_number=number, text=text, pages=[{"vol": "1", "page": number + 1}]
        )
    edition_saved(edition)
    return made


def get(client: Client, language: str = "", **query: Any):
    return client.get(f"{language}/search/?{urlencode(query, doseq=True)}")


def words_of(response) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", response.content.decode())))


def test_page_without_a_query_invites(client: Client) -> None:
    assert get(client).status_code == 200
    assert "Put words between quotation marks" in words_of(get(client, "/en"))


def test_passage_is_found_in_any_spelling_and_marked_in_its_own(client: Client) -> None:
    make_book(NIYYA, title_en="The Forty")
    response = get(client, "/en", q="انما الاعمال بالنيات")
    html = response.content.decode()
    assert response.status_code == 200
    marked = [unescape(mark) for mark in re.findall(r"<mark>(.*?)</mark>", html)]
    assert "الأعمالُ" in marked
    assert "بالنِّيَّاتِ" in marked
    assert "The Forty, printed page 1" in words_of(response)


def test_markup_in_a_text_or_query_stays_text(client: Client) -> None:
    make_book("قال <script>alert(1)</script> الأعمال\n")
    assert "<script>alert" not in get(client, q='<script>alert(2)</script> "الأعمال"').content.decode()
    html = get(client, q="الأعمال").content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_filters_restrict_and_are_kept(client: Client) -> None:
    make_book(NIYYA, title_en="Old", author=AuthorFactory(death_year_ah=200), genre=Genre.objects.get(pk=6))
    make_book(NIYYA, title_en="New", author=AuthorFactory(death_year_ah=700), genre=Genre.objects.get(pk=7))
    found = words_of(get(client, "/en", q="الأعمال", died_from="٣٠٠"))
    assert "New, printed page" in found
    assert "Old, printed page" not in found
    either = words_of(get(client, "/en", q="الأعمال", died_from=300, genre="hadith-collections", operator="OR"))
    assert "Old, printed page" in either
    assert 'value="hadith-collections" checked' in get(client, q="س", genre="hadith-collections").content.decode()


def test_picked_author_and_book_can_be_dropped(client: Client) -> None:
    book = make_book(NIYYA, title_en="The Forty")
    response = get(client, "/en", q="الأعمال", book=book.pk, author=book.author_id)
    html = response.content.decode()
    assert f'<a href="?{urlencode({"q": "الأعمال", "author": book.author_id})}">' in html.replace("&amp;", "&")
    assert "1 results" not in html
    assert "The Forty, printed page 1" in words_of(response)


def test_filters_that_leave_no_book_say_which_to_drop(client: Client) -> None:
    make_book(NIYYA, author=AuthorFactory(death_year_ah=200))
    response = get(client, "/en", q="الأعمال", died_from=300)
    assert response.status_code == 400
    assert "No book of the library matches" in words_of(response)
    assert "the death years" in words_of(response)
    assert f'href="?{urlencode({"q": "الأعمال"})}"' in response.content.decode()


def test_hidden_author_is_as_if_not_there(client: Client) -> None:
    book = make_book(NIYYA)
    Author.objects.filter(pk=book.author_id).update(is_published=False)
    response = get(client, "/en", q="الأعمال", author=book.author_id)
    assert response.status_code == 400
    assert "not in the library" in words_of(response)
    assert "Nothing found" in words_of(get(client, "/en", q="الأعمال"))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"died_from": "abc"}, "Enter a whole number."),
        ({"died_from": 500, "died_to": 400}, "leave no year"),
        ({"genre": "no-such"}, "Select a valid choice"),
        ({"author": "x"}, "cannot be in the library"),
        ({"author": "9" * 30}, "cannot be in the library"),
        ({"book": "x"}, "cannot be in the library"),
        ({"q": "a" * 2001}, "at most 2000 characters"),
        ({"died_to": "1e5"}, "Enter a whole number."),
    ],
)
def test_bad_input_is_told_and_nothing_typed_is_lost(client: Client, query: dict[str, Any], said: str) -> None:
    make_book(NIYYA)
    response = get(client, "/en", **{"q": "الأعمال", **query})
    assert response.status_code == 400
    assert said in words_of(response)
    assert "<mark>" not in response.content.decode()
    assert f'value="{query.get("q", "الأعمال")}"' in response.content.decode()


@pytest.mark.parametrize("query", ["  ", "؟!", "a" * 2000, "' OR 1=1 --", ":* & | !", "\ud800"])
def test_odd_queries_are_answered(client: Client, query: str) -> None:
    make_book(NIYYA)
    assert client.get("/search/", {"q": query.encode("utf-8", "surrogatepass")}).status_code == 200


def test_null_character_is_refused(client: Client) -> None:
    response = client.get("/en/search/", {"q": "\0الأعمال"})
    assert response.status_code == 400
    assert "Null characters are not allowed" in words_of(response)


def test_list_pages_on_by_what_was_seen(client: Client) -> None:
    make_book(*[f"الأعمال رقم {number} في الكتاب\n" for number in range(25)])
    seen: list[str] = []
    address: str | None = f"/search/?{urlencode({'q': 'الأعمال'})}"
    while address:
        html = client.get(address).content.decode()
        seen += re.findall(r'<h3><a href="/passages/([^/]+)/', html)
        onward = re.search(r'rel="next" href="([^"]+)"', html)
        address = f"/search/{unescape(onward[1])}" if onward else None
    assert len(seen) == len(set(seen)) == 25


def test_mangled_place_in_the_list_begins_anew(client: Client) -> None:
    make_book(NIYYA)
    assert "<mark>" in get(client, q="الأعمال", seen="!!!").content.decode()


def test_packed_ids_come_back(client: Client) -> None:
    book = make_book(NIYYA, NIYYA)
    ids = [passage.pk for passage in book.editions.get().passages.all()]
    assert unpack_ids(pack_ids(ids)) == ids
    with pytest.raises(ValueError, match="not packed"):
        unpack_ids("abc")


def test_phrase_that_is_nowhere_says_so(client: Client) -> None:
    make_book(NIYYA)
    found = words_of(get(client, "/en", q='"بالنيات الأعمال"'))
    assert "does not hold this phrase word for word" in found


def test_htmx_gets_the_results_alone_and_history_the_page(client: Client) -> None:
    make_book(NIYYA)
    partial = client.get("/search/", {"q": "الأعمال"}, headers={"HX-Request": "true"})
    assert "<html" not in partial.content.decode()
    assert "<mark>" in partial.content.decode()
    restored = client.get(
        "/search/", {"q": "الأعمال"}, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"}
    )
    assert "<html" in restored.content.decode()
    assert {"HX-Request", "HX-History-Restore-Request"} <= {name.strip() for name in partial["Vary"].split(",")}


def test_search_takes_as_many_queries_in_a_large_library_as_in_a_small(
    client: Client, django_assert_max_num_queries
) -> None:
    make_book(NIYYA)
    with django_assert_max_num_queries(10) as small:
        get(client, q="الأعمال")
    for _ in range(20):
        make_book(*[NIYYA] * 5)
    # What was remembered of the small library is out of date, so this search reads as much anew.
    with django_assert_max_num_queries(len(small.captured_queries)):
        get(client, q="الأعمال")
