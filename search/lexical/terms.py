"""Which terms of a query are scored, and with what weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from search.constants import COMMON_SHARE, MAX_WORDS, RARER_TERMS_ENOUGH, Weights
from search.lexical.scoring import idf
from search.query_language import Query


@dataclass(frozen=True)
class AskedWord:
    """A distinct word of a query: the terms of each layer (spellings of one word), and how often it is asked."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    times: int


@dataclass(frozen=True)
class Group:
    """Terms that stand for one word in one layer, scored as one. ``word`` numbers the asked word."""

    word: int
    terms: tuple[str, ...]
    weight: float


def asked_words(query: Query, weights: Weights) -> list[AskedWord]:
    """The distinct words of a query, in its order, with the layers that have a weight."""
    counted = Counter((word.forms, word.stems) for word in query.words)
    return [
        AskedWord(forms if weights.word else (), stems if weights.stem else (), times)
        for (forms, stems), times in counted.items()
    ]


def choose(asked: list[AskedWord], having: Mapping[str, int], passages: int, weights: Weights) -> list[Group]:
    """The groups to score: the rarest words, and in each layer no common term that rarer ones make needless.

    ``having``: how many of all ``passages`` hold a term. Neither filters nor exclusions play a part, so that scores do
    not change between a search and the next for more of it.
    """
    words = sorted(range(len(asked)), key=lambda number: _df(asked[number].words or asked[number].stems, having))
    known = [number for number in words if _df((*asked[number].words, *asked[number].stems), having)]
    known = known[:MAX_WORDS]
    layers = (
        (weights.word, [(number, asked[number].words) for number in known]),
        (weights.stem, [(number, asked[number].stems) for number in known]),
    )
    groups: list[Group] = []
    for weight, layer in layers:
        present = sorted((_df(terms, having), number, terms) for number, terms in layer if _df(terms, having))
        for rarer, (df, number, terms) in enumerate(present):
            if df > COMMON_SHARE * passages and rarer >= RARER_TERMS_ENOUGH:
                break
            groups.append(Group(number, terms, weight * asked[number].times * idf(passages, df)))
    return groups


def word_values(asked: list[AskedWord], having: Mapping[str, int], passages: int) -> list[float]:
    """What finding each asked word is worth as evidence: its idf, highest where nothing holds it."""
    return [idf(passages, _df(word.words, having) or _df(word.stems, having)) * word.times for word in asked]


def _df(terms: tuple[str, ...], having: Mapping[str, int]) -> int:
    """Passages that hold a word: those of its commonest spelling, since spellings share passages."""
    return max((having.get(term, 0) for term in terms), default=0)
