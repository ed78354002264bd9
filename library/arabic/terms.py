"""What is indexed for a text and asked for a query: words, stems, their alternatives and their places.

A *term* is a string of one of two layers that never meet: ``word`` terms are folded words, ``stem`` terms begin with
``~``, which no folded word contains.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal

from library.arabic import joined
from library.arabic.folding import Token, tokens, words
from library.arabic.spelling import has_signs, query_forms, with_twins, word_forms
from library.arabic.stemming import light_stem

Layer = Literal["word", "stem", "both"]

STEM_MARK = "~"

#: Longer words (a file without spaces, a web address) are cut, so that an index row stays small.
MAX_TERM_LENGTH = 64

Forms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query: the forms it asks for, and its place ``start:end`` in the query."""

    forms: Forms
    start: int
    end: int

    @property
    def stems(self) -> Forms:
        """The stem terms of the forms, without repetition."""
        return _stem_terms(self.forms)


def index_terms(text: str, layer: Layer = "both") -> list[str]:
    """Return the terms a ``text`` is indexed under, as often as they occur: first all words, then all stems.

    A word with two spellings gives both, so a passage may have more terms than words. Measured like ``words``:
    7.6 MB of UTF-8 a second of CPU for both layers, 14 for one.
    """
    terms: list[str] = []
    if has_signs(text):
        positions = phrase_positions(text)
        if layer != "stem":
            terms += chain.from_iterable(positions)
        if layer != "word":
            terms += chain.from_iterable(map(_stem_terms, positions))
    else:
        plain = words(text)
        if layer != "stem":
            terms += chain.from_iterable(chain.from_iterable(map(_plain_positions, plain)))
        if layer != "word":
            terms += chain.from_iterable(map(_plain_stems, plain))
    return terms


def query_words(query: str) -> list[QueryWord]:
    """Return the words of a ``query`` with all spellings each asks for.

    A text matches a word by any one of its forms (or stems).
    """
    found: list[QueryWord] = []
    for token, raw in _raw_tokens(query):
        split = joined.parts(token.text, raw)
        alternatives = [query_forms(raw)] if split is None else [with_twins(forms) for forms in split]
        found += [QueryWord(_cut(forms), token.start, token.end) for forms in alternatives]
    return found


def phrase_positions(text: str) -> list[Forms]:
    """Return for each word position of ``text`` the forms stored there. A joined word (see ``joined``) takes two."""
    if not has_signs(text):
        return list(chain.from_iterable(map(_plain_positions, words(text))))
    return list(chain.from_iterable(_positions(token.text, raw) for token, raw in _raw_tokens(text)))


def fold_key(text: str) -> str:
    """Return the one plain form of each position of ``text``, joined by spaces: equal for texts that are one phrase."""
    return " ".join(forms[0] for forms in phrase_positions(text))


def tsvector_literal(text: str) -> str:
    """Return the word layer of ``text`` in PostgreSQL's notation, to be cast ``::tsvector``: ``'قل':1 'هو':2``.

    Alternatives share a position.
    """
    places: dict[str, list[int]] = {}
    for position, forms in enumerate(phrase_positions(text), start=1):
        for form in forms:
            places.setdefault(form, []).append(position)
    return " ".join(f"'{form}':{','.join(map(str, positions))}" for form, positions in places.items())


def tsquery_phrase(query: str) -> str:
    """Return ``query`` as one phrase in PostgreSQL's notation, to be cast ``::tsquery``; empty if it has no words.

    ``قل رحمة`` gives ``'قل' <-> ('رحمه' | 'رحمت')``.
    """
    return _tsquery(query, " <-> ")


def tsquery_all(query: str) -> str:
    """Return ``query`` as a conjunction of its words, to be cast ``::tsquery``; empty if it has no words."""
    return _tsquery(query, " & ")


def highlight_ranges(text: str, query: str) -> list[tuple[int, int]]:
    """Return the code-point ranges ``(start, end)`` of ``text`` to mark for ``query``, sorted and without overlap.

    A word is marked whole when it shares a form or a stem with a word of the query.
    """
    wanted = {term for word in query_words(query) for term in (*word.forms, *word.stems)}
    ranges: list[tuple[int, int]] = []
    if not wanted:
        return ranges
    for token, raw in _raw_tokens(text):
        if all(wanted.isdisjoint((*forms, *_stem_terms(forms))) for forms in _positions(token.text, raw)):
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
    """Pair each token with its own spelling; the words of a ligature have none and stand for themselves."""
    for token in tokens(text):
        raw = text[token.start : token.end]
        yield token, raw if words(raw) == [token.text] else token.text


@lru_cache(maxsize=1 << 16)
def _plain_positions(word: str) -> tuple[Forms, ...]:
    return tuple(map(_cut, joined.parts(word, word) or ((word,),)))


@lru_cache(maxsize=1 << 16)
def _plain_stems(word: str) -> Forms:
    return tuple(chain.from_iterable(map(_stem_terms, _plain_positions(word))))


def _positions(word: str, raw: str) -> tuple[Forms, ...]:
    if not has_signs(raw):
        return _plain_positions(word)
    return tuple(map(_cut, joined.parts(word, raw) or (word_forms(raw),)))


def _cut(forms: Forms) -> Forms:
    if all(len(form) <= MAX_TERM_LENGTH for form in forms):
        return forms
    return tuple(dict.fromkeys(form[:MAX_TERM_LENGTH] for form in forms))


def _stem_terms(forms: Forms) -> Forms:
    return tuple(dict.fromkeys(STEM_MARK + light_stem(form) for form in forms))
