"""The verses that every door hands out: the contract's fields, who speaks, and how long what was said is kept."""

from __future__ import annotations

import hashlib
import time

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.db import connection

from qaf.settings.environment import env
from quran import foundation
from quran.foundation import Foundation
from quran.models import Verse
from quran.verse_keys import VERSE_COUNTS, VerseRange, parse_verse_key
from quran.verses import QuranNotLoaded, QuranVerses, Source, get_verses, speak
from tests.quran.conftest import Clock, packaged
from tests.quran.test_load import JUZ_BOUNDARIES
from tests.stubs.quran_foundation import SIGNATURE, StubFoundation

pytestmark = pytest.mark.django_db
WEEK = 7 * 24 * 3600


def get(key: str, locale: str = "en", seconds: float = 10) -> QuranVerses:
    """The verses of a key as people type it."""
    return get_verses(parse_verse_key(key), locale, time.monotonic() + seconds)  # type: ignore[arg-type]


# -- as packaged ----------------------------------------------------------------------------------------------------


def test_the_fields_are_the_contracts(quran: None, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        found = get("112:1-2")
    assert found.as_contract() == {
        "surahName": "Al-Ikhlas",
        "surahNameArabic": "الإخلاص",
        "surahNumber": 112,
        "verseStart": 1,
        "verseEnd": 2,
        "verseText": f"{packaged()[112, 1]} {packaged()[112, 2]}",
        "translation": "Say: He is Allah, the One! Allah, the eternally Besought of all!",
        "juz": 30,
        "revelation": "makki",
    }
    assert found.source is Source.PACKAGED


def test_arabic_has_no_translation(quran: None) -> None:
    found = get("2:255", "ar").as_contract()
    assert (found["surahName"], found["translation"], found["revelation"]) == ("البقرة", None, "madani")


def test_all_verses_are_the_expected_text_and_have_a_translation(quran: None) -> None:
    lines = []
    for surah, count in enumerate(VERSE_COUNTS, start=1):
        for said in speak(VerseRange(surah, 1, count), time.monotonic() + 10).verses:
            lines.append(f"{surah}|{said.verse.number}|{said.text}")
            assert said.translation.strip()
    assert len(lines) == 6236
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == (
        "9d2b083d5d111ce818ac5d30c49a34f171582540b641423c5b88542b97be0fa2"
    )


def test_the_juz_is_that_of_the_first_verse(quran: None) -> None:
    assert [get(key).juz for key in JUZ_BOUNDARIES] == list(range(1, 31))
    assert get("2:141-142").juz == 1


def test_without_verses_it_says_so(no_quran: None) -> None:
    with pytest.raises(QuranNotLoaded):
        get("1:1")


# -- who speaks -----------------------------------------------------------------------------------------------------


def test_the_quran_foundation_speaks_when_it_is_configured(online: StubFoundation) -> None:
    found = get("2:255-256")
    assert found.source is Source.QURAN_FOUNDATION
    assert found.verse_text == f"{online.texts[2, 255]} {online.texts[2, 256]}"
    assert found.translation == f"{SIGNATURE} 2:255, & so on {SIGNATURE} 2:256, & so on"
    assert get("2:255", "ar").translation is None


@pytest.mark.parametrize("fault", [404, 429, 503, "malformed", "short", "wrong_key", "wrong_text", "no_translation"])
def test_the_packaged_text_answers_when_it_does_not(online: StubFoundation, fault: int | str) -> None:
    online.faults = [fault] * 9
    found = get("2:255")
    assert found.source is Source.PACKAGED
    assert found.verse_text == packaged()[2, 255]
    assert str(found.translation).startswith("Allah!")


@pytest.mark.parametrize("fault", ["silent", "drip"])
def test_a_slow_service_leaves_time_for_the_packaged_text(online: StubFoundation, fault: str) -> None:
    online.faults = [fault]
    started = time.monotonic()
    assert get("2:255", seconds=1.5).source is Source.PACKAGED
    assert time.monotonic() - started < 1.5


def test_a_failure_is_logged_without_text_and_secrets(online: StubFoundation, caplog: pytest.LogCaptureFixture) -> None:
    online.faults = ["wrong_text"]
    get("2:255")
    (line,) = [record.getMessage() for record in caplog.records if record.name == "quran.verses"]
    assert line == "quran foundation: the text of 2:255 is not that verse; the packaged text answers for 2:255"


# -- how long -------------------------------------------------------------------------------------------------------


def tables_holding(text: str) -> list[str]:
    """The tables of this database in which ``text`` stands in any column of any row."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        for schema, table in cursor.fetchall():
            cursor.execute(
                f'SELECT EXISTS (SELECT FROM "{schema}"."{table}" row WHERE row::text LIKE %s)', [f"%{text}%"]
            )
            if cursor.fetchone()[0]:
                found.append(table)
    return found


def django_caches_holding(text: str) -> list[str]:
    """The caches of the settings in which it stands."""
    return [name for name in django_settings.CACHES if text in repr(getattr(caches[name], "_cache", {}))]


def test_the_scan_sees_what_a_table_holds(quran: None) -> None:
    Verse.objects.filter(pk=1).update(translation=f"so {SIGNATURE} here")
    assert tables_holding(SIGNATURE) == ["quran_verse"]


def test_nothing_of_the_online_text_outlives_its_week(online: StubFoundation) -> None:
    service = foundation.configured()
    assert isinstance(service, Foundation)
    clock = service.cache._clock = Clock(time.time())
    # The stub's text differs from the packaged one by a sign that folding drops, so that a copy would be seen.
    marked = online.texts[112, 1].replace("هُوَ", "هُـــوَ")
    online.texts[112, 1] = marked

    assert get("112:1").verse_text == marked
    assert len(service.cache) == 1
    assert tables_holding(SIGNATURE) == tables_holding("هُـــوَ") == []
    assert django_caches_holding(SIGNATURE) == []

    clock.now += WEEK - 1
    assert service.cache._sweeper is not None  # it comes by itself, every hour
    service.cache._sweeper.cancel()
    service.cache._swept()
    assert len(service.cache) == 0
    assert tables_holding(SIGNATURE) == tables_holding("هُـــوَ") == []
    assert django_caches_holding(SIGNATURE) == []


# -- the real one ---------------------------------------------------------------------------------------------------


@pytest.mark.live("QF_CLIENT_ID", "QF_CLIENT_SECRET")
def test_the_real_service_answers(quran: None) -> None:
    assert env("QF_CLIENT_ID")
    try:
        found = get("2:255-257", seconds=30)
        assert found.source is Source.QURAN_FOUNDATION
        assert "<" not in str(found.translation)
    finally:
        foundation.forget()
