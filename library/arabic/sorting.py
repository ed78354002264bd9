"""Sort keys for alphabetical lists, and ASCII digits.

The database compares strings by code point (``C.UTF-8``), which puts آدم before أحمد before ابراهيم. The folded
letters, however, stand in Unicode in the order of the Arabic alphabet: a key made of them sorts rightly.
"""

import re
import unicodedata

from library.arabic.folding import fold, words

_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")

#: Letters that Arabic lacks sort behind the letter they resemble; U+06FF is behind every letter in use.
_ADDED_LETTERS = str.maketrans({"پ": "ب\u06ff", "چ": "ج\u06ff", "ژ": "ز\u06ff", "ڤ": "ف\u06ff", "گ": "ك\u06ff"})

#: First words whose ``ال`` belongs to the word.
_NO_ARTICLE = frozenset(
    (
        "الله",
        "اللهم",
        "التماس",
        "التقاط",
        "التزام",
        "التفات",
        "التقاء",
        "التحاق",
        "التهاب",
        "الهام",
        "الزام",
        "الحاق",
        "الياس",
    )
)

_ENGLISH_ARTICLE = re.compile(r"^(?:a[lnrstdz]|ad[dh]|a[st]h|the|an?) (?=\S)")


def arabic_sort_key(name: str) -> str:
    """Return the key under which an Arabic ``name`` is listed: folded, without the article of its first word.

    Only an article written with a bare alef is one: الغزالي is listed under غ, آل عمران and ألفية under ا.
    """
    parts = words(name)
    if parts and _has_article(name) and parts[0] not in _NO_ARTICLE:
        parts[0] = parts[0][2:]
    return " ".join(parts).translate(_ADDED_LETTERS)


def _has_article(name: str) -> bool:
    """Whether ``name`` begins with ال and two letters more, the alef without hamza."""
    letters = [part for part in unicodedata.normalize("NFC", name) if unicodedata.category(part) == "Lo"]
    return len(letters) >= 4 and letters[0] in "اٱ" and letters[1] == "ل" and len(words(name)[0]) >= 4


def english_sort_key(name: str) -> str:
    """Return the key under which a name in Latin letters is listed: folded, without a leading ``al-`` or ``the``."""
    return _ENGLISH_ARTICLE.sub("", fold(name))


def to_ascii_digits(text: str) -> str:
    """Return ``text`` with Arabic-Indic and Persian digits replaced by 0-9; all else is kept, and so is the length."""
    return text.translate(_DIGITS)
