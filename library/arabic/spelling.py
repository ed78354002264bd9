"""Spellings that must be found together although folding keeps them apart.

Texts are indexed under ``word_forms``, queries ask for ``query_forms``; a word is found when the two share a form.

- Signs that stand for a letter (dagger alef, small high ya and nun, small waw and ya, hamza on a tatweel, ...) are
  read both ways when a text is indexed: السَّمَٰوَٰت is stored as السموت, السماوت, السموات and السماوات. Only words that
  carry such a sign have more than one form. All words of the plain spelling are found in 99.0 % of the 6,236
  verses of a packaged Uthmani Quran (34 % when the signs are only dropped), for a fifth more terms in such texts.
- Spellings that differ in plain letters (مسؤول and مسئول, رحمة and رحمت, الصلاة and الصلوة) are asked for together. A
  word of the text keeps its one form, so nobody who asks for another word meets it, and the lists are closed where
  a rule would catch other words: قصة is not قصت.

Each word has at most eight forms; the first is always its plain fold.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

from library.arabic.folding import words

MAX_FORMS = 8

_MARKS = "[\u0610-\u061a\u064b-\u065f\u06d6-\u06dc\u06df-\u06e4\u06ea-\u06ed]*"
_LETTER = "[ء-يٱ]"
_FLOATING = f"\u0640{_MARKS}[\u0654\u0655]"

#: Where the Quran's spelling differs from the plain one by a sign that can be seen, and how it may be
#: read, the likeliest last. Earlier rows win.
_SIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("و\u0670", ("و", "وا", "ا")),  # الصلوٰة; the waw of سَمَوَٰت has a vowel before its dagger
    (f"ى{_MARKS}\u0670(?={_MARKS}\u0640?{_LETTER})", ("ي", "ا")),  # مولىٰنا
    ("(?<=[اأإآٱى])\u0670", ("",)),  # علىٰ: says only how the letter is read
    ("\u0670", ("", "ا")),
    (f"\u06e7|\u06e6(?={_MARKS}{_LETTER})|(?<=[^ه]\u0650)\u06e6", ("", "ي")),  # إبرٰهـۧم, يستحىِۦ
    (f"\u06e5(?={_MARKS}{_LETTER})", ("", "و")),  # داوۥد
    ("\u06e8", ("", "ن")),  # نـۨجي
    (f"{_FLOATING}\u064e|\u0640\u064e[\u0654\u0655]", ("", "ي", "ا")),  # يسـَٔلون
    (f"{_FLOATING}\u064f|\u0640\u064f[\u0654\u0655]", ("", "ي", "و")),  # مسـُٔولا
    (_FLOATING, ("", "و", "ا", "ي")),  # الأفـِٔدة, شيـًٔا
    (f"ؤ{_MARKS}ا\u06df", ("وا", "ء", "ا")),  # يبدؤا۟, جزٰٓؤا۟
    (f"ا\u06df(?!{_MARKS}{_LETTER})", ("", "ا")),  # يتلوا۟: a last alef marked as silent
    ("ا\u06df", ("ا", "")),  # لأا۟ذبحنه: other letters marked as silent
    ("و\u06df", ("و", "")),
    ("[ىي]\u06df", ("ي", "")),
    ("(?<=\u064e)ء\u064e(?=[^ا])", ("ء", "ا")),  # أرءيت
    (f"(?<=[\u064e\u0653])ء\u0650(?={_MARKS}{_LETTER})", ("ء", "ا", "ي")),  # أءذا, إسرٰٓءيل
    ("^ء\u064e(?=أ)", ("ء", "أ")),  # ءأنتم
    ("(?<=ء\u064f)و$", ("و", "وا")),  # جاءو
    ("(?<=ر\u064e)ء\u064eا(?!.)", ("ءا", "اي")),  # رءا
    ("(?<=\u064f)ء\u0652(?=ي)", ("ء", "و")),  # رءيا
    ("(?<=ح\u0652)ى\u0650$", ("ي", "يي")),  # يحىِ
    ("(?<=^[وف]\u064e)س\u0652(?=\u0640)", ("س", "اس")),  # فسـَٔل
    ("(?<=ٱ)ل\u0651\u064e(?=ي\u0652ل|\u0640?\u0670|ذ\u064e)", ("ل", "لل")),  # اليل, التي for اللاتي
)
_SIGN = re.compile("|".join(f"({pattern})" for pattern, _ in _SIGNS))

#: Unicode's order of a shadda and its vowel; the table above has the typists' one.
_VOWEL_BEFORE_SHADDA = re.compile("([\u064b-\u0650])\u0651")

_SIGN_CHARACTER = re.compile("[\u0670\u06df\u06e5-\u06e8\u0654\u0655]")
_SIGN_SEQUENCES = (
    "\u0653ء\u0650",
    "\u064fء\u0652",
    "\u0651ء\u0652",
    "ح\u0652ى\u0650",
    "\u064eء\u064e",
    "\u064eء\u0650",
    "ء\u064eأ",
    "ء\u064fو",
    "ٱل\u0651\u064e",
    "ٱل\u064e\u0651",
)


def has_signs(text: str) -> bool:
    """Whether a word of ``text`` may have more than one form; cheap, for whole passages."""
    return bool(_SIGN_CHARACTER.search(text)) or any(sequence in text for sequence in _SIGN_SEQUENCES)


@lru_cache(maxsize=1 << 15)
def word_forms(word: str) -> tuple[str, ...]:
    """Return the forms an unfolded ``word`` of a text is stored under, its plain fold first; none for no letters."""
    plain = words(word)
    if len(plain) != 1 or not has_signs(word):
        return tuple(plain[:1])
    forms = dict.fromkeys(plain)
    for spelling in islice(_readings(word), 4 * MAX_FORMS):
        forms.update(dict.fromkeys(words(spelling)[:1]))
    return tuple(islice(forms, MAX_FORMS))


def _readings(word: str) -> Iterator[str]:
    """Spell ``word`` with each of its signs read in each way, the likeliest reading first."""
    word = _VOWEL_BEFORE_SHADDA.sub("\u0651\\1", word)
    pieces: list[tuple[str, ...]] = []
    position = 0
    for match in _SIGN.finditer(word):
        pieces += [(word[position : match.start()],), _SIGNS[(match.lastindex or 1) - 1][1][::-1]]
        position = match.end()
    pieces.append((word[position:],))
    return map("".join, product(*pieces))


#: Nouns whose ta marbuta the Quran's spelling also writes open (the chapter on تاءات in the books of tajwid), folded.
_OPEN_TA = frozenset(
    (
        "رحمه",
        "نعمه",
        "سنه",
        "امراه",
        "كلمه",
        "بقيه",
        "قره",
        "فطره",
        "شجره",
        "جنه",
        "لعنه",
        "ابنه",
        "معصيه",
        "غيابه",
        "بينه",
    )
)

#: Old and new plain spellings of one word, folded.
_TWINS = (
    "الرحمن الرحمان",
    "السموات السماوات",
    "سموات سماوات",
    "الصلاه الصلوه",
    "صلاه صلوه",
    "الزكاه الزكوه",
    "زكاه زكوه",
    "الحياه الحيوه",
    "حياه حيوه",
    "الربا الربوا",
    "التوراه التوريه",
    "ابراهيم ابرهيم",
    "اسماعيل اسمعيل",
    "اسحاق اسحق",
    "هارون هرون",
    "سليمان سليمن",
    "معاويه معويه",
    "عثمان عثمن",
    "الحارث الحرث",
    "لقمان لقمن",
    "داود داوود",
    "طاوس طاووس",
    "مايه ميه",
    "ذلك ذالك",
    "هذا هاذا",
    "لكن لاكن",
)
_TWIN_FORMS = {twin: tuple(group.split()) for group in _TWINS for twin in group.split()}
_CLITICS = ("", "و", "ف", "ب", "ل", "ك")

_HAMZA_BEFORE_WAW = re.compile(f"(?<=.)[أؤئء](?={_MARKS}و)")
_FINAL_HAMZA = re.compile(f"(?:ي{_MARKS}ء|ئ){_MARKS}$")


@lru_cache(maxsize=1 << 15)
def query_forms(word: str) -> tuple[str, ...]:
    """Return the forms an unfolded ``word`` of a query asks for, its plain fold first; none for no letters."""
    forms = dict.fromkeys(word_forms(word))
    for spelling in _hamza_seats(word):
        forms.update(dict.fromkeys(words(spelling)[:1]))
    return with_twins(tuple(forms))


def with_twins(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return folded ``forms`` and behind them those that old or new orthography writes for the same words."""
    return tuple(islice(dict.fromkeys((*forms, *(twin for form in forms for twin in _twins(form)))), MAX_FORMS))


def _hamza_seats(word: str) -> Iterator[str]:
    """Spell ``word`` with its hamza on the other seats that writers use: مسؤول مسئول مسءول, شيء شئ."""
    word = unicodedata.normalize("NFC", word)
    if _HAMZA_BEFORE_WAW.search(word):
        yield from (_HAMZA_BEFORE_WAW.sub(seat, word) for seat in "ؤئءأ")
    if _FINAL_HAMZA.search(word):
        yield from (_FINAL_HAMZA.sub(ending, word) for ending in ("يء", "ئ"))


def _twins(form: str) -> Iterator[str]:
    """Spell a folded form as old and new orthography do, with at most one letter joined before it."""
    for clitic in _CLITICS:
        bare = form.removeprefix(clitic)
        if clitic and bare == form:
            continue
        yield from (clitic + twin for twin in _TWIN_FORMS.get(bare, ()))
        if bare in _OPEN_TA:
            yield clitic + bare[:-1] + "ت"
        elif bare.endswith("ت") and bare[:-1] + "ه" in _OPEN_TA:
            yield clitic + bare[:-1] + "ه"
