"""What is indexed for a text and asked for a query: words, stems, their alternatives and their places.

A *term* is a string of one of two layers that never meet: ``word`` terms are folded words, ``stem`` terms begin with ``~``, which no
folded word contains.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from library.arabic.folding import Token, fold, tokens, words
from library.arabic.spelling import MAX_FORMS, has_signs, query_forms, word_forms
from library.arabic.stemming import light_stem

Layer = Literal["word", "stem", "both"]

STEM_MARK = "~"

#: Longer words (a file without spaces, a web address) are cut: an index row must stay small. The longest words of real texts have some 20 letters.
MAX_TERM_LENGTH = 64

#: The vocative written in one word with its noun: يَٰٓأَيُّهَا, يأيها. ``rest`` is the noun. يابسات begins like one and is none.
_JOINED_VOCATIVE = re.compile("ي[\u064b-\u065f\u0640]*\u0670[\u064b-\u065f\u0640]*(?!بِ?س)(?P<rest>.*)", re.DOTALL)
_JOINED_PLAIN = frozenset(("يايها", "ياايها", "يايتها", "ياايتها"))


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query: the forms it asks for, and its place ``start:end`` in the query."""

    forms: tuple[str, ...]
    start: int
    end: int

    @property
    def stems(self) -> tuple[str, ...]:
        """The stem terms of the forms, without repetition."""
        return _stem_terms(self.forms)


def index_terms(text: str, layer: Layer = "both") -> list[str]:
    """Return the terms a ``text`` is indexed under, as often as they occur: first all words, then all stems.

    A word with two spellings gives both, so a passage's length in terms may exceed its number of words.
    """
    positions = phrase_positions(text)
    terms = [] if layer == "stem" else [form for forms in positions for form in forms]
    if layer != "word":
        terms += [stem for forms in positions for stem in _stem_terms(forms)]
    return terms


def query_words(query: str) -> list[QueryWord]:
    """Return the words of a ``query`` with all spellings each asks for. A text matches a word by any one of its forms (or stems)."""
    found: list[QueryWord] = []
    for token, raw in _raw_tokens(query):
        parts = _vocative(token.text, raw)
        if parts is None:
            found.append(QueryWord(_cut(query_forms(raw) or (token.text,)), token.start, token.end))
        else:
            found += [QueryWord(_cut(part), token.start, token.end) for part in parts]
    return found


def phrase_positions(text: str) -> list[tuple[str, ...]]:
    """Return for each word position of ``text`` the forms stored there; a vocative joined with its noun takes two positions."""
    if not has_signs(text):
        plain = words(text)
        if _JOINED_PLAIN.isdisjoint(plain) and len(max(plain, key=len, default="")) <= MAX_TERM_LENGTH:
            return list(zip(plain))
    positions: list[tuple[str, ...]] = []
    for token, raw in _raw_tokens(text):
        positions += [_cut(forms) for forms in _vocative(token.text, raw) or (word_forms(raw) or (token.text,),)]
    return positions


def fold_key(text: str) -> str:
    """Return the one plain form of each position of ``text``, joined by spaces: equal for texts that are the same phrase."""
    return " ".join(forms[0] for forms in phrase_positions(text))


def tsvector_literal(text: str) -> str:
    """Return the word layer of ``text`` in PostgreSQL's notation, to be cast ``::tsvector``: ``'الله':2 'قل':1``.

    Alternatives share a position. Positions past 16,383 are PostgreSQL's to clamp.
    """
    places: dict[str, list[int]] = {}
    for position, forms in enumerate(phrase_positions(text), start=1):
        for form in forms:
            places.setdefault(form, []).append(position)
    return " ".join(f"'{form}':{','.join(map(str, positions))}" for form, positions in places.items())


def tsquery_phrase(query: str) -> str:
    """Return ``query`` as one phrase in PostgreSQL's notation, to be cast ``::tsquery``: ``'قل' <-> ('رحمه' | 'رحمت')``; empty for no words."""
    return _tsquery(query, " <-> ")


def tsquery_all(query: str) -> str:
    """Return ``query`` as a conjunction of its words, to be cast ``::tsquery``; empty for no words."""
    return _tsquery(query, " & ")


def highlight_ranges(text: str, query: str) -> list[tuple[int, int]]:
    """Return the code-point ranges ``(start, end)`` of ``text`` to mark for ``query``, sorted and without overlap.

    A word is marked whole when it shares a form or a stem with a word of the query.
    """
    asked = query_words(query)
    wanted = {term for word in asked for term in (*word.forms, *word.stems)}
    ranges: list[tuple[int, int]] = []
    if not wanted:
        return ranges
    for token, raw in _raw_tokens(text):
        parts = _vocative(token.text, raw) or (_cut(word_forms(raw) or (token.text,)),)
        if wanted.isdisjoint(term for forms in parts for term in (*forms, *_stem_terms(forms))):
            continue
        if ranges and token.start < ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], token.end))
        else:
            ranges.append((token.start, token.end))
    return ranges


def _tsquery(query: str, operator: str) -> str:
    alternatives = [[f"'{form}'" for form in word.forms] for word in query_words(query)]
    return operator.join(forms[0] if len(forms) == 1 else f"({' | '.join(forms)})" for forms in alternatives)


def _raw_tokens(text: str) -> Iterator[tuple[Token, str]]:
    """Pair each token with its own spelling; the words of a ligature have none of their own and stand for themselves."""
    for token in tokens(text):
        raw = text[token.start : token.end]
        yield token, raw if has_signs(raw) or words(raw) == [token.text] else token.text


def _vocative(word: str, raw: str) -> tuple[tuple[str, ...], ...] | None:
    """Split يٰٓأيها and the like in two positions, the second of which keeps the joined spellings too."""
    if word in _JOINED_PLAIN:
        rest, joined = word_forms("ايتها" if word.endswith("تها") else "ايها"), word_forms(word)
    elif (match := _JOINED_VOCATIVE.match(raw)) and fold(match["rest"]):
        rest, joined = word_forms(match["rest"]), word_forms(raw)
    else:
        return None
    return (("يا",), tuple(dict.fromkeys((*rest, *joined)))[:MAX_FORMS])


def _cut(forms: tuple[str, ...]) -> tuple[str, ...]:
    if all(len(form) <= MAX_TERM_LENGTH for form in forms):
        return forms
    return tuple(dict.fromkeys(form[:MAX_TERM_LENGTH] for form in forms))


@lru_cache(maxsize=1 << 16)
def _stem_terms(forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(STEM_MARK + light_stem(form) for form in forms))
