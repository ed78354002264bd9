"""Leaves of a book: printed pages, unnumbered pages, passages of editions without pages."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from library import ports
from library.models import Edition, Numbering, Page, Passage
from library.ports import Annotation
from tests.factories import EditionFactory, PageFactory, PassageFactory, SectionFactory, make_edition
from tests.library.page_text import Markup, home_of, read

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def turns(page: Markup) -> tuple[str | None, str | None]:
    """Where a page's links to the one before and the one after lead."""
    links = {link["class"]: link["href"] for link in page.attributes("a") if link.get("class") in ("back", "on")}
    return links.get("back"), links.get("on")


@pytest.fixture
def edition() -> Edition:
    """Two volumes of three pages."""
    return make_edition(3, volumes=("1", "2"))


@pytest.fixture
def running() -> Edition:
    """One volume, three pages cut through two passages: the second page runs from the first to the second passage."""
    edition = EditionFactory.create(passage_count=2, page_count=3)
    edition.volumes = [{"vol": "1", "first": 1, "last": 3, "first_ordinal": 1, "pages": 3}]
    edition.save()
    PassageFactory.create(edition=edition, sequence_number=0, text="باب الأول\nكلام أول، وكلام ثان ")
    PassageFactory.create(edition=edition, sequence_number=1, text="وكلام ثالث.\nوخاتمة <الكتاب>.\n")
    PageFactory.create(edition=edition, ordinal=1, sequence_number=0, at=0)
    PageFactory.create(edition=edition, ordinal=2, sequence_number=0, at=20)
    PageFactory.create(edition=edition, ordinal=3, sequence_number=1, at=12)
    return edition


# -- the text -------------------------------------------------------------------------------------------------------


def test_the_text_of_the_pages_is_the_text_that_is_stored(client: Client, running: Edition) -> None:
    shown = [read(client, f"{home_of(running)}1/{number}/").book_text for number in (1, 2, 3)]
    assert "".join(shown) == "".join(Passage.objects.in_edition(running).values_list("text", flat=True))
    assert shown[1] == "وكلام ثان وكلام ثالث.\n"


def test_the_text_is_arabic_from_right_to_left_in_every_interface(
    client: Client, edition: Edition, prefix: str
) -> None:
    (text,) = read(client, f"{prefix}{home_of(edition)}1/1/").attributes("div", class_="text")
    assert (text["lang"], text["dir"]) == ("ar", "rtl")


def test_every_passage_of_a_page_can_be_linked_to(client: Client, running: Edition) -> None:
    page = read(client, f"{home_of(running)}1/2/")
    assert [name for name in page.ids if name in ("p0", "p1")] == ["p0", "p1"]
    permalinks = [link["href"] for link in page.attributes("a", class_="pin")]
    assert permalinks == [f"/passages/{passage.pk}/" for passage in Passage.objects.in_edition(running)]


def test_higher_rooms_lay_links_over_the_text(
    client: Client, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    port: ports.Port = ports.Port()
    monkeypatch.setattr(ports, "passage_annotators", port)
    port.register(lambda passages: {passages[0].pk: [Annotation(0, 2, "/quran/1/1/", "الفاتحة ١", "verse")]})
    (link,) = read(client, f"{home_of(edition)}1/1/").attributes("a", class_="over verse")
    assert (link["href"], link["title"]) == ("/quran/1/1/", "الفاتحة ١")


def test_notes_stand_apart_and_marks_lead_both_ways(client: Client) -> None:
    edition = make_edition(1)
    passage = edition.passages.get()
    passage.text = "نص (1) آخر\n"
    passage.spans = [{"kind": "note_ref", "from": 3, "to": 6, "mark": "(1)"}]
    passage.notes = [{"mark": "(1)", "at": 3, "text": "حاشية <المحقق>", "page_ordinal": 1}]
    passage.save()
    page = read(client, f"{home_of(edition)}1/1/")
    assert page.book_text == passage.text
    assert page.attributes("a", class_="call")[0]["href"] == "#n0-0"
    assert page.attributes("a", class_="mark")[0]["href"] == "#c0-0"
    assert {"n0-0", "c0-0"} <= set(page.ids)
    assert "حاشية <المحقق>" in page.text


def test_a_page_without_text_says_so(client: Client, edition: Edition) -> None:
    Page.objects.filter(edition=edition, ordinal=6).update(sequence_number=5, at=0)
    Page.objects.filter(edition=edition, ordinal=5).update(sequence_number=5, at=0)
    assert "There is no text on this page." in read(client, f"/en{home_of(edition)}2/2/").text


def test_the_headings_above_a_page_are_shown(client: Client, edition: Edition) -> None:
    part = edition.sections.get(ordinal=2)
    SectionFactory.create(edition=edition, ordinal=3, title="فصل", parent=part, level=2, sequence_number=4)
    page = read(client, f"{home_of(edition)}2/3/")
    assert page.text.index("كتاب 2") < page.text.index("فصل")


# -- turning pages --------------------------------------------------------------------------------------------------


def test_pages_lead_to_their_neighbours_across_volumes(client: Client, edition: Edition, prefix: str) -> None:
    home = f"{prefix}{home_of(edition)}"
    assert turns(read(client, f"{home}1/3/")) == (f"{home}1/2/", f"{home}2/1/")


def test_the_first_and_last_page_lead_one_way(client: Client, edition: Edition) -> None:
    home = home_of(edition)
    assert turns(read(client, f"{home}1/1/")) == (None, f"{home}1/2/")
    assert turns(read(client, f"{home}2/3/")) == (f"{home}2/2/", None)


def test_htmx_gets_the_leaf_alone(client: Client, edition: Edition) -> None:
    part = read(client, f"{home_of(edition)}1/2/", **HTMX)
    assert not part.attributes("html")
    assert part.attributes("article", id="leaf")
    assert part.attributes("title") == [{}]


def test_htmx_gets_a_whole_page_when_it_restores_history(client: Client, edition: Edition) -> None:
    page = read(client, f"{home_of(edition)}1/2/", **HTMX, **{"HX-History-Restore-Request": "true"})
    assert page.attributes("html")


@pytest.mark.parametrize("path", ["1/2/", "t/2/"])
def test_answers_vary_with_htmx(client: Client, edition: Edition, path: str) -> None:
    vary = client.get(home_of(edition) + path)["Vary"]
    assert "HX-Request" in vary
    assert "HX-History-Restore-Request" in vary


# -- which page -----------------------------------------------------------------------------------------------------


def test_a_volume_that_is_none_is_a_dash(client: Client) -> None:
    edition = make_edition(2, volumes=(None,))
    page = read(client, f"{home_of(edition)}-/1/")
    assert turns(page) == (None, f"{home_of(edition)}-/2/")


def test_a_number_that_repeats_is_told_apart(client: Client, edition: Edition) -> None:
    Page.objects.filter(edition=edition, ordinal=3).update(number=1)
    home = home_of(edition)
    assert read(client, f"{home}1/1/").book_text == "نص الصفحة 1 من الجزء 1.\n"
    assert read(client, f"{home}1/1/?n=2").book_text == "نص الصفحة 3 من الجزء 1.\n"
    assert turns(read(client, f"{home}1/2/")) == (f"{home}1/1/", f"{home}1/1/?n=2")


def test_a_repeat_that_is_not_there_leads_to_the_first(client: Client, edition: Edition) -> None:
    assert client.get(f"{home_of(edition)}1/1/?n=2")["Location"] == f"{home_of(edition)}1/1/?from=again:2"


def test_a_suffix_belongs_to_the_name_of_a_page(client: Client, edition: Edition) -> None:
    Page.objects.filter(edition=edition, ordinal=2).update(number=1, suffix="A")
    home = home_of(edition)
    assert read(client, f"{home}1/1A/").book_text == "نص الصفحة 2 من الجزء 1.\n"
    assert turns(read(client, f"{home}1/1/"))[1] == f"{home}1/1A/"


def test_an_unnumbered_page_is_read_by_its_place(client: Client, edition: Edition) -> None:
    Page.objects.filter(edition=edition, ordinal=2).update(number=None)
    home = home_of(edition)
    assert read(client, f"{home}p/2/").book_text == "نص الصفحة 2 من الجزء 1.\n"
    assert turns(read(client, f"{home}1/1/"))[1] == f"{home}p/2/"


def test_a_numbered_page_is_read_at_its_number(client: Client, edition: Edition) -> None:
    assert client.get(f"{home_of(edition)}p/5/")["Location"] == f"{home_of(edition)}2/2/"


@pytest.mark.parametrize(
    ("asked", "canonical"), [("1/٢", "1/2"), ("۲/۳", "2/3"), ("01/002", "1/2")], ids=["arabic", "persian", "zeros"]
)
def test_digits_of_any_script_lead_to_one_address(client: Client, edition: Edition, asked: str, canonical: str) -> None:
    assert client.get(f"{home_of(edition)}{asked}/")["Location"] == f"{home_of(edition)}{canonical}/"


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [("1/500", "1/3"), ("2/0", "2/1"), ("9/1", "2/3"), ("0/7", "1/1"), ("-/2", "1/2"), ("1/2B", "1/2")],
)
def test_a_page_that_is_not_there_leads_to_the_nearest(
    client: Client, edition: Edition, asked: str, nearest: str
) -> None:
    response = client.get(f"{home_of(edition)}{asked}/")
    assert response.status_code == 302
    assert response["Location"].partition("?")[0] == f"{home_of(edition)}{nearest}/"


def test_the_nearest_page_says_that_it_is_not_the_one_asked_for(client: Client, edition: Edition, prefix: str) -> None:
    response = client.get(f"{prefix}{home_of(edition)}1/500/", follow=True)
    page = Markup(response.content.decode())
    assert page.attributes("p", class_="notice")
    wanted = "There is no page 500 in volume 1" if prefix else "ليس في الجزء ١ من هذه الطبعة صفحة ٥٠٠"
    assert wanted in page.text


def test_a_book_of_one_volume_is_cited_without_it(client: Client) -> None:
    edition = make_edition(3)
    assert client.get(f"{home_of(edition)}-/2/")["Location"] == f"{home_of(edition)}1/2/"


def test_a_place_past_the_end_leads_to_the_end(client: Client, edition: Edition) -> None:
    assert client.get(f"{home_of(edition)}p/99/")["Location"] == f"{home_of(edition)}2/3/?from=order:99"
    assert client.get(f"{home_of(edition)}t/99/")["Location"] == f"{home_of(edition)}t/5/?from=order:99"


@pytest.mark.parametrize(
    "path",
    [
        "1/abc/",
        "x/1/",
        "1/1.5/",
        "1/-1/",
        "1/99999999999/",
        "1/1/?n=x",
        "1/1/?n=0",
        "p/0/",
        "p/x/",
        "t/-1/",
        "%00/1/",
        "1/1%00/",
    ],
)
def test_nonsense_is_not_found(client: Client, edition: Edition, prefix: str, path: str) -> None:
    response = client.get(f"{prefix}{home_of(edition)}{path}")
    assert response.status_code == 404
    assert ("Not found" if prefix else "لم نجد ما طلبت") in response.content.decode()


def test_readers_get_our_page_where_developers_would_get_theirs(
    client: Client, edition: Edition, settings: Settings
) -> None:
    settings.DEBUG = True
    assert "لم نجد ما طلبت" in client.get(f"{home_of(edition)}1/abc/").content.decode()


@pytest.mark.parametrize("value", ["<script>", "1:<b>", ":", "order:x", "again:", "x" * 51 + ":1", "\0:1"])
def test_a_notice_says_nothing_of_nonsense(client: Client, edition: Edition, value: str) -> None:
    page = Markup(client.get(f"{home_of(edition)}1/1/", {"from": value}).content.decode())
    assert not page.attributes("p", class_="notice")


# -- what a page is called ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbering", "called"),
    [
        (Numbering.PRINT, "الجزء ٢، الصفحة المطبوعة ٣"),
        (Numbering.AUTO, "الجزء ٢، الصفحة ٣ ترقيم آلي"),
        (Numbering.UNKNOWN, "الجزء ٢، الصفحة ٣ ترقيم لم يُتحقق منه"),
    ],
)
def test_only_a_printed_number_is_called_printed(client: Client, numbering: str, called: str) -> None:
    edition = make_edition(3, volumes=("1", "2"), numbering=numbering)
    text = read(client, f"{home_of(edition)}2/3/").text
    assert called in text
    assert ("المطبوعة" in text) == (numbering == Numbering.PRINT)


def test_a_volume_is_named_only_where_there_are_several(client: Client) -> None:
    text = read(client, f"/en{home_of(make_edition(2))}1/2/").text
    assert "Printed page 2" in text
    assert "Volume" not in text


def test_an_unnumbered_page_is_called_so(client: Client, edition: Edition) -> None:
    Page.objects.filter(edition=edition, ordinal=2).update(number=None)
    assert "page without a number (no. 2 in order)" in read(client, f"/en{home_of(edition)}p/2/").text


# -- editions without pages -----------------------------------------------------------------------------------------


@pytest.fixture
def unpaged() -> Edition:
    """Four passages under two headings, no pages."""
    edition = EditionFactory.create(numbering=Numbering.NONE, passage_count=4)
    for number in range(4):
        PassageFactory.create(edition=edition, sequence_number=number, text=f"نص {number}\n")
    SectionFactory.create(edition=edition, ordinal=1, title="سورة الفاتحة", sequence_number=0)
    SectionFactory.create(edition=edition, ordinal=2, title="سورة البقرة", sequence_number=2)
    return edition


def test_an_edition_without_pages_is_read_passage_by_passage(client: Client, unpaged: Edition) -> None:
    home = home_of(unpaged)
    page = read(client, f"{home}t/1/")
    assert page.book_text == "نص 1\n"
    assert turns(page) == (f"{home}t/0/", f"{home}t/2/")
    assert "سورة الفاتحة" in page.text


def test_the_ends_of_an_edition_without_pages_lead_one_way(client: Client, unpaged: Edition) -> None:
    home = home_of(unpaged)
    assert turns(read(client, f"{home}t/0/")) == (None, f"{home}t/1/")
    assert turns(read(client, f"{home}t/3/")) == (f"{home}t/2/", None)


def test_an_edition_without_pages_is_read_section_by_section(client: Client, unpaged: Edition) -> None:
    page = read(client, f"{home_of(unpaged)}t/1/")
    assert page.attributes("a", class_="next-section")[0]["href"] == f"{home_of(unpaged)}t/2/#b2-0"
    page = read(client, f"{home_of(unpaged)}t/2/")
    assert page.attributes("a", class_="previous-section")[0]["href"] == f"{home_of(unpaged)}t/0/#b0-0"


def test_an_edition_without_text_is_not_found(client: Client) -> None:
    assert client.get(f"{home_of(EditionFactory.create())}t/0/").status_code == 404
    assert client.get(f"{home_of(EditionFactory.create())}1/1/").status_code == 404


@pytest.fixture(autouse=True)
def nothing_laid_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the higher rooms out: these are the library's own pages."""
    monkeypatch.setattr(ports, "passage_annotators", ports.Port())
