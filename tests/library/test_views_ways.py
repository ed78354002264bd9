"""Ways to a place: permalinks, item numbers, the form, the same place in another edition."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from library.models import Edition, Numbering, Passage, Redirect
from tests.factories import (
    BookFactory,
    EditionFactory,
    PassageFactory,
    RedirectFactory,
    SectionFactory,
    make_edition,
)
from tests.library.page_text import home_of

pytestmark = pytest.mark.django_db


def leads_to(client: Client, path: str) -> str:
    """Where an address redirects to."""
    response = client.get(path)
    assert response.status_code == 302, path
    return str(response["Location"])


@pytest.fixture
def edition() -> Edition:
    """Two volumes of three pages."""
    return make_edition(3, volumes=("1", "2"))


# -- permalinks -----------------------------------------------------------------------------------------------------


def test_a_permalink_leads_to_its_page_with_the_passage_named(client: Client, edition: Edition, prefix: str) -> None:
    passage = Passage.objects.in_edition(edition)[4]
    assert leads_to(client, f"{prefix}/passages/{passage.pk}/") == f"{prefix}{home_of(edition)}2/2/#p4"


def test_a_permalink_leads_to_the_page_on_which_its_passage_begins(client: Client, edition: Edition) -> None:
    edition.pages.filter(ordinal__in=(2, 3)).update(sequence_number=1)
    edition.pages.filter(ordinal=3).update(at=5)
    passage = Passage.objects.in_edition(edition)[1]
    assert leads_to(client, f"/passages/{passage.pk}/") == f"{home_of(edition)}1/2/#p1"


def test_a_permalink_into_an_edition_without_pages_leads_to_the_passage(client: Client) -> None:
    passage = PassageFactory.create(sequence_number=7)
    assert leads_to(client, passage.get_absolute_url()) == f"{home_of(passage.edition)}t/7/#p7"


def test_a_permalink_that_was_lost_leads_to_its_successor(client: Client, edition: Edition) -> None:
    lost, heir = uuid.uuid4(), Passage.objects.in_edition(edition)[2]
    RedirectFactory.create(kind=Redirect.Kind.PASSAGE, old=str(lost), new=str(heir.pk))
    assert leads_to(client, f"/passages/{lost}/") == f"{home_of(edition)}1/3/#p2"


def test_a_permalink_of_nothing_is_not_found(client: Client, prefix: str) -> None:
    assert client.get(f"{prefix}/passages/{uuid.uuid4()}/").status_code == 404
    assert client.get(f"{prefix}/passages/nonsense/").status_code == 404


@pytest.mark.parametrize("hidden", ["edition", "book", "author"])
def test_a_permalink_of_something_hidden_is_not_found(client: Client, edition: Edition, hidden: str) -> None:
    passage = Passage.objects.in_edition(edition)[0]
    thing = {"edition": edition, "book": edition.book, "author": edition.book.author}[hidden]
    thing.is_published = False
    thing.save()
    assert client.get(passage.get_absolute_url()).status_code == 404
    assert client.get(f"{home_of(edition)}1/1/").status_code == 404
    if hidden != "edition":
        assert client.get(f"/books/{edition.book.slug}/").status_code == 404


# -- items and the form ---------------------------------------------------------------------------------------------


def test_a_hadith_is_found_by_its_number(client: Client, edition: Edition) -> None:
    Passage.objects.filter(edition=edition, sequence_number__in=(3, 4)).update(item="52")
    assert leads_to(client, f"{home_of(edition)}n/52/") == f"{home_of(edition)}2/1/#p3"
    assert leads_to(client, f"{home_of(edition)}n/٥٢/") == f"{home_of(edition)}2/1/#p3"
    assert leads_to(client, f"{home_of(edition)}go/?item=٥٢") == f"{home_of(edition)}n/52/"


@pytest.mark.parametrize("item", ["53", "<b>", "%00", "a b", ".."])
def test_a_hadith_that_is_not_there_is_not_found(client: Client, edition: Edition, item: str) -> None:
    assert client.get(f"{home_of(edition)}n/{item}/").status_code == 404
    assert client.get(f"{home_of(edition)}go/?item={item}", follow=True).status_code == 404


@pytest.mark.parametrize(
    ("query", "address"),
    [("vol=2&page=3", "2/3/"), ("vol=٢&page=٣", "2/3/"), ("vol=2&page=", "2/1/"), ("vol=-&page=7", "-/7/"),
     ("vol=2&page=500", "2/500/"), ("passage=3", "t/2/"), ("passage=٣", "t/2/")],
)  # fmt: skip
def test_the_form_leads_to_its_page(client: Client, edition: Edition, prefix: str, query: str, address: str) -> None:
    assert leads_to(client, f"{prefix}{home_of(edition)}go/?{query}") == f"{prefix}{home_of(edition)}{address}"


@pytest.mark.parametrize("query", ["vol=1&page=abc", "vol=a/b&page=1", "passage=x", "item=a/b"])
def test_the_form_finds_nothing_for_nonsense(client: Client, edition: Edition, query: str) -> None:
    assert client.get(f"{home_of(edition)}go/?{query}").status_code == 404


# -- the same place in another edition ------------------------------------------------------------------------------


def switch(client: Client, source: Edition, passage: int, target: Edition) -> str:
    """Where the link to another edition leads from a passage."""
    return leads_to(client, f"{home_of(target)}same-place/?of={source.pk}&passage={passage}&at=0")


def test_two_editions_of_one_print_keep_the_page(client: Client, edition: Edition) -> None:
    other = make_edition(3, volumes=("1", "2"), book=edition.book, is_default=False)
    assert switch(client, edition, 4, other) == f"{home_of(other)}2/2/?kept=page"


def test_editions_of_different_prints_keep_the_words(client: Client, edition: Edition) -> None:
    other = make_edition(30, volumes=("1",), book=edition.book, is_default=False)
    words = "إنما الأعمال بالنيات وإنما لكل امرئ ما نوى فمن كانت هجرته إلى الله ورسوله"
    Passage.objects.filter(edition=edition, sequence_number=4).update(text=f"{words}\n")
    Passage.objects.filter(edition=other, sequence_number=11).update(text=f"قال: {words} فهجرته إلى الله ورسوله\n")
    assert switch(client, edition, 4, other) == f"{home_of(other)}1/12/?kept=words#p11"


def test_editions_of_different_prints_keep_the_heading(client: Client, edition: Edition) -> None:
    other = make_edition(30, volumes=("1",), book=edition.book, is_default=False)
    SectionFactory.create(edition=other, ordinal=2, title="كتابُ 2", sequence_number=20)
    assert switch(client, edition, 4, other) == f"{home_of(other)}1/21/?kept=section#p20"


def test_of_headings_with_one_title_the_nearest_in_proportion_is_kept(client: Client, edition: Edition) -> None:
    other = make_edition(30, volumes=("1",), book=edition.book, is_default=False)
    for ordinal, place in enumerate((5, 19, 28), start=2):
        SectionFactory.create(edition=other, ordinal=ordinal, title="كتاب 2", sequence_number=place)
    assert switch(client, edition, 4, other).endswith("#p19")


def test_editions_without_common_headings_keep_the_proportion(client: Client, edition: Edition) -> None:
    edition.sections.all().delete()
    other = make_edition(30, volumes=("1",), book=edition.book, is_default=False)
    assert switch(client, edition, 3, other) == f"{home_of(other)}1/16/?kept=proportion#p15"


def test_automatic_numbers_are_no_common_pages(client: Client, edition: Edition) -> None:
    other = make_edition(3, volumes=("1", "2"), book=edition.book, is_default=False, numbering=Numbering.AUTO)
    assert "kept=section" in switch(client, edition, 4, other)


def test_an_edition_without_pages_keeps_the_place_too(client: Client, edition: Edition) -> None:
    other = EditionFactory.create(book=edition.book, is_default=False, passage_count=12)
    PassageFactory.create_batch(12, edition=other)
    assert switch(client, edition, 3, other) == f"{home_of(other)}t/6/?kept=proportion#p6"


@pytest.mark.parametrize("how", ["page", "words", "section", "proportion"])
def test_a_page_says_how_the_place_was_kept(client: Client, edition: Edition, prefix: str, how: str) -> None:
    answer = client.get(f"{prefix}{home_of(edition)}1/1/?kept={how}").content.decode()
    assert '<p class="notice" role="status">' in answer


def test_a_page_links_to_the_same_place_of_the_other_edition(client: Client, edition: Edition) -> None:
    other = make_edition(3, volumes=("1", "2"), book=edition.book, is_default=False)
    answer = client.get(f"{home_of(edition)}2/2/").content.decode()
    assert f"{home_of(other)}same-place/?of={edition.pk}&amp;passage=4&amp;at=0" in answer


@pytest.mark.parametrize("query", ["", "of=x&passage=0&at=0", "of=4242&passage=0&at=0", "of=1&passage=9999999999&at=0"])
def test_the_same_place_of_nothing_is_not_found(client: Client, edition: Edition, query: str) -> None:
    assert client.get(f"{home_of(edition)}same-place/?{query}").status_code == 404


def test_the_same_place_of_a_passage_that_is_not_there_is_not_found(client: Client, edition: Edition) -> None:
    other = make_edition(3, volumes=("1", "2"), book=edition.book, is_default=False)
    assert client.get(f"{home_of(other)}same-place/?of={edition.pk}&passage=6&at=0").status_code == 404


def test_the_same_place_of_another_book_is_not_found(client: Client, edition: Edition) -> None:
    stranger = make_edition(1, book=BookFactory.create())
    assert client.get(f"{home_of(edition)}same-place/?of={stranger.pk}&passage=0&at=0").status_code == 404
