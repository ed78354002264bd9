"""Verses are found by their words, in Arabic and in English."""

from __future__ import annotations

import pytest
from django.db import connection

from quran.models import Verse
from quran.search import find

pytestmark = pytest.mark.django_db


def keys(query: str, most: int = 5) -> list[str]:
    """The first verses found."""
    return [str(verse) for verse in find(query).verses[:most]]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("الله لا إله إلا هو الحي القيوم", "3:2"),
        ("قل هو الله أحد", "112:1"),
        ("وفى وإبراهيم", "53:37"),
        ("السماوات والأرض كرسيه", "2:255"),
        ("يا أيها المزمل", "73:1"),
        ("كُلُّ نَفْسٍ ذَائِقَةُ الْمَوْتِ", "29:57"),
    ],
)
def test_arabic_words_find_verses_in_any_spelling(quran: None, query: str, first: str) -> None:
    assert keys(query)[0] == first


def test_words_with_other_prefixes_are_found_behind_exact_ones(quran: None) -> None:
    with_name = {str(verse) for verse in Verse.objects.filter(text__regex="إِبْرَ[ٰ‍ـ]")}
    assert len(with_name) == 63
    found = [str(verse) for verse in find("إبراهيم").verses]
    assert with_name <= set(found)
    prefixed = [str(verse) for verse in find("وإبراهيم").verses]
    assert with_name <= set(prefixed)
    assert prefixed[:4] == ["53:37", "29:16", "57:26", "33:7"]  # those that say وإبراهيم


def test_the_very_words_in_this_order_come_first(quran: None) -> None:
    found = list(find("رب العالمين").verses)
    phrase = [
        " رَبِّ ٱلْعَـٰلَمِينَ" in f" {verse.text}" or "رَبُّ ٱلْعَـٰلَمِينَ" in verse.text or "رَبَّ ٱلْعَـٰلَمِينَ" in verse.text
        for verse in found
    ]
    assert phrase == sorted(phrase, reverse=True)
    assert str(found[0]) == "1:2" or len(found[0].text) < 40


def test_all_words_must_be_there(quran: None) -> None:
    assert keys("الكهف الفيل") == []


def test_english_words_find_verses_by_their_translation(quran: None) -> None:
    assert "2:255" in keys("neither slumber nor sleep")
    assert keys("elephant") == ["105:1"]
    assert {str(verse) for verse in find('"owners of the elephant"').verses} == {"105:1"}
    assert keys("whales -jonah zzz") == []


@pytest.mark.parametrize(
    "query", ["", " ", "' & | !", "\x00", "\x00قل\x00", "a\x00b", "((", "\\", "%", "٪؟", "ا" * 5000]
)
def test_any_string_is_a_query(quran: None, query: str) -> None:
    assert isinstance(list(find(query).verses[:5]), list)


def test_a_search_is_one_query_served_by_an_index(quran: None, django_assert_num_queries) -> None:
    find("سورة الكهف")  # the names are asked once a process
    with django_assert_num_queries(1):
        list(find("إبراهيم").verses[:20])
    with django_assert_num_queries(1):
        list(find("mercy").verses[:20])
    with connection.cursor() as cursor:  # what the planner prefers depends on the state of a table no test controls
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off")
    assert "verse_words" in find("إبراهيم").verses[:20].explain()
    assert "verse_translation_words" in find("elephant").verses[:20].explain()
