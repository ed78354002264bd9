"""Which terms of a query are scored, and with what weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search.constants import Weights
from search.lexical.scoring import idf
from search.query_language import Query


@dataclass(frozen=True)
class AskedWord:
    """A distinct word of a query: the terms of each layer (spellings of one word)."""

    words: tuple[str, ...]
    stems: tuple[str, ...]

    @property
    def first_layer(self) -> tuple[str, ...]:
        """Its words, or where only stems are asked for, these."""
        return self.words or self.stems

    def without_second_layer(self) -> AskedWord:
        """The word in its first layer alone."""
        return AskedWord(self.words, ()) if self.words else self


@dataclass(frozen=True)
class Group:
    """Terms that stand for one word in one layer, scored as one. ``word`` numbers the asked word."""

    word: int
    terms: tuple[str, ...]
    weight: float


def asked_words(query: Query, weights: Weights) -> list[AskedWord]:
    """The distinct words of a query, in its order, with the layers that have a weight.

    A word that is asked again counts no more: in a pasted text those are particles, or the text's own refrain (nDCG@10
    of misquoted verses .817 when each counts, .860 when it counts once; no other set cares).
    """
    distinct = dict.fromkeys((word.forms, word.stems) for word in query.words)
    return [AskedWord(forms if weights.word else (), stems if weights.stem else ()) for forms, stems in distinct]


def fewest(asked: Sequence[AskedWord], having: Mapping[str, int], at_most: int) -> list[AskedWord]:
    """Those words that fewest passages hold, the rarest first; the first layer decides."""
    return sorted(asked, key=lambda word: passages_with(word.first_layer, having))[:at_most]


def groups_of(asked: Sequence[AskedWord], having: Mapping[str, int], passages: int, weights: Weights) -> list[Group]:
    """What is scored: each word in each layer that some passage holds it in.

    ``having``: how many of all ``passages`` hold a term. Neither filters nor exclusions play a part, so that scores do
    not change between a search and the next for more of it.
    """
    layers = (
        (weights.word, [word.words for word in asked]),
        (weights.stem, [word.stems for word in asked]),
    )
    return [
        Group(number, terms, weight * idf(passages, df))
        for weight, layer in layers
        for number, terms in enumerate(layer)
        if (df := passages_with(terms, having))
    ]


def word_values(asked: Sequence[AskedWord], having: Mapping[str, int], passages: int) -> list[float]:
    """What finding each asked word is worth as evidence: its idf, highest where nothing holds it."""
    return [idf(passages, passages_with(word.words, having) or passages_with(word.stems, having)) for word in asked]


def passages_with(terms: tuple[str, ...], having: Mapping[str, int]) -> int:
    """Passages that hold a word: those of its commonest spelling, since spellings share passages."""
    return max((having.get(term, 0) for term in terms), default=0)
