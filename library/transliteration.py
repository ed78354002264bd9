"""Names in Latin letters: one key for their many transliterations, OpenITI's capitals, slugs."""

import re
import unicodedata

from library.arabic import fold, to_ascii_digits

#: ``al-`` with its assimilated forms; ``a`` and ``the`` stand in translated titles.
ARTICLES = frozenset(
    (
        "al",
        "ad",
        "adh",
        "an",
        "ar",
        "as",
        "ash",
        "at",
        "ath",
        "az",
        "el",
        "ed",
        "ul",
        "ud",
        "un",
        "ur",
        "us",
        "a",
        "the",
    )
)

#: Letters whose folding would lose the consonant: those of DIN 31635 and of Turkish, one letter for one.
_ONE_LETTER = str.maketrans(
    {
        "ġ": "gh",
        "ḫ": "kh",
        "ẖ": "kh",
        "š": "sh",
        "ṯ": "th",
        "ḏ": "dh",
        "ǧ": "j",
        "ŧ": "",
        "ğ": "gh",
        "ş": "sh",
        "ḳ": "q",
    }
)

_WORDS = {"bin": "ibn", "ben": "ibn", "b": "ibn", "bn": "ibn", "abi": "abu", "aba": "abu", "abou": "abu"}


def _compiled(*rules: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), spelling) for pattern, spelling in rules]


#: What transliterators write, and the one spelling of the key, in this order. On folded words.
_NAME_RULES = _compiled(
    (r"\babd ?(?:[uae]?l )?[uae]?l+ah?\b", "abd allah"),  # Abdullah, Abdallah, ʿAbd Allāh
    (r"\babd[uae](?:l|([rsznt]) ?\1?(?=\1)) ?(?=\w{3})", "abd "),  # Abdurrahman, Abdul Aziz
    (r"(?<=\w{3})[uaei]d ?din\b", " din"),  # Saifuddin
    (r"\babu?l (?=\w{3})", "abu "),  # Abu'l-Hasan
)
_LETTER_RULES = _compiled(
    (r"dj", "j"),
    (r"dh", "z"),
    (r"th", "s"),
    (r"ou|oo", "u"),
    (r"ee", "i"),
    (r"e(?=[iy])", "a"),
    (r"ai", "ay"),
    (r"a[uo]|awu", "aw"),
    (r"o", "u"),
    (r"e", "a"),
    (r"(.)\1+", r"\1"),
    (r"(?<=[^aiu])y\b", "i"),
    (r"(?<=\w)ah\b", "a"),
    (r"(?<=[^aiuy])ia\b", "iya"),
)

_GLUED_ARTICLE = re.compile(r"\b([AaEe]l)(?=[A-Z])")

_OPENITI_URI = re.compile(r"\d{4}(?P<author>[A-Z][A-Za-z]+)(?:\.(?P<book>[A-Z][A-Za-z0-9]*)(?:\.[\w.-]+)?)?")
_CAPITAL = re.compile(r"(?<=[^\W_])(?=[A-Z])")

#: Folded Arabic letters by their English consonants, for slugs of names that have no transliteration.
_LATIN_LETTERS = str.maketrans(
    dict(zip("ابتجحدرزسصضطفقكلمنهويگپڤ", "abtjhdrzssdtfqklmnhwygpv", strict=True))
    | {"ث": "th", "خ": "kh", "ذ": "dh", "ش": "sh", "ظ": "z", "غ": "gh", "چ": "ch", "ژ": "zh", "ع": "", "ء": ""}
)
_SLUG_LENGTH = 80


def latin_fold(name: str) -> str:
    """Return the folded words of a name in Latin letters, its one-letter consonants spelled out.

    ``al-Ġazālī`` and ``AlGhazali`` are ``al ghazali``.
    """
    composed = unicodedata.normalize("NFC", _GLUED_ARTICLE.sub(r"\1-", name)).lower()
    return fold(composed.translate(_ONE_LETTER))


def latin_key(name: str) -> str:
    """Return the key that the transliterations of one name share: ``ghazali`` for al-Ghazzālī, Ghazali and Ghazaly.

    Articles, doubled letters and the choice of vowels (Mohammed, Muhammad), of ``dh`` or ``z`` and of ``-iyya`` or
    ``-iyyah`` do not count. The key is for comparing, not for reading.
    """
    key = latin_fold(name)
    for rule, spelling in _NAME_RULES:
        key = rule.sub(spelling, key)
    parts = key.split()
    key = " ".join(_WORDS.get(part, part) for part in [part for part in parts if part not in ARTICLES] or parts)
    for rule, spelling in _LETTER_RULES:
        key = rule.sub(spelling, key)
    return key


def openiti_names(uri: str) -> tuple[str, str] | None:
    """Return author and book (or "") of an OpenITI address as they are written there, None if ``uri`` is none.

    ``0505Ghazali.IhyaCulumDin.Shamela0009472-ara1`` gives ``("Ghazali", "IhyaCulumDin")``.
    """
    match = _OPENITI_URI.fullmatch(uri.strip())
    return (match["author"], match["book"] or "") if match else None


def split_openiti_camel(name: str) -> str:
    """Return a name of an OpenITI address as words, its ``c`` as ʿayn: ``IhyaCulumDin`` is ``Ihya ʿUlum Din``."""
    return " ".join(map(_restore_ayn, _CAPITAL.split(name)))


def _restore_ayn(word: str) -> str:
    if word.startswith("C"):
        word = "ʿ" + word[1:].capitalize()
    return word.replace("c", "ʿ")


def slugify_translit(name: str) -> str:
    """Return an ASCII slug of at most 80 letters, cut between words: ``ihya-ulum-al-din`` for Iḥyāʾ ʿUlūm al-Dīn.

    Arabic letters are written by their consonants; the slug of a name without any letter or digit is empty.
    """
    letters = latin_fold(to_ascii_digits(name)).translate(_LATIN_LETTERS)
    slug = ""
    for word in re.findall("[a-z0-9]+", letters):
        longer = f"{slug}-{word}" if slug else word[:_SLUG_LENGTH]
        if len(longer) > _SLUG_LENGTH:
            break
        slug = longer
    return slug
