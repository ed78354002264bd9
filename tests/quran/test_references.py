"""References as people write them."""

from __future__ import annotations

import pytest

from quran.models import Surah
from quran.ports import address_in_query
from quran.references import parse_reference, surah_named
from quran.verse_keys import VerseRange

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "surah", "verses"),
    [
        ("2:255", 2, (255, 255)),
        ("٢:٢٥٥", 2, (255, 255)),
        ("[2:1-286]", 2, (1, 286)),
        ("البقرة 255", 2, (255, 255)),
        ("البقرة: ٢٥٥-٢٥٧", 2, (255, 257)),
        ("سورة الكهف", 18, None),
        ("سورة الكهف الآية 10", 18, (10, 10)),
        ("al-baqara 255", 2, (255, 255)),
        ("Surah Ya-Sin verse 12", 36, (12, 12)),
        ("surat an-nisa'", 4, None),
        ("ال عمران 5", 3, (5, 5)),
        ("يوسف", 12, None),
        ("ق 1", 50, (1, 1)),
    ],
)
def test_reference_is_understood(quran: None, typed: str, surah: int, verses: tuple[int, int] | None) -> None:
    found = parse_reference(typed)
    assert found is not None
    assert (found.surah, found.verses) == (surah, VerseRange(surah, *verses) if verses else None)


@pytest.mark.parametrize(
    "typed", ["", "2:287", "115:1", "البقرة 287", "الصبر 3", "قال الله", "2 255 3", ":", "x" * 5000]
)
def test_other_words_are_none(quran: None, typed: str) -> None:
    assert parse_reference(typed) is None


def test_every_surah_is_found_by_both_its_names(quran: None) -> None:
    for surah in Surah.objects.all():
        assert surah_named(surah.name_ar) == surah_named(surah.name_en) == surah.number


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("2:255", "/quran/2/255/"),
        ("٢:٢٥٥-٢٥٧", "/quran/2/255-257/"),
        ("سورة يوسف", "/quran/12/"),
        ("سورة يوسف 4", "/quran/12/4/"),
        ("يوسف", None),
        ("محمد 2", None),
        ("نوح عليه السلام", None),
    ],
)
def test_the_sites_box_takes_only_what_can_be_nothing_else(quran: None, typed: str, address: str | None) -> None:
    assert address_in_query(typed) == address


def test_ordinary_queries_cost_nothing(quran: None, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        address_in_query("قال رسول الله 3")


def test_names_are_asked_again_while_there_are_none(no_quran: None) -> None:
    assert surah_named("البقرة") is None
    Surah.objects.create(number=2, name_ar="البقرة", name_en="Al-Baqarah", verse_count=286, revelation="madani")
    assert surah_named("البقرة") == 2
