"""The last look: a reranker reads the best candidates with the query, or says why not and the fused order stands."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TypeVar

from search import fusion
from search.fusion import Fused
from search.providers.protocols import Reranker, RerankSkipped

log = logging.getLogger(__name__)

Id = TypeVar("Id")

#: Seconds that a reranker is waited for at most, and the share of what is left that this may take.
LONGEST = 6.0
SHARE = 0.5


def rerank(
    reranker: Reranker, query: str, fused: Fused[Id], texts: Sequence[str], left: float
) -> Fused[Id] | RerankSkipped:
    """Order the first of ``fused`` anew by what ``reranker`` makes of their ``texts``, with ``left`` seconds to go."""
    try:
        scores = reranker.rerank(query, texts, min(LONGEST, left * SHARE))
    except Exception as error:  # it promises not to, and no answer is lost if it does
        log.exception("reranking failed")
        return RerankSkipped(type(error).__name__)
    if isinstance(scores, RerankSkipped):
        return scores
    return fusion.rerank(fused, scores, reranker.temperature, yields_to_words=reranker.yields_to_words)
