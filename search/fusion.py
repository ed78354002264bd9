"""Ranked lists into one, each counting as far as it is sure of itself.

An arm's scores are read as log-odds and become a distribution over the union of the candidates (softmax). The fused
distribution is a mixture of both, in which an arm weighs its share times the cube of the highest probability it gives:

    words = softmax(evidence^0.75 * bm25 / 5.8)      meaning = softmax(cosine / 0.08)
    fused = a * words + b * meaning                  a : b  =  .7 * max(words)^3  :  .3 * max(meaning)^3

So a long quotation found word for word decides alone, and so does a passage that is far nearer in meaning than all
others; an arm that sees 24 of a kind leaves the decision to the other. BM25 is a sum of log-odds by its making
(Robertson and Zaragoza, 2009), which scaling to 0..1 would throw away. ``evidence``, the share of the query's idf that
the best lexical passage holds, flattens the lexical arm where it matched little, as with Latin words that stray into
an Arabic library.

Constants and the ways that were worse (min-max blends, reciprocal ranks, sums of scores, a fixed mixture) are in
docs/decisions/0043-fusion.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Id = TypeVar("Id")
Ranked = Sequence[tuple[Id, float]]

#: The lexical arm's share where both are equally sure.
LEXICAL_SHARE = 0.7
#: How many points of BM25, and how much of a cosine, multiply the odds by e.
LEXICAL_TEMPERATURE = 5.8
SEMANTIC_TEMPERATURE = 0.08
#: How strongly an arm's certainty weighs.
CERTAINTY_POWER = 3.0
#: How strongly missing evidence flattens the lexical arm.
EVIDENCE_POWER = 0.75
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Fused(Generic[Id]):
    """Candidates with their probabilities (their sum is 1), best first, and how much of it the lexical arm decided
    (0 to 1: it had nothing to say, it alone spoke)."""

    ranked: list[tuple[Id, float]]
    lexical_weight: float


def blend(lexical: Ranked[Id], semantic: Ranked[Id], evidence: float) -> Fused[Id]:
    """Fuse the candidates of both arms.

    ``lexical`` carries BM25 scores, ``semantic`` cosines, both best first; ``evidence`` is 0 to 1. What an arm did not
    find has, for it, no BM25 or its lowest cosine. Equal scores keep the order of the semantic, then of the lexical
    list. With one list empty the other alone counts.
    """
    if not semantic or not lexical:
        alone, temperature = (semantic, SEMANTIC_TEMPERATURE) if semantic else (lexical, LEXICAL_TEMPERATURE)
        odds = [score / temperature for _, score in alone]
        return Fused(list(zip([id for id, _ in alone], _softmax(odds), strict=True)), float(bool(lexical)))
    ids = list(dict.fromkeys([id for id, _ in semantic] + [id for id, _ in lexical]))
    points, cosines = dict(lexical), dict(semantic)
    least = min(cosines.values())
    sharpness = evidence**EVIDENCE_POWER / LEXICAL_TEMPERATURE
    words = _softmax([sharpness * points.get(id, 0.0) for id in ids])
    meaning = _softmax([cosines.get(id, least) / SEMANTIC_TEMPERATURE for id in ids])
    by_words = LEXICAL_SHARE * max(words) ** CERTAINTY_POWER
    by_meaning = (1 - LEXICAL_SHARE) * max(meaning) ** CERTAINTY_POWER
    weight = by_words / (by_words + by_meaning)
    mixture = [weight * w + (1 - weight) * m for w, m in zip(words, meaning, strict=True)]
    return Fused(_best_first(ids, mixture), weight)


def rerank(fused: Fused[Id], scores: Sequence[float], temperature: float, *, yields_to_words: bool) -> Fused[Id]:
    """Return ``fused`` with its first ``len(scores)`` rows in the order of a reranker's ``scores`` and the fused
    probabilities together: log-odds add up, and ``temperature`` of a score multiplies the odds by e. The rest follows
    in its own order; the sum stays 1.

    ``yields_to_words``: the less the lexical arm decided, the more the scores count (by the square of what it left).
    """
    trust = (1 - fused.lexical_weight) ** 2 if yields_to_words else 1.0
    head, rest = fused.ranked[: len(scores)], fused.ranked[len(scores) :]
    odds = [math.log(max(p, _LEAST)) + trust * score / temperature for (_, p), score in zip(head, scores, strict=True)]
    mass = sum(p for _, p in head)
    reordered = _best_first([id for id, _ in head], [mass * p for p in _softmax(odds)])
    return Fused([*reordered, *rest], fused.lexical_weight)


def _best_first(ids: Sequence[Id], scores: Sequence[float]) -> list[tuple[Id, float]]:
    return sorted(zip(ids, scores, strict=True), key=lambda row: -row[1])


def _softmax(odds: Sequence[float]) -> list[float]:
    """Turn log-odds into probabilities."""
    highest = max(odds, default=0.0)
    weights = [math.exp(value - highest) for value in odds]
    total = sum(weights)
    return [weight / total for weight in weights]
