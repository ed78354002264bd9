"""The spelling in which texts are embedded: as newspapers write, without vowel signs, nothing merged.

Language models learned from plain modern text. Folded text (``ة`` as ``ه``, ``أ`` as ``ا``) is strange to them, and
so is the spelling of the Quran (``ٱلصَّلَوٰةَ`` for ``الصلاة``). Measured on five sets, this spelling beats folding
on each: English question to verse R@1 .46 against .59, questions on Quran passages nDCG .29 against .35
(docs/decisions/0041-embedded-spelling.md). The lexical arm keeps folding.
"""

from __future__ import annotations

import re
import unicodedata

from library.arabic.letters import fold_character

#: Raise by one whenever ``modern_spelling`` answers differently for any text: stored vectors become another model's.
SPELLING_VERSION = 1

_STANDARD_LETTERS = frozenset(range(0x0621, 0x064B)) - {0x0640}
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")
_GLUED_SIGNS = re.compile("[\ufdf0-\ufdff]")

# Any sign over or under a letter but a hamza, a dagger alef and the small letters, which are read.
_MARKS = "[\u064b-\u0653\u0656-\u065f\u06d6-\u06dc\u06df-\u06e4\u06ea-\u06ed]*"
_DAGGER = "\u0640?\u0670"
_HAMZA = "[\u0654\u0655]"
_LETTER = "[ء-يٱ]"

#: Words with one of these may be in the Quran's spelling; all others only lose their marks.
_NEEDS_READING = re.compile("[\u0670\u0653-\u0655\u06e6\u06e7ءىآٱ]")

#: From the Quran's spelling to today's, in this order; ``@`` stands for any marks. The rules are those of the books
#: of rasm, tested on the verses.
_RULES = tuple(
    (re.compile(pattern.replace("@", _MARKS)), replacement)
    for pattern, replacement in (
        # يَٰقَوْمِ is two words today, يَابِسَات is one.
        (f"^([وف]?@)ي@{_DAGGER}(?!بِ?س)@", r"\1يا "),
        # A madda over an alef is a long vowel there, and a letter only where a hamza stood.
        ("آ(?=@ء)|(?<=\u064e)آ|(?<=\u064e\u0651)آ", "ا"),
        # A dagger over ya: an alef within a word, a final ya as ever at its end; a bare final ya has its dots today.
        (f"ى@{_DAGGER}@(?={_LETTER})", "ا"),
        ("ى@\u0670", "\ue000"),
        ("(?<=\u0650)ى|(?<=\u0650\u0651)ى|ى(?=@[\u064c\u064d\u064f-\u0653\u06e1]@$)|ى(?=@[ء-ي])", "ي"),
        ("\ue000", "ى"),
        (f"(?<=[اأإآٱى])@{_DAGGER}", ""),
        (f"و{_DAGGER}@ا?", "ا"),
        # A hamza without a seat takes the one that its vowel asks for.
        (f"(?<=ي)(@)\u0640@{_HAMZA}@ا", r"\1ئا"),
        (f"\u0640?@{_HAMZA}@[اٱ]", "آ"),
        (f"\u0640(?:\u064f@{_HAMZA}|@{_HAMZA}\u064f)", "ؤ"),
        (f"\u0640(?:\u064e@{_HAMZA}|@{_HAMZA}\u064e)", "أ"),
        (f"\u0640@{_HAMZA}", "ئ"),
        (f"^ء@ا(?!@$)|(?<=.)ء@[اٱ](?=@[ء-ي])|^ء@{_DAGGER}|(?<=[\u0652\u06e1رل])ء@{_DAGGER}", "آ"),
        ("(?<=.)ء(?=\u0650@ي)", "ئ"),
        ("(?<=[\u064e\u0652\u06e1])ء(?=\u064e@[ب-ي])|^ء(?=\u064e@[أ-ي])", "أ"),
        (f"\u06e6(?=@{_LETTER})|\u0640?\u06e7", "ي"),
        (_DAGGER, "ا"),
    )
)

#: Words that today's spelling, too, writes without their alef, or with a second lam: by the form that the rules give.
_IRREGULAR = """
    هاذا=هذا هاذه=هذه هاذان=هذان هاذين=هذين هاكذا=هكذا هاؤلاء=هؤلاء ذالك=ذلك ذالكم=ذلكم ذالكما=ذلكما ذالكن=ذلكن لاكن=لكن
    لاكنه=لكنه لاكنهم=لكنهم لاكنا=لكنا لاكني=لكني لاكنكم=لكنكم إلاه=إله إلاها=إلها إلاهه=إلهه إلاهك=إلهك إلاهكم=إلهكم
    إلاهنا=إلهنا إلاهين=إلهين الرحمان=الرحمن للرحمان=للرحمن أولائك=أولئك أولائكم=أولئكم طاها=طه اليل=الليل الاتي=اللاتي
"""
_CLITICS = ("", "و", "ف", "ب", "ل", "ك", "أ", "وب", "وك", "ول", "فب")
_IRREGULAR_WORDS = {
    clitic + word: clitic + today
    for word, today in (pair.split("=") for pair in _IRREGULAR.split())
    for clitic in _CLITICS
}


def check_text(text: str) -> None:
    """Raise ValueError if ``text`` holds a NUL or a lone surrogate: no model was made for such texts."""
    if _FORBIDDEN.search(text):
        raise ValueError("text must not contain NUL or lone surrogates")


def modern_spelling(text: str) -> str:
    """Return ``text`` in plain modern spelling with single spaces: no vowel signs, Arabic letters, ASCII digits,
    small Latin letters.

    Punctuation, hamza, ta marbuta and final ya stay. Lone surrogates and NUL count as spaces.
    """
    spaced = _GLUED_SIGNS.sub(lambda sign: f" {sign[0]} ", text)
    spelled = " ".join(map(_spell, unicodedata.normalize("NFKC", spaced).split()))
    return " ".join(spelled.split())


def _spell(word: str) -> str:
    if not _NEEDS_READING.search(word):
        return word.translate(_CHARACTERS)
    for pattern, replacement in _RULES:
        word = pattern.sub(replacement, word)
    parts = word.translate(_CHARACTERS).split()
    return " ".join(_IRREGULAR_WORDS.get(part, part) for part in parts)


class _Characters(dict[int, str]):
    """A table for ``str.translate`` that fills itself; rare planes are not kept, so that odd texts cannot make it
    grow.
    """

    def __missing__(self, code_point: int) -> str:
        plain = _plain(code_point)
        if code_point < 0x10000:
            self[code_point] = plain
        return plain


def _plain(code_point: int) -> str:
    character = chr(code_point)
    if code_point in _STANDARD_LETTERS or unicodedata.category(character)[0] == "P":
        return character
    return fold_character(code_point).replace("'", "")


_CHARACTERS = _Characters()
