"""Keys as people type them, and what is said to the wrong ones."""

import pytest

from quran.verse_keys import InvalidVerseKey, VerseRange, parse_verse_key


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2:255", VerseRange(2, 255, 255)),
        ("2:255-257", VerseRange(2, 255, 257)),
        (" 2 : 255 - 257 ", VerseRange(2, 255, 257)),
        ("٢:٢٥٥", VerseRange(2, 255, 255)),
        ("۲:۲۵۵", VerseRange(2, 255, 255)),
        ("2:1-50", VerseRange(2, 1, 50)),
        ("114:6", VerseRange(114, 6, 6)),
    ],
)
def test_key_is_understood(typed: str, meant: VerseRange) -> None:
    assert parse_verse_key(typed) == meant


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("0:1", "must name a surah from 1 to 114"),
        ("115:1", "must name a surah from 1 to 114"),
        ("2:287", "must name verses from 1 to 286 in surah 2"),
        ("2:0", "must name verses from 1 to 286 in surah 2"),
        ("2:5-3", "must end at or after the verse it begins with"),
        ("2:1-51", "must name at most 50 verses"),
        ("2:1-60", "must name at most 50 verses"),
        ("2", "must be a surah and verse like 2:255, or a range in one surah like 2:255-257"),
        ("al-baqara", "must be a surah and verse like 2:255, or a range in one surah like 2:255-257"),
        ("2:255-3:1", "must be a surah and verse like 2:255, or a range in one surah like 2:255-257"),
        ("2:²", "must be a surah and verse like 2:255, or a range in one surah like 2:255-257"),
    ],
)
def test_wrong_key_is_told_its_rule(typed: str, rule: str) -> None:
    with pytest.raises(InvalidVerseKey, match=f"^{rule}$"):
        parse_verse_key(typed)


def test_key_prints_as_it_is_cited() -> None:
    assert str(VerseRange(2, 255, 257)) == "2:255-257"
    assert str(VerseRange(2, 255, 255)) == "2:255"
