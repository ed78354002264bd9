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
    # A URI writes some letters as two (sh) and the doubled ones twice (Warraq); the Arabic has one sign for either.
    wanted = _once(re.sub(r"(?<=[tdksg])h|[aeiouwy']", "", camel.lower()))
    return bool(wanted) and wanted in _once("".join(_LATIN.get(letter, "") for letter in re.sub(r"\bال", "", arabic)))


def _once(letters: str) -> str:
    return re.sub(r"(.)\1", r"\1", letters)
