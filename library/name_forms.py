"""The forms under which a name in the catalogue can be asked, beside ``fold`` and not part of it.

A name is stored under several forms and a query asks for a few; where the two meet exactly, the name was meant. What
meets only nearly is left to trigrams in the database and to ``match_score``.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Literal

from library.arabic import fold
from library.person_names import FATHERS, SONS, TITLES, parse_person
from library.transliteration import (
    ARTICLES,
    latin_fold,
    latin_key,
    openiti_names,
    slugify_translit,
    split_openiti_camel,
)

__all__ = ["latin_key", "match_score", "name_forms", "query_forms", "slugify_translit", "split_openiti_camel"]

Kind = Literal["author", "book"]

#: Most names have six to sixteen forms; the longest would have a hundred.
MAX_FORMS = 24

#: ``(المتوفى: 676هـ)``, ``(ت 505 هـ)``, ``(d. 505/1111)``: brackets that hold a year, or the same at the end of a name.
_DEATH_NOTE = re.compile(
    r"[(\[](?:[^()\[\]]*\d|\s*المتوف)[^()\[\]]*[)\]]|\bالمتوفى\b.*$|\s(?:ت|d)[.:]?\s*\d{2,4}\b.*$", re.DOTALL
)
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_CAMEL = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+")

#: Where a title's short name ends: what it explains, what it is about, which edition this is.
_TITLE_PARTS = re.compile(r"\s[=:|–—-]\s|\s=|:\s|،|;")
_TITLE_EDITION = re.compile(r"\s[-–]?\s*(?:ط|ت|تحقيق|طبعة)\s+\S.*$")
_TITLE_PARTICLES = frozenset(
    ("شرح", "في", "علي", "من", "الي", "عن", "المسمي", "بشرح", "fi", "sharh", "min", "ila", "on")
)
_TITLE_STARTS = frozenset(("كتاب", "kitab", "the"))


def name_forms(names: Iterable[str], kind: Kind = "author") -> list[str]:
    """Return the folded forms under which someone or something called ``names`` can be asked, each once.

    ``names`` are all names of one author or book: Arabic, English, aliases, transliterations, OpenITI addresses. At
    most 24 forms a name; the first form of a name is its whole fold, without a note on the year of death.
    """
    forms: dict[str, None] = {}
    for name in names:
        parts = _author_parts(name) if kind == "author" else _book_parts(name)
        own = dict.fromkeys(form for part in parts for form in (part, name_key(part)) if form)
        forms.update(dict.fromkeys(list(own)[:MAX_FORMS]))
    return list(forms)


def query_forms(query: str) -> list[str]:
    """Return the few forms a ``query`` asks for: its fold and its key, also without titles (الإمام, كتاب)."""
    words = _words(_spell_out(query))
    bare = [word for word in words if word not in TITLES]
    if bare and bare[0] in _TITLE_STARTS:
        bare = bare[1:]
    candidates = [" ".join(words), " ".join(bare)]
    return list(dict.fromkeys(form for part in candidates for form in (part, name_key(part)) if form))


def name_key(name: str) -> str:
    """Return what the spellings of one name share: no articles, ابن for بن, أبو for أبي; or its ``latin_key``."""
    if _is_latin(name):
        return latin_key(name)
    parts = []
    for word in fold(name).split():
        if word in SONS:
            parts.append("ابن")
        elif word in FATHERS:
            parts.append("ابو")
        else:
            parts.append(word[2:] if word.startswith("ال") and len(word) >= 4 and word != "الله" else word)
    return " ".join(parts)


def match_score(query: str, form: str) -> float:
    """Return how well ``form`` answers ``query``: 1 for the same words, .98 for the same key, 0 for nothing in common.

    Between, each word counts by its length and its likeness to the nearest word of the other side; words of the query
    that the form lacks weigh more (.7) than words of the form that the query leaves out (.3).
    """
    asked, stored = query[:200], form[:400]
    if fold(asked) == fold(stored):
        return 1.0 if fold(asked) else 0.0
    asked_words, stored_words = name_key(asked).split(), name_key(stored).split()
    if asked_words == stored_words:
        return 0.98 if asked_words else 0.0
    return 0.95 * (0.7 * _coverage(asked_words, stored_words) + 0.3 * _coverage(stored_words, asked_words))


def _coverage(words: list[str], others: list[str]) -> float:
    """How much of ``words`` is found among ``others``, 0 to 1."""
    total = sum(map(len, words))
    return sum(len(word) * _likeness(word, others) for word in words) / total if total and others else 0.0


def _likeness(word: str, others: list[str]) -> float:
    if word in others:
        return 1.0
    best = max(SequenceMatcher(None, word, other, autojunk=False).ratio() for other in others)
    return best if best > 0.6 else 0.0


def _is_latin(name: str) -> bool:
    return not any("ء" <= letter <= "ۿ" for letter in name)


def _spell_out(name: str) -> str:
    """Write capitals run together as words, and leave out a note on the year of death."""
    if _CAMEL.fullmatch(name.strip()):
        return split_openiti_camel(name.strip())
    return _DEATH_NOTE.sub(" ", name)


def _words(name: str) -> list[str]:
    return (latin_fold(name) if _is_latin(name) else fold(name)).split()


def _author_parts(name: str) -> Iterator[str]:
    address = openiti_names(name)
    name = _spell_out(split_openiti_camel(address[0]) if address else name)
    yield " ".join(_words(_BRACKETS.sub(" ", name)))
    for whole in (_BRACKETS.sub(" ", name), *_BRACKETS.findall(name)):
        words = _words(whole)
        family, comma, given = whole.replace("،", ",").partition(",")
        if comma and len(_words(family)) <= 2:
            words = [*_words(given), *_words(family)]
        yield " ".join(words)
        yield " ".join(word for word in words if word not in TITLES)
        yield from parse_person(_join_articles(words)).short_forms()


def _join_articles(words: list[str]) -> list[str]:
    """Make one word of a Latin article and its noun."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ARTICLES:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def _book_parts(title: str) -> Iterator[str]:
    address = openiti_names(title)
    title = _spell_out(split_openiti_camel(address[1] or address[0]) if address else title)
    yield " ".join(_words(title))
    main = _BRACKETS.sub(" ", title)
    for whole in (main, *_TITLE_PARTS.split(main), *_BRACKETS.findall(title), _TITLE_EDITION.sub("", main)):
        words = _words(whole)
        yield " ".join(words)
        yield " ".join(word for word in words if word not in TITLES)
        if words[:1] and words[0] in _TITLE_STARTS:
            words = words[1:]
            yield " ".join(words)
        end = next((place for place, word in enumerate(words) if place and word in _TITLE_PARTICLES), 0)
        if end >= 2 or (end == 1 and len(words[0]) >= 5):
            yield " ".join(words[:end])
        # منهاج الطالبين وعمدة المفتين
        second = next((place for place, word in enumerate(words) if place >= 2 and word[0] == "و"), 0)
        if second and len(words[second]) >= 5:
            yield " ".join(words[:second])
