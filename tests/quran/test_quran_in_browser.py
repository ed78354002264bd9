"""The Quran in a real browser: turning pages, the translation, copying."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from quran.models import Verse
from tests.browser import DESKTOP, PHONE
from tests.quran.conftest import packaged, rows

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("committed_quran")]

LEADING = "e => parseFloat(getComputedStyle(e).lineHeight) / parseFloat(getComputedStyle(e).fontSize)"
LINES = """
[...document.querySelectorAll('p.mushaf')]
  .map(p => p.getBoundingClientRect().height / parseFloat(getComputedStyle(p).lineHeight))
  .reduce((sum, lines) => sum + lines, 0)
"""
LINES_OF_EACH = "[...document.querySelectorAll('.together')].map(e => e.getClientRects().length)"

FIRST, LAST = 293, 304  # the pages of surah 18


def shown(page: Page) -> list[str]:
    """The verses on a page, as their text stands in the document."""
    return page.locator(".ayah-text").all_text_contents()


def on_page(number: int) -> list[str]:
    """The verses that ought to be there."""
    return [verse.text for verse in rows()[1] if verse.page == number]


def read_through(page: Page, prefix: str, on: Callable[[], None], back: Callable[[], None]) -> None:
    """Read surah 18 page by page to its end, and back to its beginning."""
    page.goto(f"{prefix}/quran/page/{FIRST}/")
    read: list[str] = []
    for number in range(FIRST, LAST + 1):
        expect(page).to_have_url(f"{page.url.split(prefix + '/quran')[0]}{prefix}/quran/page/{number}/")
        assert shown(page) == on_page(number)
        read += shown(page)
        if number < LAST:
            on()
            page.wait_for_url(f"**/quran/page/{number + 1}/")
            expect(page.locator(".turn-top .place")).to_contain_text(numerals(number + 1, prefix))
    begins = read.index(packaged()[18, 1])
    assert read[begins : begins + 110] == [packaged()[18, number] for number in range(1, 111)]
    for number in range(LAST, FIRST, -1):
        back()
        page.wait_for_url(f"**/quran/page/{number - 1}/")
        expect(page.locator(".turn-top .place")).to_contain_text(numerals(number - 1, prefix))
        assert shown(page) == on_page(number - 1)


def numerals(number: int, prefix: str) -> str:
    """As the interface writes it."""
    return str(number) if prefix else str(number).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))


def test_surah_18_is_read_page_by_page_with_the_arrow_keys(page: Page, prefix: str) -> None:
    # Onward is to the left in Arabic and to the right in English.
    on, back = ("ArrowRight", "ArrowLeft") if prefix else ("ArrowLeft", "ArrowRight")
    read_through(page, prefix, lambda: page.keyboard.press(on), lambda: page.keyboard.press(back))


def test_surah_18_is_read_page_by_page_without_javascript(page_without_javascript: Page, prefix: str) -> None:
    page = page_without_javascript
    read_through(
        page,
        prefix,
        lambda: page.locator(".turn-bottom .on").click(),
        lambda: page.locator(".turn-top .back").click(),
    )


def test_a_turned_page_comes_back_from_history(page: Page) -> None:
    page.goto("/quran/page/2/")
    page.locator(".turn-top .on").click()
    page.wait_for_url("**/quran/page/3/")
    page.go_back()
    page.wait_for_url("**/quran/page/2/")
    expect(page.locator(".ayah-text").first).to_have_text(on_page(2)[0])
    expect(page).to_have_title("البقرة، الصفحة ٢ من المصحف · قاف")


def test_the_translation_is_switched_by_a_link_and_goes_along(page: Page) -> None:
    page.goto("/quran/page/604/")
    expect(page.locator(".translations")).to_have_count(0)
    page.locator(".switch a").click()
    expect(page.locator(".translations")).to_contain_text("Say: He is Allah, the One!")
    page.locator(".turn-top .back").click()
    page.wait_for_url("**/quran/page/603/?translation=en")
    expect(page.locator(".translations")).to_be_visible()


def test_a_verse_is_copied_with_its_reference(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/en/quran/112/1/")
    expect(page.locator(".quoted-by p")).to_be_visible()  # nothing is under way any more
    page.get_by_role("button", name="Copy with reference").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"﴿{packaged()[112, 1]}﴾ [الإخلاص: ١]\n“Say: He is Allah, the One!” (Quran 112:1)"


def test_who_quotes_a_verse_is_fetched_beside_it(page: Page) -> None:
    page.goto("/en/quran/2/255/")
    expect(page.locator(".quoted-by")).to_have_text("No passage of the library was found to quote this.")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_pages_fit_their_screen_in_the_type_of_the_mushaf(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    for number in (1, 2, 50, 604):
        page.goto(f"/quran/page/{number}/")
        page.evaluate("document.fonts.ready")
        assert page.evaluate("document.fonts.check('20px \"Amiri Quran\"')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert 2.3 <= page.locator(".mushaf").first.evaluate(LEADING) <= 2.5
        # No line begins with a sign of pausing: each stays on the line of the word before it.
        assert set(page.evaluate(LINES_OF_EACH)) <= {1}


def test_on_a_wide_screen_the_lines_are_those_of_the_mushaf(page: Page) -> None:
    for number in (1, 2, 3, 50, 293, 603, 604):
        assert_lines(page, number)


@pytest.mark.long
def test_every_page_has_the_lines_of_the_mushaf(page: Page) -> None:
    Verse.objects.all().delete()
    Verse.objects.bulk_create(rows()[1])
    expected = Counter(verse.page for verse in rows()[1] for _ in verse.lines)
    assert_lines(page, 1)
    # Only the sheet is replaced: loading six hundred whole pages takes minutes.
    for number in range(2, 605):
        page.evaluate(
            """async address => {
                const other = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
                document.querySelector(".mushaf-sheet").replaceWith(other.querySelector(".mushaf-sheet"));
            }""",
            f"/quran/page/{number}/",
        )
        assert page.evaluate(LINES) == pytest.approx(expected[number], abs=0.2), number


def assert_lines(page: Page, number: int) -> None:
    """No line of a page of the mushaf is broken, and none is joined to another."""
    page.goto(f"/quran/page/{number}/", wait_until="domcontentloaded")
    page.evaluate("document.fonts.ready")
    expected = sum(len(verse.lines) for verse in rows()[1] if verse.page == number)
    assert page.evaluate(LINES) == pytest.approx(expected, abs=0.2), number
