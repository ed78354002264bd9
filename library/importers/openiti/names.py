"""Names of persons as headers write them: the death note cut off, the fame names found."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIED = r"(?:المتوفّ?[ىي]|المتوفاة|متوفى|توفي|ت)"
_ABOUT = {
    "نحو": ("نحو", "about"),
    "حوالي": ("نحو", "about"),
    "قريبا من": ("نحو", "about"),
    "بعد": ("بعد", "after"),
    "قبل": ("قبل", "before"),
}
_WHEN = rf"(?:(?:سنة|عام)\s+)?(?P<about>{'|'.join(_ABOUT)})?\s*(?:(?:سنة|عام)\s+)?(?P<year>\d{{1,4}})?"
DEATH_NOTES = (
    re.compile(rf"\s*[(\[]\s*{_DIED}\s*:?\s*{_WHEN}[^()\[\]]*[)\]]"),
    re.compile(rf"[\s،]+المتوف[ىي]\s*:?\s*(?=سنة|عام|\d){_WHEN}\s*(?:هـ|ه\u200d|ه)?\s*$"),
)
FAME = re.compile(
    r"(?:(?:الشهير|المشهور|المعروف|المشتهر)\s+ب|الملقب\s+(?:ب(?=ال))?(?!ب))(?P<name>\w+(?:\s+\w+){0,2})\s*(?=[،,.()]|$)"
)
ARTICLED = re.compile(r"\b[بوفك]?ال(?!له\b)(\w{2,})")
# Words without an article of their own: beside ``الكتاب``, Sibawayhi's is still ``Kitab Sibawayhi``.
BARE = frozenset(
    {"Kitab", "Fi", "Min", "Ila", "Bi", "Li", "Wa", "Ma", "Ibn", "Bint", "Abu", "Abi", "Umm", "ʿAn", "ʿAla"}
)
# A word of one consonant is told by its length: of Nawawi only the n counts, as of Fi the f.
SHORT = 4
_LATIN = {
    "ب": "b", "ت": "t", "ث": "t", "ج": "j", "ح": "h", "خ": "k", "د": "d", "ذ": "d", "ر": "r", "ز": "z", "س": "s",
    "ش": "s", "ص": "s", "ض": "d", "ط": "t", "ظ": "z", "ع": "c", "غ": "g", "ف": "f", "ق": "q", "ك": "k", "ل": "l",
    "م": "m", "ن": "n", "ه": "h",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name as it should stand, and what its death note said."""

    name: str
    aliases: tuple[str, ...] = ()
    death_year: int | None = None
    death_label_ar: str = ""
    death_label_en: str = ""


def person(raw: str) -> PersonName:
    """Read a header's author: ``عمرو بن بحر، الشهير بالجاحظ (المتوفى: 255هـ)``."""
    name, death = raw, None
    for note in DEATH_NOTES:
        death = note.search(raw)
        if death is not None:
            name = note.sub("", raw)
            break
    name = name.strip(" ،,.-") or raw.strip()
    aliases = tuple(fame["name"] for fame in FAME.finditer(name))
    if death is None or death["year"] is None:
        return PersonName(name, aliases)
    year, about = death["year"], _ABOUT.get(death["about"] or "")
    if about is None:
        return PersonName(name, aliases, int(year))
    return PersonName(name, aliases, int(year), f"{about[0]} {year}", f"{about[1]} {year}")


def split_persons(raw: str) -> list[str]:
    """The names in ``المحلي و السيوطي``: a lone و parts them."""
    return [part.strip() for part in re.split(r"\s+و\s+", raw) if part.strip()]


def is_named_by(arabic: str, camel: str) -> bool:
    """Whether an Arabic name holds the consonants of a URI's short name (``Suyuti`` of ``السيوطي``)."""
    wanted = _of_latin(camel)
    return bool(wanted) and wanted in _of_arabic(re.sub(r"\bال", "", arabic))


def with_articles(short: str, arabic: str) -> str:
    """A URI's short name with the articles of the Arabic one: ``al-Ghazali`` beside ``أبو حامد الغزالي``."""
    told = {_of_arabic(word) for word in ARTICLED.findall(arabic)}
    bare = {_of_arabic(word) for word in ARTICLED.sub(" ", arabic).split()}
    return " ".join(f"al-{word}" if _has_article(word, told - bare) else word for word in short.split())


def _has_article(word: str, articled: set[str]) -> bool:
    key = _of_latin(word.replace("ʿ", "c"))
    return word not in BARE and (len(key) > 1 or len(word) > SHORT) and key in articled


def _of_latin(name: str) -> str:
    # A URI writes some letters as two (sh) and the doubled ones twice (Warraq); the Arabic has one sign for either.
    return _once(re.sub(r"(?<=[tdksg])h|[aeiouwy']", "", name.lower()))


def _of_arabic(name: str) -> str:
    return _once("".join(_LATIN.get(letter, "") for letter in name))


def _once(letters: str) -> str:
    return re.sub(r"(.)\1", r"\1", letters)
