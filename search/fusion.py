"""Two ranked lists into one, each counting as far as it is sure of itself.

Either arm's scores are read as odds and become a distribution over the union of the candidates (softmax); the fused
score is their mixture:

    p(i) = (1 - w) * softmax(cosine_i / 0.09) + w * softmax(evidence * bm25_i / 2)

An arm that sees one passage far ahead of all others gives it nearly all its weight; one that sees 24 of a kind
spreads it thin and leaves the decision to the other. BM25 is a sum of log-odds by its making (Robertson and
Zaragoza, 2009), which scaling to 0..1 would throw away: a long quotation found word for word outweighs a likeness
of meaning, two common words of a question do not. ``evidence``, the share of the query's idf that the best lexical
passage holds, flattens the lexical arm where it matched little, as with Latin words that stray into an Arabic
library. Measured against min-max blends, reciprocal ranks and eight other ways in docs/decisions/0043-fusion.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

Id = TypeVar("Id")
Ranked = Sequence[tuple[Id, float]]

#: The lexical arm's share of the mixture.
LEXICAL_SHARE = 0.42
#: How many points of BM25, and how much of a cosine, multiply the odds by e.
LEXICAL_TEMPERATURE = 2.0
SEMANTIC_TEMPERATURE = 0.09


def blend(
    lexical: Ranked[Id],
    semantic: Ranked[Id],
    evidence: float,
    *,
    lexical_share: float = LEXICAL_SHARE,
    lexical_temperature: float = LEXICAL_TEMPERATURE,
    semantic_temperature: float = SEMANTIC_TEMPERATURE,
) -> list[tuple[Id, float]]:
    """Return the union of both lists with fused scores (0 to 1, their sum is 1), best first.

    ``lexical`` carries BM25 scores, ``semantic`` cosines, both best first; ``evidence`` is 0 to 1. What an arm did
    not find has, for it, no BM25 or its lowest cosine. Equal scores keep the order of the semantic, then of the
    lexical list. With one list empty the other alone counts.
    """
    ids = list(dict.fromkeys([id for id, _ in semantic] + [id for id, _ in lexical]))
    if not ids:
        return []
    share = lexical_share if semantic and lexical else float(bool(lexical))
    points, cosines = dict(lexical), dict(semantic)
    least = min(cosines.values(), default=0.0)
    by_words = _softmax([evidence * points.get(id, 0.0) / lexical_temperature for id in ids])
    by_meaning = _softmax([cosines.get(id, least) / semantic_temperature for id in ids])
    if not semantic:
        by_words = _softmax([points[id] / lexical_temperature for id in ids])
    fused = [
        (id, share * words + (1 - share) * meaning)
        for id, words, meaning in zip(ids, by_words, by_meaning, strict=True)
    ]
    return sorted(fused, key=lambda row: -row[1])


def _softmax(odds: Sequence[float]) -> list[float]:
    """Turn log-odds into probabilities."""
    highest = max(odds)
    weights = [math.exp(value - highest) for value in odds]
    total = sum(weights)
    return [weight / total for weight in weights]
