"""Reading in a real browser: turning pages by key and by link, permalinks, the way back, no JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from library.models import Edition, Passage
from tests.browser import PHONE
from tests.factories import EditionFactory, SectionFactory
from tests.library.bulk import fill

pytestmark = pytest.mark.browser

TEN = range(30, 40)


@pytest.fixture
def edition(transactional_db: None) -> Edition:
    """Two volumes of forty-five pages; the second has a chapter at page 30."""
    edition = EditionFactory.create()
    fill(edition, 45, ("1", "2"))
    part = edition.sections.get(ordinal=2)
    SectionFactory.create(edition=edition, ordinal=3, title="فصل", parent=part, level=2, sequence_number=74)
    return edition


@pytest.fixture
def home(edition: Edition, prefix: str) -> str:
    """The address of the edition in each language in turn."""
    return f"{prefix}/books/{edition.book.slug}/{edition.pk}/"


def shows(page: Page, number: int) -> None:
    """Wait for page ``number`` of the second volume, in the address, the text and the title."""
    expect(page).to_have_url(re.compile(rf"/2/{number}/$"))
    expect(page.locator(".text")).to_have_text(f"نص الصفحة {number} من الجزء 2.")


def arrows(prefix: str) -> tuple[str, str]:
    """The keys for onward and back: they point to where the links lie."""
    return ("ArrowRight", "ArrowLeft") if prefix else ("ArrowLeft", "ArrowRight")


def test_a_reader_goes_to_a_page_of_the_second_volume(page: Page, edition: Edition, home: str) -> None:
    page.goto(home)
    page.locator("a.door").click()
    expect(page.locator(".text")).to_have_text("نص الصفحة 1 من الجزء 1.")
    page.locator("select[name=vol]").select_option("2")
    page.locator("input[name=page]").fill("٣٠")
    page.locator("input[name=page]").press("Enter")
    shows(page, 30)


def test_ten_pages_forward_and_back_by_link(page: Page, home: str) -> None:
    page.goto(f"{home}2/30/")
    page.evaluate("window.sameDocument = true")
    for number in TEN:
        shows(page, number)
        page.locator(".turn-bottom a.on").click()
    shows(page, 40)
    for number in reversed(TEN):
        page.locator(".turn-top a.back").click()
        shows(page, number)
    assert page.evaluate("window.sameDocument"), "pages were turned by whole loads"


def test_ten_pages_forward_and_back_by_key(page: Page, home: str, prefix: str) -> None:
    onward, back = arrows(prefix)
    page.goto(f"{home}2/30/")
    page.evaluate("window.sameDocument = true")
    for number in TEN:
        shows(page, number)
        page.keyboard.press(onward)
    shows(page, 40)
    for number in reversed(TEN):
        page.keyboard.press(back)
        shows(page, number)
    assert page.evaluate("window.sameDocument")


def test_keys_pressed_in_a_field_turn_no_page(page: Page, home: str, prefix: str) -> None:
    page.goto(f"{home}2/30/")
    page.locator("input[name=page]").fill("12")
    page.keyboard.press(arrows(prefix)[0])
    page.wait_for_timeout(100)
    shows(page, 30)


def test_a_turned_page_begins_at_its_top_and_names_itself(page: Page, home: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{home}2/30/")
    page.mouse.wheel(0, 2000)
    page.locator(".turn-bottom a.on").click()
    shows(page, 31)
    page.wait_for_function("scrollY === 0")
    assert page.evaluate("document.activeElement.id") == "place"
    assert "31" in page.title() or "٣١" in page.title()


def test_the_way_back_leads_through_the_pages_that_were_turned(page: Page, home: str) -> None:
    page.goto(f"{home}2/30/")
    for number in (31, 32, 33):
        page.locator(".turn-top a.on").click()
        shows(page, number)
    for number in (32, 31, 30):
        page.go_back()
        shows(page, number)
    page.go_forward()
    shows(page, 31)
    page.locator(".turn-top a.on").click()
    shows(page, 32)


def test_the_way_back_from_elsewhere_shows_a_whole_page(page: Page, home: str) -> None:
    page.goto(f"{home}2/30/")
    page.locator(".turn-top a.on").click()
    shows(page, 31)
    page.goto("/books/")
    page.go_back()
    shows(page, 31)
    expect(page.locator(".site-head")).to_be_visible()
    page.go_back()
    shows(page, 30)
    expect(page.locator(".site-head")).to_have_count(1)


def test_a_permalink_opens_its_page_with_the_passage_marked(
    page: Page, edition: Edition, home: str, prefix: str
) -> None:
    passage = Passage.objects.in_edition(edition).get(sequence_number=74)
    page.goto(f"{prefix}/passages/{passage.pk}/")
    expect(page).to_have_url(re.compile(r"/2/30/#p74$"))
    marked = page.locator(".passage:target p")
    expect(marked).to_have_text(passage.text.strip())
    plain = page.evaluate("getComputedStyle(document.querySelector('.text')).backgroundColor")
    assert marked.evaluate("element => getComputedStyle(element).backgroundColor") != plain


def test_contents_open_beside_the_text_and_follow_the_reader(page: Page, home: str) -> None:
    page.goto(f"{home}2/29/")
    current = page.locator("#drawer a[aria-current]")
    expect(current).to_have_text("كتاب 2")
    page.locator(".turn-top a.on").click()
    shows(page, 30)
    expect(current).to_have_text("فصل")
    page.locator("#drawer a", has_text="كتاب 1").click()
    expect(page.locator(".text")).to_have_text("نص الصفحة 1 من الجزء 1.")


def test_contents_stay_closed_where_there_is_no_room_and_open_when_asked(page: Page, home: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{home}2/30/")
    expect(page.locator("#drawer a[data-section]")).to_have_count(0)
    page.locator("#drawer summary").first.click()
    expect(page.locator("#drawer a[aria-current]")).to_have_text("فصل")


def test_halves_of_verses_stay_on_one_line(page: Page, edition: Edition, home: str) -> None:
    halves = "سَتُبْدي لَكَ الأَيّامُ ما كُنْتَ جاهِلًا", "وَيَأْتيكَ بِالأَخْبارِ مَنْ لَمْ تُزَوِّدِ"
    verse, first = "   ".join(halves), len(halves[0])
    spans = [("verse", 0, len(verse)), ("hemistich", 0, first), ("hemistich", first + 3, len(verse))]
    Passage.objects.in_edition(edition).filter(sequence_number=74).update(
        text=f"{verse}\n", spans=[{"kind": kind, "from": start, "to": end, "mark": ""} for kind, start, end in spans]
    )
    page.goto(f"{home}2/30/")
    for width in (360, 768, 1200, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 700})
        lines = page.evaluate(
            "[...document.querySelectorAll('.hemistich')]"
            ".map(half => Math.round(half.offsetHeight / parseFloat(getComputedStyle(half).lineHeight)))"
        )
        assert lines == [1, 1], width


def test_a_place_at_the_beginning_shows_no_arrow_back(page: Page, home: str) -> None:
    page.goto(f"{home}1/1/")
    arrow = "getComputedStyle(document.querySelector('.turn-top .{}'), '::{}').content"
    assert page.evaluate(arrow.format("back", "before")) == "none"
    assert page.evaluate(arrow.format("on", "after")) != "none"


def test_contents_on_a_books_page_begin_where_its_editions_do(page: Page, home: str, prefix: str) -> None:
    page.goto(home)
    edge = "document.querySelector('{}').getBoundingClientRect()." + ("left" if prefix else "right")
    assert page.evaluate(edge.format("#contents")) == page.evaluate(edge.format("#editions"))


def test_nothing_is_wider_than_the_window(page: Page, edition: Edition, home: str, prefix: str) -> None:
    for path in (home, f"{home}2/30/", f"{home}contents/", f"{prefix}/", f"{prefix}/books/", f"{prefix}/authors/"):
        page.goto(path)
        for width in (320, 768, 1440):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_everything_can_be_read_without_javascript(
    page_without_javascript: Page, edition: Edition, home: str, prefix: str
) -> None:
    page = page_without_javascript
    page.goto(f"{home}2/30/")
    shows(page, 30)
    page.locator(".turn-top a.on").click()
    shows(page, 31)
    page.locator(".turn-bottom a.back").click()
    shows(page, 30)
    page.locator("#drawer summary").click()
    page.locator("#drawer .tree a").click()
    expect(page.locator("a[aria-current]", has_text="فصل")).to_be_visible()
    page.locator("a.heading", has_text="كتاب 1").click()
    expect(page.locator(".text")).to_have_text("نص الصفحة 1 من الجزء 1.")
    passage = Passage.objects.in_edition(edition).get(sequence_number=74)
    page.goto(f"{prefix}/passages/{passage.pk}/")
    expect(page.locator(".passage:target p")).to_have_text(passage.text.strip())
