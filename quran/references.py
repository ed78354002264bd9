"""References as people write them: ``2:255``, ``البقرة ٢٥٥``, ``al-Baqarah 255-257``, ``سورة الكهف``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from library.arabic import fold, to_ascii_digits
from quran.models import Surah
from quran.verse_keys import InvalidVerseKey, VerseRange, parse_verse_key

#: Code points of the longest text that is looked at.
LONGEST = 60

_NAMED = re.compile(
    r"(?P<word>(?:سورة|سوره|surah?t?|sura)\s+)?"
    r"(?P<name>[^\d:،,\[\]()]+?)"
    r"[\s:،,]*(?:(?:آية|الآية|اية|verses?|ayah?)\s*)?[\s:]*"
    r"(?P<verses>\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)?",
    re.IGNORECASE,
)
#: The article as transliterations write it (it takes the sound of the letter after it), or as Arabic does.
_ARTICLE = re.compile(r"ال(?=..)|(?:a[lnrstz]|a[dst]h|ad) ")


@dataclass(frozen=True, slots=True)
class Reference:
    """A surah, or verses of it.

    ``certain``: it can be nothing else. A name alone (يوسف, نوح) may as well be meant as a word.
    """

    surah: int
    verses: VerseRange | None
    certain: bool


def parse_reference(text: str, *, only_certain: bool = False) -> Reference | None:
    """What a query refers to; None when it is no reference, or to verses that do not exist.

    ``only_certain`` leaves out names that may be words; most queries then cost no look at the names.
    """
    text = to_ascii_digits(text).strip(" \t[](){}﴿﴾")
    if len(text) > LONGEST:
        return None
    try:
        verses = parse_verse_key(text, limit=None)
    except InvalidVerseKey:
        return _named(text, only_certain)
    return Reference(verses.surah, verses, certain=True)


def surah_named(name: str) -> int | None:
    """The number of the surah of that name, Arabic or in Latin letters, with or without its article."""
    return _numbers(len(surahs())).get(_plain(name))


def _named(text: str, only_certain: bool) -> Reference | None:
    """A reference by the surah's name."""
    match = _NAMED.fullmatch(text)
    if match is None or (only_certain and not match["word"]):
        return None
    surah = surah_named(match["name"])
    if surah is None:
        return None
    if not match["verses"]:
        return Reference(surah, None, certain=bool(match["word"]))
    try:
        verses = parse_verse_key(f"{surah}:{match['verses']}", limit=None)
    except InvalidVerseKey:
        return None
    return Reference(surah, verses, certain=bool(match["word"]))


def _plain(name: str) -> str:
    """A name as names are compared: folded, without article, spaces and doubled letters."""
    folded = fold(name)
    article = _ARTICLE.match(folded)
    bare = (folded[article.end() :] if article else folded).replace(" ", "")
    return re.sub(r"(.)\1", r"\1", bare.removesuffix("h") if bare.endswith("ah") else bare) or folded


def surahs() -> dict[int, Surah]:
    """All surahs by number; asked once a process (one query), and again while there are none."""
    found = _read()
    if not found:
        forget()
    return found


@lru_cache(maxsize=1)
def _read() -> dict[int, Surah]:
    return Surah.objects.in_bulk()


@lru_cache(maxsize=1)
def _numbers(_: int) -> dict[str, int]:
    """Numbers by name."""
    return {_plain(name): surah.number for surah in surahs().values() for name in (surah.name_en, surah.name_ar)}


def forget() -> None:
    """Ask for the names again next time."""
    _read.cache_clear()
    _numbers.cache_clear()
