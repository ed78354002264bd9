"""A book's page and its table of contents."""

from __future__ import annotations

import pytest
from django.test import Client

from library import contents
from library.models import Contributor, Edition, Numbering, Redirect
from tests.factories import (
    AuthorFactory,
    BookFactory,
    EditionFactory,
    RedirectFactory,
    SectionFactory,
    make_edition,
)
from tests.library.page_text import home_of, read

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_an_edition_shows_where_it_comes_from(client: Client, prefix: str) -> None:
    edition = make_edition(
        3, editor="أحمد شاكر", publisher="دار المعارف", place="القاهرة", year="1952", licence="CC BY 4.0"
    )
    text = read(client, f"{prefix}/books/{edition.book.slug}/").text
    for fact in ("أحمد شاكر", "دار المعارف", "القاهرة", "CC BY 4.0", "OpenITI", "1952" if prefix else "١٩٥٢"):
        assert fact in text


def test_an_edition_of_which_nothing_is_known_is_called_by_its_source(client: Client) -> None:
    edition = make_edition(1, editor="", publisher="", place="", year="", source="openiti")
    assert f"Digital text from OpenITI ({edition.pk})" in read(client, f"/en/books/{edition.book.slug}/").text


@pytest.mark.parametrize("numbering", Numbering.values)
def test_only_print_numbering_is_called_printed(client: Client, numbering: str) -> None:
    edition = make_edition(1, numbering=numbering)
    assert ("printed" in read(client, f"/en/books/{edition.book.slug}/").text) == (numbering == "print")


def test_reading_begins_at_the_first_page(client: Client) -> None:
    edition = make_edition(3, volumes=("1", "2"))
    (door,) = read(client, f"/books/{edition.book.slug}/").attributes("a", class_="door")
    assert door["href"] == f"{home_of(edition)}1/1/"


def test_an_edition_without_pages_begins_at_its_first_passage(client: Client) -> None:
    edition = make_edition(3)
    edition.pages.all().delete()
    (door,) = read(client, f"/books/{edition.book.slug}/").attributes("a", class_="door")
    assert door["href"] == f"{home_of(edition)}t/0/"


def test_the_default_edition_is_chosen_first(client: Client) -> None:
    book = BookFactory.create()
    make_edition(1, book=book, is_default=False)
    chosen = make_edition(1, book=book, is_default=True)
    (article,) = read(client, f"/books/{book.slug}/").attributes("article", class_="edition chosen")
    assert article["id"] == f"edition-{chosen.pk}"


def test_another_edition_is_chosen_by_its_address(client: Client) -> None:
    book = BookFactory.create()
    other = make_edition(1, book=book, is_default=False)
    make_edition(1, book=book, is_default=True)
    (article,) = read(client, home_of(other)).attributes("article", class_="edition chosen")
    assert article["id"] == f"edition-{other.pk}"


def test_a_translator_is_named(client: Client) -> None:
    edition = make_edition(1)
    person = AuthorFactory.create(name_en="Pickthall")
    Contributor.objects.create(book=edition.book, author=person, role=Contributor.Role.TRANSLATOR)
    assert "translator Pickthall" in read(client, f"/en/books/{edition.book.slug}/").text


def test_hidden_editions_are_not_found(client: Client) -> None:
    book = BookFactory.create()
    hidden = make_edition(1, book=book, is_default=False, is_published=False)
    shown = make_edition(1, book=book)
    assert f"edition-{hidden.pk}" not in read(client, f"/books/{book.slug}/").ids
    for path in ("", "1/1/", "p/1/", "t/0/", "contents/", "go/?page=1", f"same-place/?of={shown.pk}&passage=0&at=0"):
        assert client.get(home_of(hidden) + path).status_code == 404, path


@pytest.mark.parametrize("path", ["", "1/2/", "p/2/", "t/1/", "contents/", "go/?vol=1&page=2"])
def test_an_old_slug_redirects_for_good(client: Client, prefix: str, path: str) -> None:
    edition = make_edition(3)
    RedirectFactory.create(kind=Redirect.Kind.BOOK_SLUG, old="old", new=edition.book.slug)
    response = client.get(f"{prefix}/books/old/{edition.pk}/{path}")
    assert (response.status_code, response["Location"]) == (301, f"{prefix}{home_of(edition)}{path}")


def test_an_old_book_slug_redirects(client: Client) -> None:
    book = BookFactory.create()
    RedirectFactory.create(kind=Redirect.Kind.BOOK_SLUG, old="old", new=book.slug)
    assert client.get("/books/old/")["Location"] == f"/books/{book.slug}/"


def test_an_edition_that_was_moved_is_found_under_its_new_book(client: Client) -> None:
    edition, former = make_edition(3), BookFactory.create()
    response = client.get(f"/books/{former.slug}/{edition.pk}/1/2/")
    assert (response.status_code, response["Location"]) == (301, f"{home_of(edition)}1/2/")


def test_an_edition_that_was_merged_leads_to_its_successor(client: Client) -> None:
    edition = make_edition(3)
    RedirectFactory.create(kind=Redirect.Kind.EDITION, old="77", new=str(edition.pk))
    response = client.get(f"/books/{edition.book.slug}/77/1/2/")
    assert (response.status_code, response["Location"]) == (301, f"{home_of(edition)}1/2/")


@pytest.mark.parametrize("path", ["/books/nonsense/{}/1/1/", "/books/{slug}/4242/", "/books/{slug}/x/1/1/"])
def test_an_unknown_book_or_version_is_not_found(client: Client, path: str) -> None:
    edition = make_edition(1)
    assert client.get(path.format(edition.pk, slug=edition.book.slug)).status_code == 404


# -- contents -------------------------------------------------------------------------------------------------------


@pytest.fixture
def deep() -> Edition:
    """Two parts; the second has two chapters, the first of them a paragraph of its own."""
    edition = EditionFactory.create()
    made = make_edition(9, book=edition.book, is_default=False)
    made.sections.all().delete()
    rows: dict[int, object] = {}
    for ordinal, (title, parent, level) in enumerate(
        [("أول", 0, 1), ("ثان", 0, 1), ("فصل", 2, 2), ("مسألة", 3, 3), ("خاتمة", 2, 2)], start=1
    ):
        rows[ordinal] = SectionFactory.create(
            edition=made, ordinal=ordinal, title=title, parent=rows.get(parent), level=level, sequence_number=ordinal
        )
    return made


def test_contents_open_step_by_step(client: Client, deep: Edition) -> None:
    part = read(client, f"{home_of(deep)}contents/?under=2", **HTMX)
    assert part.ids == ["s3", "s5"]
    assert not part.attributes("html")


def test_contents_open_along_a_heading(client: Client, deep: Edition) -> None:
    page = read(client, f"{home_of(deep)}contents/?at=4")
    listed = [name for name in page.ids if name and name[0] == "s" and name[1:].isdigit()]
    assert listed == ["s1", "s2", "s3", "s4", "s5"]
    assert [link["data-section"] for link in page.attributes("a", class_="heading") if "aria-current" in link] == ["4"]


def test_contents_are_a_whole_page_without_htmx(client: Client, deep: Edition) -> None:
    page = read(client, f"{home_of(deep)}contents/?under=2")
    assert page.attributes("html")
    assert {"s3", "s5"} <= set(page.ids)


def test_a_heading_shows_its_page_and_leads_to_it(client: Client, deep: Edition) -> None:
    page = read(client, f"/en{home_of(deep)}contents/")
    (link,) = page.attributes("a", class_="heading", **{"data-section": "1"})
    assert link["href"] == f"/en{home_of(deep)}1/2/#b1-0"


def test_a_long_list_goes_on_where_it_stopped(client: Client, deep: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MOST", 1)
    first = read(client, f"{home_of(deep)}contents/")
    assert [name for name in first.ids if name and name.startswith("s")] == ["s1"]
    assert read(client, f"{home_of(deep)}contents/?after=1", **HTMX).ids == ["s2"]
    assert read(client, f"{home_of(deep)}contents/?under=2&after=3", **HTMX).ids == ["s5"]


def test_a_long_list_shows_the_heading_one_stands_under(
    client: Client, deep: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MOST", 1)
    assert "s5" in read(client, f"{home_of(deep)}contents/?at=5").ids


@pytest.mark.parametrize("query", ["at=99", "under=x", "at=-1", "after=٣", "after=99", "under=99999999999"])
def test_contents_of_no_heading_are_not_found(client: Client, deep: Edition, query: str) -> None:
    assert client.get(f"{home_of(deep)}contents/?{query}").status_code == 404


def test_contents_vary_with_htmx(client: Client, deep: Edition) -> None:
    vary = client.get(f"{home_of(deep)}contents/")["Vary"]
    assert "HX-Request" in vary
    assert "HX-History-Restore-Request" in vary
