"""The folding table: what one character becomes, whatever stands around it.

The table is computed on demand from Unicode's own data (NFKD, general category) and the short lists below, so
presentation forms, full-width letters and foreign digits need no rows of their own. One character at a time is enough
because every mark is dropped: NFKC would compose ا and a hamza above into أ, which becomes ا anyway.
"""

import unicodedata

#: Stands for an apostrophe between the table and the word rules of ``folding``; it never leaves that module.
APOSTROPHE = "'"

#: Spacing and typographic apostrophes: dropped inside a Latin word (Qur'an), a space elsewhere.
_APOSTROPHES = frozenset("'’‘`´ʼ′")

#: Letters that are read alike; the Persian, Urdu, Kurdish and Maghribi shapes are those of the Unicode Arabic block.
#: گ پ چ ژ ڤ stay: they are letters of their own.
_LETTER_GROUPS = {
    "ا": "أإآٱٲٳ",
    "ي": "ىیئۍێېۑےؠؽؾؿ",
    "و": "ؤۄۅۆۇۈۉۊۋ",
    "ه": "ةہھەۀۂۃۿ",
    "ك": "کڪ",
    "ن": "ں",
    "ب": "ٮ",
    "ف": "ڡڢ",
    "ق": "ٯڧ",
    "": "ـٴۥۦ",
    " ": "۝؀؁؂؃؄؅۞۩࣢",
    "i": "ı",
    "o": "ø",
    "d": "đð",
    "l": "ł",
    "ae": "æ",
    "oe": "œ",
    "th": "þ",
}
_LETTERS = {ord(source): target for target, sources in _LETTER_GROUPS.items() for source in sources}

#: Formulas written as one sign for which Unicode gives no decomposition (14.0 and 4.0), spelled by their names there.
_FORMULAS = {
    0xFD40: "رحمه الله",
    0xFD41: "رضي الله عنه",
    0xFD42: "رضي الله عنها",
    0xFD43: "رضي الله عنهم",
    0xFD44: "رضي الله عنهما",
    0xFD45: "رضي الله عنهن",
    0xFD46: "صلي الله عليه واله",
    0xFD47: "عليه السلام",
    0xFD48: "عليهم السلام",
    0xFD49: "عليهما السلام",
    0xFD4A: "عليه الصلاه والسلام",
    0xFD4B: "قدس سره",
    0xFD4C: "صلي الله عليه واله وسلم",
    0xFD4D: "عليها السلام",
    0xFD4E: "تبارك وتعالي",
    0xFD4F: "رحمهم الله",
    0xFDCF: "سلامه علينا",
    0xFDFD: "بسم الله الرحمن الرحيم",
    0xFDFE: "سبحانه وتعالي",
    0xFDFF: "عز وجل",
}

#: Modifier letters: ʿ ʾ ʻ ʼ and the like carry ʿayn and hamza in transliterations, which readers leave out.
_MODIFIERS = range(0x02B0, 0x0300)

#: Presentation forms of a lone vowel sign; NFKD would give a space, and cut a word in two.
_LONE_MARKS = (*range(0xFC5E, 0xFC64), *range(0xFE70, 0xFE80))


def fold_character(code_point: int) -> str:
    """Return the folded characters of one code point: none, one, or the words of a ligature (ﷺ) between two spaces."""
    if code_point in _FORMULAS:
        return f" {_FORMULAS[code_point]} "
    character = chr(code_point)
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    folded = "".join(_fold_part(part) for part in parts if not (part == " " and code_point in _LONE_MARKS))
    # Words written as one sign stand apart from the word they are glued to: النبيﷺ.
    return f" {folded} " if " " in folded and folded.strip() else folded


def _fold_part(part: str) -> str:
    code_point = ord(part)
    if code_point in _LETTERS:
        return _LETTERS[code_point]
    if part in _APOSTROPHES:
        return APOSTROPHE
    if code_point in _MODIFIERS:
        return ""
    category = unicodedata.category(part)
    if category == "Nd":
        return str(unicodedata.digit(part))
    if category in ("Mn", "Me", "Cf"):
        return ""
    return part if category[0] in "LN" or category == "Mc" else " "


class FoldTable(dict[int, str]):
    """A table for ``str.translate`` that fills itself; rare planes are not kept, so odd texts cannot make it grow."""

    def __missing__(self, code_point: int) -> str:
        folded = fold_character(code_point)
        if code_point < 0x10000:
            self[code_point] = folded
        return folded


FOLD_TABLE = FoldTable()
