"""The last look: a reranker reads the best candidates with the query, or says why not and the fused order stands."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import TypeVar

from search.providers.protocols import Reranker, RerankSkipped

log = logging.getLogger(__name__)

Id = TypeVar("Id")

#: Seconds that a reranker is waited for at most, and the share of what is left that this may take.
LONGEST = 6.0
SHARE = 0.5


def rerank(
    reranker: Reranker, query: str, fused: Sequence[tuple[Id, float]], texts: Sequence[str], left: float
) -> list[tuple[Id, float]] | RerankSkipped:
    """Order ``fused`` anew by what ``reranker`` makes of ``texts``, one a candidate, with ``left`` seconds to go.

    A reranker that is a judge of its own replaces the fused scores. One that is a hint (``temperature``) multiplies
    their odds: a difference of one temperature makes a candidate e times as likely.
    """
    try:
        scores = reranker.rerank(query, texts, min(LONGEST, left * SHARE))
    except Exception as error:  # it promises not to, and no answer is lost if it does
        log.exception("reranking failed")
        scores = RerankSkipped(type(error).__name__)
    if isinstance(scores, RerankSkipped):
        return scores
    if reranker.temperature is not None:
        scores = multiplied([score for _, score in fused], scores, reranker.temperature)
    ordered = [(id, score) for (id, _), score in zip(fused, scores, strict=True)]
    return sorted(ordered, key=lambda row: -row[1])


def multiplied(fused: Sequence[float], scores: Sequence[float], temperature: float) -> list[float]:
    """Fused probabilities times the odds that scores give; what they held together they hold after."""
    highest = max(scores, default=0.0)
    weights = [
        probability * math.exp((score - highest) / temperature)
        for probability, score in zip(fused, scores, strict=True)
    ]
    total = sum(weights)
    if not total:
        return list(scores)
    return [weight * sum(fused) / total for weight in weights]
