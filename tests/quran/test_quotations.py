"""Quotations in books lead to their verses."""

from __future__ import annotations

import re
import time

import pytest

from library.arabic import query_words
from library.drawing import annotations_of, draw
from library.models import Passage
from library.ports import Annotation
from library.reading import Place, fragments
from quran import quotations
from quran.foundation.texts import is_same_verse
from tests.factories import EditionFactory, PassageFactory
from tests.quran.conftest import packaged, rows

pytestmark = pytest.mark.django_db


def passage(text: str, *spans: tuple[int, int]) -> Passage:
    """A passage that is not stored."""
    kept = [{"kind": "quran", "from": start, "to": end, "mark": ""} for start, end in spans]
    return PassageFactory.build(edition=EditionFactory.build(book=None), text=text, spans=kept)


def links(text: str, *spans: tuple[int, int]) -> list[tuple[str, str]]:
    """What is linked in a text, and where to."""
    given = passage(text, *spans)
    found: list[Annotation] = quotations.annotate([given]).get(given.pk, [])
    return [(text[link.start : link.end], link.url.removeprefix("/quran/").rstrip("/")) for link in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("قال تعالى ﴿قل هو الله أحد﴾ فدل", [("قل هو الله أحد", "112/1")]),
        ("قال تعالى ﴾قل هو الله أحد﴿ فدل", [("قل هو الله أحد", "112/1")]),
        ("{ يَا أَيُّهَا الَّذِينَ آمَنُوا كُتِبَ }", [("يَا أَيُّهَا الَّذِينَ آمَنُوا كُتِبَ", "2/178")]),
        ("{الحمد لله رب العالمين * الرحمن الرحيم}", [("الحمد لله رب العالمين * الرحمن الرحيم", "1/2-3")]),
        ("{قل هو الله أحد (1) الله الصمد (2)}", [("قل هو الله أحد (1) الله الصمد", "112/1-2")]),
        ("{ربك المنتهى وأنه هو أضحك وأبكى وأنه هو}", [("ربك المنتهى وأنه هو أضحك وأبكى وأنه هو", "53/42-44")]),
        ("{إبراهيم الذي وفى}", []),  # the verse has وإبراهيم
        ("{السماوات والأرض}", []),  # two words at many places
        ("{كهيعص}", [("كهيعص", "19/1")]),  # one word at one place
        ("{إنما الأعمال بالنيات}", []),
        ("{ }", []),
        ("لا علامة: قل هو الله أحد", []),
        ("{قل هو الله أحد", []),
        ("{الصمد لم يلد ولم يولد ولم يكن له كفوا أحد قل أعوذ}", []),  # over the end of a surah
    ],
)  # fmt: skip
def test_what_stands_between_marks_is_matched(quran: None, text: str, expected: list[tuple[str, str]]) -> None:
    assert links(text) == expected


def test_marks_of_the_source_are_as_good_as_brackets(quran: None) -> None:
    text = "قال الله تعالى وأقيموا الصلاة وآتوا الزكاة واركعوا مع الراكعين فأمر"
    start = text.index("وأقيموا")
    end = text.index(" فأمر")
    assert links(text, (start, end)) == [(text[start:end], "2/43")]


def test_marks_within_brackets_make_one_link(quran: None) -> None:
    text = "{قل هو الله أحد}"
    assert len(links(text, (0, len(text)), (1, 5))) == 1


def test_parts_around_an_ellipsis_have_links_of_their_own(quran: None) -> None:
    assert links("{إن الذين آمنوا وعملوا الصالحات كانت لهم ... جنات الفردوس نزلا}") == [
        ("إن الذين آمنوا وعملوا الصالحات كانت لهم", "18/107"),
        ("جنات الفردوس نزلا", "18/107"),
    ]


@pytest.mark.parametrize(
    ("after", "address"),
    [
        ("", "55/13"),
        (" [الرحمن: 16]", "55/16"),
        (" (سورة الرحمن الآية ١٨)", "55/18"),
        (" [الرحمن: 2]", "55/13"),  # it does not stand there
    ],
)
def test_of_several_places_the_cited_one_is_meant(quran: None, after: str, address: str) -> None:
    text = f"{{فبأي آلاء ربكما تكذبان}}{after}"
    assert links(text) == [("فبأي آلاء ربكما تكذبان", address)]


def test_whole_verses_come_before_parts_of_others(quran: None) -> None:
    assert links("{الله لا إله إلا هو الحي القيوم}") == [("الله لا إله إلا هو الحي القيوم", "3/2")]


def test_a_link_says_where_it_leads_and_whether_the_words_stand_elsewhere(quran: None) -> None:
    once, often = passage("{قل هو الله أحد}"), passage("{إن الله غفور رحيم}")
    found = quotations.annotate([once, often])
    assert [link.title for link in found[once.pk]] == ["الإخلاص ١١٢:١"]
    assert [link.title for link in found[often.pk]] == ["البقرة ٢:١٧٣، وفي مواضع أخرى"]


def test_every_verse_is_found_by_its_own_text_or_is_too_short(quran: None) -> None:
    index = quotations.index()
    assert index is not None
    for verse in rows()[1]:
        words = query_words(verse.text)
        if found := index.find(words):
            # Some verses repeat others.
            assert is_same_verse(packaged()[found.verses.surah, found.verses.first], verse.text)
        else:
            assert len(words) < quotations.LEAST_WORDS, str(verse)


def test_the_page_links_them_without_changing_a_letter(quran: None) -> None:
    text = "قال تعالى: {قل هو الله أحد} فافهم.\n"
    shown = PassageFactory.create(text=text)
    html = draw(fragments([shown], Place(0, 0), None), annotations_of([shown]))
    assert '<a class="over verse" href="/quran/112/1/" title="الإخلاص ١١٢:١">قل هو الله أحد</a>' in html
    assert re.sub("<[^>]+>", "", html).strip() == text.strip()


def test_pages_cost_one_query_a_process_and_little_time(quran: None, django_assert_num_queries) -> None:
    quotations.forget()
    page = [passage("{قل هو الله أحد} " * 10 + "{وما لم يقل به أحد قط} " * 10) for _ in range(5)]
    with django_assert_num_queries(1):
        quotations.index()
    quotations.annotate(page)
    with django_assert_num_queries(0):
        started = time.process_time()
        quotations.annotate(page)
        spent = time.process_time() - started
    assert spent < 0.05  # a hundred quotations; a page has a few


def test_a_page_without_quotations_asks_nothing(django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        assert quotations.annotate([passage("إنما الأعمال بالنيات")]) == {}


def test_without_the_quran_nothing_is_linked_nor_remembered(no_quran: None) -> None:
    assert links("{قل هو الله أحد}") == []
    assert quotations._index is None
