"""The packaged text is loaded whole and unchanged."""

import hashlib
import re
from collections import Counter

import pytest
from django.core.management import call_command

from quran import packages
from quran.data.widths import PAGE_HALF_EMS
from quran.models import Surah, Verse
from quran.services import load
from quran.verse_keys import VERSE_COUNTS

JUZ_BOUNDARIES = [
    "1:1", "2:142", "2:253", "3:93", "4:24", "4:148", "5:82", "6:111", "7:88", "8:41",
    "9:93", "11:6", "12:53", "15:1", "17:1", "18:75", "21:1", "23:1", "25:21", "27:56",
    "29:46", "33:31", "36:28", "39:32", "41:47", "46:1", "51:31", "58:1", "67:1", "78:1",
]  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    return packages.read()


def test_counts_of_keys_are_those_of_the_text(rows) -> None:
    assert [surah.verse_count for surah in rows[0]] == list(VERSE_COUNTS)


def test_every_juz_begins_at_its_verse(rows) -> None:
    juz = {f"{verse.surah}:{verse.number}": verse.juz for verse in rows[1]}
    ordered = list(juz)
    assert len(JUZ_BOUNDARIES) == 30
    for number, key in enumerate(JUZ_BOUNDARIES, start=1):
        assert juz[key] == number
        before = ordered.index(key) - 1
        assert before < 0 or juz[ordered[before]] == number - 1


def test_every_verse_has_a_translation_and_a_page(rows) -> None:
    assert all(verse.translation.strip() for verse in rows[1])
    assert [verse.page for verse in rows[1]] == sorted(verse.page for verse in rows[1])
    assert {verse.page for verse in rows[1]} == set(range(1, 605))


def test_lines_of_the_mushaf_begin_at_words(rows) -> None:
    lines = [(verse, at) for verse in rows[1] for at in verse.lines]
    assert len(lines) == 8820
    assert all(at == 0 or verse.text[at - 1] == " " for verse, at in lines)
    assert not any(re.match("[ۖ-ۜ۩ ]", verse.text[at:]) for verse, at in lines)
    of_page = Counter(verse.page for verse, _ in lines)
    assert max(of_page.values()) == 15
    assert [of_page[page] for page in (1, 2, 3, 50, 604)] == [7, 6, 15, 13, 9]
    assert len(PAGE_HALF_EMS) == 604


@pytest.mark.django_db
def test_load_stores_the_text_as_it_came_and_a_second_changes_nothing(capsys) -> None:
    assert load() == 114 + 6236
    lines = "\n".join(
        f"{surah}|{ayah}|{text}" for surah, ayah, text in Verse.objects.values_list("surah", "number", "text")
    )
    assert hashlib.sha256(lines.encode()).hexdigest() == (
        "9d2b083d5d111ce818ac5d30c49a34f171582540b641423c5b88542b97be0fa2"
    )
    assert load() == 0
    Verse.objects.filter(pk=7).update(translation="changed")
    assert load() == 1
    call_command("load_quran")
    assert "nothing to change" in capsys.readouterr().out
    assert Surah.objects.get(pk=2).label("en") == "Al-Baqarah"
    found = {str(verse) for verse in Verse.objects.saying("الله لا إله إلا هو الحي القيوم")}
    assert found == {"2:255", "3:2"}
    assert str(Verse.objects.saying("السماوات والأرض").first()) in {"52:36", "45:3"}
    assert not Verse.objects.saying("' & | !").exists()


def test_a_changed_text_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(packages, "TEXT_SHA256", "0" * 64)
    with pytest.raises(packages.WrongPackageData, match="not the expected one"):
        packages.read()
