"""The home page and the lists."""

from __future__ import annotations

import pytest
from django.test import Client

from library import paging
from library.models import Genre, Redirect
from tests.factories import AuthorFactory, BookFactory, RedirectFactory, make_edition
from tests.library.page_text import read

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/", "/books/", "/authors/", "/genres/", "/genres/aqidah/"])
def test_an_empty_library_has_every_list(client: Client, prefix: str, path: str) -> None:
    slug = Genre.objects.values_list("slug", flat=True).get(pk=1)
    read(client, f"{prefix}{path}".replace("aqidah", slug))


def test_the_interface_is_arabic_without_a_prefix(client: Client) -> None:
    (html,) = read(client, "/").attributes("html")
    assert (html["lang"], html["dir"]) == ("ar", "rtl")


def test_the_interface_is_english_under_en(client: Client) -> None:
    (html,) = read(client, "/en/").attributes("html")
    assert (html["lang"], html["dir"]) == ("en", "ltr")


def test_a_page_links_to_itself_in_the_other_language(client: Client) -> None:
    assert read(client, "/books/").attributes("a", class_="other-language")[0]["href"] == "/en/books/"
    assert read(client, "/en/books/").attributes("a", class_="other-language")[0]["href"] == "/books/"


def test_the_home_page_shows_what_arrived(client: Client, prefix: str) -> None:
    book = make_edition(2).book
    page = read(client, f"{prefix}/")
    assert page.attributes("a", href=f"{prefix}/books/{book.slug}/")
    assert page.attributes("a", href=f"{prefix}/authors/{book.author.slug}/")


def test_names_are_those_of_the_language(client: Client) -> None:
    BookFactory.create(title_ar="الأم", title_en="The Mother")
    assert "الأم" in read(client, "/books/").text
    assert "The Mother" in read(client, "/en/books/").text


def test_a_genre_counts_its_published_books(client: Client) -> None:
    BookFactory.create()
    BookFactory.create(is_published=False)
    BookFactory.create(author=AuthorFactory.create(is_published=False))
    assert Genre.objects.with_book_counts().get(pk=1).book_count == 1


def test_an_author_shows_death_and_books(client: Client) -> None:
    book = BookFactory.create(author=AuthorFactory.create(death_year_ah=450, death_label_en="about 450"))
    page = read(client, f"/en/authors/{book.author.slug}/")
    assert "d. 450 AH (about 450)" in page.text
    assert page.attributes("a", href=f"/en/books/{book.slug}/")


@pytest.mark.parametrize(
    ("year", "label", "shown"), [(None, "", ""), (None, "unknown", "d. unknown"), (-80, "", "d. 80 before the Hijra")]
)
def test_a_death_that_is_not_a_year_ah(client: Client, year: int | None, label: str, shown: str) -> None:
    author = AuthorFactory.create(death_year_ah=year, death_label_en=label)
    text = read(client, f"/en/authors/{author.slug}/").text
    assert shown in text
    assert bool(shown) == ("d. " in text)


def test_hidden_things_are_in_no_list(client: Client) -> None:
    hidden = BookFactory.create(is_published=False, title_ar="مخفي")
    orphan = BookFactory.create(author=AuthorFactory.create(is_published=False, name_ar="غائب"), title_ar="يتيم")
    for path in ("/", "/books/", "/authors/", f"/genres/{hidden.genre.slug}/", f"/authors/{hidden.author.slug}/"):
        text = read(client, path).text
        assert not [word for word in ("مخفي", "غائب", "يتيم") if word in text], path
    assert client.get(f"/authors/{orphan.author.slug}/").status_code == 404


def test_an_old_author_slug_redirects(client: Client, prefix: str) -> None:
    author = AuthorFactory.create()
    RedirectFactory.create(kind=Redirect.Kind.AUTHOR_SLUG, old="old", new=author.slug)
    response = client.get(f"{prefix}/authors/old/?after=x")
    assert (response.status_code, response["Location"]) == (301, f"{prefix}/authors/{author.slug}/?after=x")


def test_pages_of_a_list_hold_each_book_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging.slice_of, "__defaults__", (2,))
    titles = [BookFactory.create(sort_key_ar="ا" if place < 3 else "ب").title_ar for place in range(5)]
    path: str | None = "/books/"
    seen: list[str] = []
    while path:
        page = read(client, path)
        seen += [title for title in titles if title in page.text]
        path = next((f"/books/{link['href']}" for link in page.attributes("a", rel="next")), None)
    assert sorted(seen) == sorted(titles)


def test_a_list_leads_back(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging.slice_of, "__defaults__", (2,))
    BookFactory.create_batch(5)
    second = read(client, "/books/" + str(read(client, "/books/").attributes("a", rel="next")[0]["href"]))
    first = read(client, "/books/" + str(second.attributes("a", rel="prev")[0]["href"]))
    assert not first.attributes("a", rel="prev")
    assert first.attributes("a", class_="title") == read(client, "/books/").attributes("a", class_="title")


@pytest.mark.parametrize("place", ["x", "W10", "WyJcdTAwMDAiLCAxXQ", "WzEsIDJd", "ق"])
def test_a_place_that_no_list_gave_out_is_not_found(client: Client, place: str) -> None:
    BookFactory.create()
    for path in ("/books/", "/authors/"):
        assert client.get(path, {"after": place}).status_code == 404
        assert client.get(path, {"before": place}).status_code == 404


@pytest.mark.parametrize("path", ["/nothing/", "/books/nothing/", "/authors/nothing/", "/genres/nothing/"])
def test_what_is_not_there_is_said_in_the_readers_language(client: Client, prefix: str, path: str) -> None:
    response = client.get(f"{prefix}{path}")
    assert response.status_code == 404
    assert ("Not found" if prefix else "لم نجد ما طلبت") in response.content.decode()


def test_no_page_allows_inline_script_or_style(client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
