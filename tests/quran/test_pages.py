"""The pages of the Quran: what they show, where they lead, what they cost."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from library.arabic import fold
from library.ports import phrase_finder
from quran.quoting import phrases
from search.lexical.indexing import index_edition
from tests.factories import make_edition
from tests.quran.conftest import packaged, rows
from tests.stubs.quran_foundation import SIGNATURE, StubFoundation

pytestmark = pytest.mark.django_db


def get(client: Client, path: str) -> str:
    """A page that is there."""
    response = client.get(path)
    assert response.status_code == 200, path
    return html.unescape(response.content.decode())


def verses_on(page: str) -> list[str]:
    """The texts of its verses, as a reader copies them."""
    return [re.sub("<[^>]+>", "", text) for text in re.findall(r'<span class="ayah-text">(.*?)</span><a', page)]


# -- every page -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("/quran/", 1),
        ("/quran/page/1/", 1),
        ("/quran/page/604/", 1),
        ("/quran/juz/30/", 1),
        ("/quran/2/", 1),
        ("/quran/9/", 1),
        ("/quran/2/255/", 1),
        ("/quran/2/255-257/", 1),
        ("/quran/2/255/quoted/", 2),
        ("/quran/search/", 0),
        ("/quran/search/?q=كرسيه", 3),  # the names of surahs once a process, the count, the verses
        ("/quran/search/?q=throne", 3),
        ("/quran/search/?q=2:255", 0),
    ],
)
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_pages_cost_a_fixed_number_of_queries(
    quran: None, client: Client, django_assert_max_num_queries, prefix: str, path: str, queries: int
) -> None:
    with django_assert_max_num_queries(queries):
        assert client.get(prefix + path).status_code in (200, 302)


@pytest.mark.parametrize(
    "path",
    ["page/0/", "page/605/", "page/x/", "juz/31/", "0/", "115/", "x/", "2/287/", "2/0/", "2/5-3/", "115/1/", "2/x/"],
)
def test_what_is_not_there_is_not_found(quran: None, client: Client, path: str) -> None:
    assert client.get(f"/quran/{path}").status_code == 404


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/quran/page/٥٠/", "/quran/page/50/"),
        ("/quran/page/007/?translation=en", "/quran/page/7/?translation=en"),
        ("/en/quran/٢/٢٥٥-٢٥٧/", "/en/quran/2/255-257/"),
        ("/quran/2/255-255/", "/quran/2/255/"),
        ("/quran/go/?page=٥٠", "/quran/page/50/"),
        ("/quran/go/?juz=3", "/quran/juz/3/"),
        ("/quran/go/", "/quran/"),
    ],
)
def test_other_digits_lead_to_the_address(quran: None, client: Client, path: str, canonical: str) -> None:
    assert client.get(path)["Location"] == canonical


@pytest.mark.parametrize(
    "path", ["/quran/", "/quran/page/1/", "/quran/1/", "/quran/1/1/", "/quran/1/1/quoted/", "/quran/search/?q=قل"]
)
def test_without_the_quran_pages_say_so_and_do_not_fail(no_quran: None, client: Client, path: str) -> None:
    assert client.get(path).status_code in (200, 404)


# -- reading --------------------------------------------------------------------------------------------------------


def test_the_pages_of_the_mushaf_hold_every_verse_once_letter_for_letter(quran: None, client: Client) -> None:
    for number in (1, 2, 50, 293, 604):
        expected = [verse.text for verse in rows()[1] if verse.page == number]
        assert verses_on(get(client, f"/quran/page/{number}/")) == expected


def test_a_surah_is_shown_whole(quran: None, client: Client) -> None:
    assert verses_on(get(client, "/quran/18/")) == [packaged()[18, number] for number in range(1, 111)]
    assert len(verses_on(get(client, "/en/quran/18/"))) == 110


def test_the_basmalah_stands_above_surahs_that_have_one(quran: None, client: Client) -> None:
    assert '<p class="basmalah" translate="no">بِسْمِ' in get(client, "/quran/112/")
    for number in (1, 9):
        assert "basmalah" not in get(client, f"/quran/{number}/")
    assert get(client, "/quran/page/604/").count('class="basmalah"') == 3


def test_verse_text_is_not_to_be_translated(quran: None, client: Client) -> None:
    page = get(client, "/en/quran/2/255/")
    assert re.search(r'<p class="mushaf" translate="no">', page)
    assert re.search(r'class="translation" lang="en" dir="ltr" translate="no"', page)


def test_signs_of_pausing_stay_with_their_words(quran: None, client: Client) -> None:
    page = get(client, "/quran/2/255/")
    assert page.count('class="together"') == packaged()[2, 255].count(" ۚ") + packaged()[2, 255].count(" ۖ") + packaged()[
        2, 255
    ].count(" ۗ")
    assert verses_on(page) == [packaged()[2, 255]]


@pytest.mark.parametrize(
    ("path", "previous", "following"),
    [
        ("/quran/page/1/", None, "/quran/page/2/"),
        ("/quran/page/604/", "/quran/page/603/", None),
        ("/quran/1/", None, "/quran/2/"),
        ("/quran/114/", "/quran/113/", None),
        ("/quran/juz/30/", "/quran/juz/29/", None),
        ("/quran/1/1/", None, "/quran/1/2/"),
        ("/quran/2/1/", "/quran/1/7/", "/quran/2/2/"),
        ("/quran/2/284-286/", "/quran/2/283/", "/quran/3/1/"),
        ("/quran/114/6/", "/quran/114/5/", None),
    ],
)
def test_every_page_leads_to_its_neighbours(
    quran: None, client: Client, path: str, previous: str | None, following: str | None
) -> None:
    page = get(client, path)
    for relation, address in (("prev", previous), ("next", following)):
        found = re.findall(rf'<a class="\w+" rel="{relation}" href="([^"]+)" hx-get="([^"]+)"', page)
        assert found == ([(address, address)] * 2 if address else [])


def test_htmx_gets_the_leaf_alone(quran: None, client: Client) -> None:
    part = client.get("/quran/page/2/", headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith("<title>")
    assert "HX-Request" in part["Vary"]
    whole = client.get("/quran/page/2/", headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert "<!doctype html>" in whole.content.decode()


# -- the translation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/quran/112/", False),
        ("/quran/112/?translation=en", True),
        ("/quran/112/?translation=x", False),
        ("/en/quran/112/", True),
        ("/en/quran/112/?translation=none", False),
        ("/en/quran/page/604/", True),
        ("/quran/112/1/?translation=en", True),
    ],
)
def test_the_translation_is_shown_or_not(quran: None, client: Client, path: str, shown: bool) -> None:
    page = get(client, path)
    assert ("Say: He is Allah, the One!" in page) is shown
    assert ("1930" in page or "١٩٣٠" in page) is shown


def test_a_choice_goes_along_to_the_neighbours(quran: None, client: Client) -> None:
    assert 'href="/quran/page/3/?translation=en"' in get(client, "/quran/page/2/?translation=en")
    assert 'href="/en/quran/page/3/?translation=none"' in get(client, "/en/quran/page/2/?translation=none")
    assert 'href="/en/quran/page/3/"' in get(client, "/en/quran/page/2/?translation=en")


# -- who speaks -----------------------------------------------------------------------------------------------------


def test_the_credit_names_the_packaged_text(quran: None, client: Client) -> None:
    page = get(client, "/en/quran/page/604/")
    assert re.search(r'class="credit.*tanzil\.net.*Pickthall, 1930.*quran-text, CC BY 4\.0', page)


def test_the_credit_names_the_quran_foundation_when_it_speaks(online: StubFoundation, client: Client) -> None:
    page = get(client, "/en/quran/112/1/")
    assert f"{SIGNATURE} 112:1" in page
    assert re.search(r'class="credit.*quran\.foundation.*Saheeh International, Quran Foundation', page)
    assert "Tanzil" not in page


def test_a_translation_without_a_name_is_credited_by_number(
    online: StubFoundation, client: Client, settings: Settings
) -> None:
    settings.QURAN_FOUNDATION = online.options(translation=84)
    assert "translation no. 84, Quran Foundation" in get(client, "/en/quran/112/1/")


def test_the_credit_follows_a_failure(online: StubFoundation, client: Client) -> None:
    online.faults = ["malformed"]
    page = get(client, "/en/quran/112/1/")
    assert "Tanzil" in page
    assert "quran.foundation" not in page


def test_pages_of_the_mushaf_never_ask_the_network(online: StubFoundation, client: Client) -> None:
    for path in ("/quran/page/1/", "/quran/1/", "/quran/juz/30/", "/quran/search/?q=قل", "/quran/2/1-286/"):
        get(client, path)
    assert online.asked == []


# -- searching ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["%00", "%00%00قل", "'", "%5C", "%E2%80%8F", "(((", "x" * 3000, "ا" * 3000])
def test_any_string_may_be_searched(quran: None, client: Client, query: str) -> None:
    get(client, f"/quran/search/?q={query}")


def test_words_found_are_marked(quran: None, client: Client) -> None:
    page = get(client, "/quran/search/?q=كرسيه")
    assert {fold(word) for word in re.findall("<mark>(.*?)</mark>", page)} == {"كرسيه"}
    assert 'href="/quran/2/255/"' in page


def test_a_long_list_is_paged(quran: None, client: Client) -> None:
    page = get(client, "/en/quran/search/?q=mercy")
    assert page.count('<p class="mushaf"') == 20
    assert 'rel="next" href="?q=mercy&part=2"' in page
    assert 'rel="prev"' in get(client, "/en/quran/search/?q=mercy&part=2")
    get(client, "/en/quran/search/?q=mercy&part=9999")


def test_the_name_of_a_surah_offers_it(quran: None, client: Client) -> None:
    assert '<a class="door" href="/quran/12/">' in get(client, "/quran/search/?q=يوسف")


def test_the_sites_search_leads_to_verses_and_has_a_tab_for_them(quran: None, client: Client) -> None:
    assert client.get("/search/?q=٢:٢٥٥")["Location"] == "/quran/2/255/"
    assert '<a href="/en/quran/search/?q=mercy">' in get(client, "/en/search/?q=mercy")


# -- who quotes -----------------------------------------------------------------------------------------------------


def test_phrases_are_pieces_of_six_words_of_each_verse_in_turn() -> None:
    long, short = "ا ب ت ث ج ح خ د ذ ر ز س ش", "قل هو الله احد"
    assert phrases([long, short, "الم"]) == ["ا ب ت ث ج ح", "قل هو الله احد", "خ د ذ ر ز س"]
    assert phrases([]) == phrases(["طه"]) == []


def test_passages_that_quote_a_verse_stand_beside_it(quran: None, client: Client) -> None:
    edition = make_edition(2)
    passage = edition.passages.get(sequence_number=1)
    passage.text = "ومنه قوله تعالى: {الله لا إله إلا هو الحي القيوم لا تأخذه سنة ولا نوم} الآية.\n"
    passage.save()
    index_edition(edition)
    part = client.get("/en/quran/2/255/quoted/", headers={"HX-Request": "true"}).content.decode()
    assert f'href="/en/passages/{passage.pk}/"' in part
    assert "<html" not in part
    assert f"/en/passages/{passage.pk}/" in get(client, "/en/quran/2/255/quoted/")
    assert f"/en/passages/{passage.pk}/" not in get(client, "/en/quran/2/256/quoted/")
    edition.book.is_published = False
    edition.book.save()
    assert f"/en/passages/{passage.pk}/" not in get(client, "/en/quran/2/255/quoted/")


def test_phrases_are_found_once_a_book_oldest_first() -> None:
    for died in (700, 300, None):
        edition = make_edition(3, book__author__death_year_ah=died)
        edition.passages.update(text="قال الحمد لله رب العالمين دائما.\n")
        index_edition(edition)
    ((*found,),) = phrase_finder(["الحمد لله رب العالمين", ""], 5)
    assert [passage.edition.book.author.death_year_ah for passage in found] == [300, 700, None]
    assert phrase_finder(["الحمد لله رب العالمين"], 1) == [[found[0]]]
    assert phrase_finder([""], 5) == [[]]
