"""Reads the Quran's text, translation and page layout from the data files of installed packages.

Only files are read; no code of these packages is imported. ``quran-validator`` (MIT) carries the Tanzil Uthmani text,
``purequransearch`` the translation of Pickthall, ``quran-text`` (CC BY 4.0) the layout of the Madinah mushaf.
"""

from __future__ import annotations

import hashlib
import html
import importlib.metadata
import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .data.facts import (
    JUZ_STARTS,
    MUSHAF_PAGES,
    SURAH_NAMES_EN,
    SURAHS,
    TEXT_SHA256,
    TRANSLATION_SHA256,
    VERSES,
)

#: A word with the sign of a quarter before it; signs of pausing stand apart and are none.
_WORD = re.compile("(?:\u06de )?[^ \u06d6-\u06dc\u06de\u06e9][^ ]*")
#: The one verse whose first word one source writes in two (لَّوْ مَا) and the other in one.
PARTED_WORD = (15, 7)


class WrongPackageData(Exception):
    """A package is missing or its data is not what was promised; the message is one line for a person."""


@dataclass(frozen=True, slots=True)
class SurahRow:
    """What is known of a surah."""

    number: int
    name_ar: str
    name_en: str
    verse_count: int
    revelation: str


@dataclass(frozen=True, slots=True)
class VerseRow:
    """What is known of a verse.

    ``id`` counts from 1 through the whole Quran; ``lines`` are the code points of ``text`` at which lines of the mushaf
    begin.
    """

    id: int
    surah: int
    number: int
    text: str
    translation: str
    juz: int
    page: int
    lines: list[int]


def read() -> tuple[list[SurahRow], list[VerseRow]]:
    """All surahs and verses, checked.

    Raises:
        WrongPackageData: a package is missing, a hash differs, or two sources disagree on a count.
    """
    names = _json("quran-validator", "quran_validator/data/quran-surahs.min.json")
    texts = _json("quran-validator", "quran_validator/data/quran-verses.min.json")
    mushaf = _json("quran-text", "quran_text_data/hafs.json")
    lines = "\n".join(f"{verse['surah']}|{verse['ayah']}|{verse['text']}" for verse in texts)
    _require(hashlib.sha256(lines.encode()).hexdigest() == TEXT_SHA256, "the Uthmani text is not the expected one")
    _require(len(names) == SURAHS and len(texts) == VERSES, "there are not 114 surahs and 6,236 verses")
    counts = [row["versesCount"] for row in names]
    _require(counts == [row["ayah_count"] for row in mushaf["surahs"]], "two sources count the verses differently")
    translations = _translations()
    pages = _pages(mushaf)
    lines_of = _lines(mushaf, texts)
    surahs = [
        SurahRow(row["number"], row["name"], SURAH_NAMES_EN[place], row["versesCount"], second["revelation"])
        for place, (row, second) in enumerate(zip(names, mushaf["surahs"], strict=True))
    ]
    verses = [
        VerseRow(
            place,
            row["surah"],
            row["ayah"],
            row["text"],
            translations[row["surah"], row["ayah"]],
            juz_of(row["surah"], row["ayah"]),
            pages[place - 1],
            lines_of[place - 1],
        )
        for place, row in enumerate(texts, start=1)
    ]
    return surahs, verses


def juz_of(surah: int, verse: int) -> int:
    """The juz, 1–30, that a verse lies in."""
    return bisect_right(JUZ_STARTS, (surah, verse))


def _pages(mushaf: dict[str, Any]) -> list[int]:
    """The page, 1–604, on which each verse begins; pages and verses are both given by their first word."""
    starts = mushaf["page_starts"]
    _require(len(starts) == MUSHAF_PAGES, "the Madinah mushaf does not have 604 pages")
    return [bisect_right(starts, word) for word in mushaf["ayah_starts"]]


def _lines(mushaf: dict[str, Any], texts: list[dict[str, Any]]) -> list[list[int]]:
    """Where in each verse lines of the Madinah mushaf begin. It counts words, the text is cut at its spaces."""
    begins = set(mushaf["line_starts"])
    found = []
    for row, first, end in zip(
        texts, mushaf["ayah_starts"], [*mushaf["ayah_starts"][1:], len(mushaf["words"])], strict=True
    ):
        places = [match.start() for match in _WORD.finditer(row["text"])]
        if (row["surah"], row["ayah"]) == PARTED_WORD:
            del places[1]
        _require(len(places) == end - first, f"two sources part the words of {row['surah']}:{row['ayah']} differently")
        found.append([at for number, at in enumerate(places, start=first) if number in begins])
    return found


def _translations() -> dict[tuple[int, int], str]:
    """Pickthall's English by surah and verse. The file is XML that no parser takes (``--`` inside a comment)."""
    raw = _file("purequransearch", "purequransearch/corpora/en.pickthall.xml").read_bytes()
    _require(hashlib.sha256(raw).hexdigest() == TRANSLATION_SHA256, "the translation is not the expected one")
    found: dict[tuple[int, int], str] = {}
    surah = 0
    for tag, index, text in re.findall(r'<(sura|aya) index="(\d+)" (?:name|text)="([^"]*)"', raw.decode("utf-8")):
        if tag == "sura":
            surah = int(index)
        else:
            found[surah, int(index)] = html.unescape(text)
    _require(len(found) == VERSES and all(found.values()), "the translation does not cover every verse")
    return found


def _json(package: str, path: str) -> Any:
    return json.loads(_file(package, path).read_text("utf-8"))


def _file(package: str, path: str) -> Path:
    try:
        found = Path(str(importlib.metadata.distribution(package).locate_file(path)))
    except importlib.metadata.PackageNotFoundError:
        raise WrongPackageData(f"the package {package} is not installed") from None
    _require(found.is_file(), f"the package {package} has no file {path}")
    return found


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise WrongPackageData(otherwise)
