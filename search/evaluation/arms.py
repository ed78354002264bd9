"""The ways of retrieving that can be measured: each gets ready in the scratch database, then ranks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Protocol
from uuid import UUID

from library.models import Passage
from search import fusion
from search.constants import CANDIDATES, Weights
from search.database import snapshot
from search.evaluation.embedding import NotEmbedded, embed_everything
from search.filters import EditionSet
from search.hybrid import find
from search.lexical.arm import LexicalArm
from search.providers import choice
from search.providers.local_rerank import LocalReranker
from search.providers.protocols import Reranker, RerankSkipped
from search.query_language import parse
from search.reranking import rerank
from search.semantic.active import active_model
from search.semantic.arm import SemanticArm
from search.semantic.embedders import embedder_of
from search.semantic.query_vectors import query_vectors

#: In the order of tables.
NAMES = ("lexical", "semantic", "fused", "reranked")

#: What a door asks for whose answer is looked at: a reranker reads as many candidates as it would for that.
LIMIT = 10

#: Seconds that the local reranker may take here.
RERANKING = 30.0

#: Seconds for a query, and no time taken of its phases.
UNHURRIED = math.inf


class ArmUnavailable(Exception):
    """The arm cannot be measured here; the message says why."""


class MeasuredArm(Protocol):
    """One way of retrieving. ``degraded`` counts the queries that were answered with less than it, by the reason."""

    degraded: Counter[str]

    def prepare(self, *, show_progress: bool = False) -> None:
        """Make ready what the arm needs of the passages in the database; once more costs nothing.

        Raises:
            ArmUnavailable: it cannot be made ready.
        """

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """The ``k`` best passages for a query, best first. What this takes is the arm's time."""


class Lexical:
    """The lexical arm as search runs it, with constants of one's own when asked."""

    def __init__(self, weights: Weights) -> None:
        self.degraded: Counter[str] = Counter()
        self._arm = LexicalArm(weights)

    def prepare(self, *, show_progress: bool = False) -> None:
        """Nothing: the passages were indexed when they were saved."""

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """See ``MeasuredArm``."""
        with snapshot():
            found = self._arm.candidates(parse(query), EditionSet(), frozenset(), k)
        return [passage_id for passage_id, _ in found.ranked]


class Semantic:
    """The semantic arm alone: a query becomes a vector, the vector meets its neighbours."""

    def __init__(self) -> None:
        self.degraded: Counter[str] = Counter()

    def prepare(self, *, show_progress: bool = False) -> None:
        """Embed every passage."""
        try:
            embed_everything(show_progress=show_progress)
        except NotEmbedded as reason:
            raise ArmUnavailable(str(reason)) from reason

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """See ``MeasuredArm``. A phrase that nothing holds is answered by its meaning."""
        asked = parse(query)
        if not asked.words:
            return []
        with snapshot():
            model = active_model(EditionSet())
            embedder = embedder_of(model.key) if model else None
            if model is None or embedder is None:
                raise ArmUnavailable("no embedding model is active")
            semantic = SemanticArm(model, embedder.embed_query(asked.text))
            found = semantic.candidates(asked, EditionSet(), frozenset(), k)
            if asked.tsquery and not found.ranked:
                found = semantic.candidates(replace(asked, tsquery=""), EditionSet(), frozenset(), k)
        return [passage_id for passage_id, _ in found.ranked]


class Fused(Semantic):
    """Both arms as search runs them, and what they come to together: 48 passages at most, however many one wants."""

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """See ``MeasuredArm``."""
        return [passage_id for passage_id, _ in self._fused(query).ranked[:k]]

    def _fused(self, query: str) -> fusion.Fused[UUID]:
        """Candidates with their scores. A query's vector is made anew, whoever asked for it before."""
        query_vectors.clear()
        asked = parse(query)
        if not asked.words:
            return fusion.Fused([], 0.0)
        with snapshot():
            found = find(asked, EditionSet(), frozenset(), CANDIDATES, UNHURRIED, lambda phase: nullcontext())
        if found.degraded:
            self.degraded[found.degraded] += 1
        return found.fused


class Reranked(Fused):
    """What the arms find together, the best of it in the order of the reranker that the settings ask for."""

    def __init__(self, reranker: Reranker) -> None:
        super().__init__()
        self._reranker = reranker

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """See ``MeasuredArm``. A skipped reranking leaves the fused order, as in a search."""
        fused = self._fused(query)
        first = fused.ranked[: self._reranker.capacity(LIMIT)]
        texts = dict(Passage.objects.filter(pk__in=[pk for pk, _ in first]).values_list("pk", "text"))
        if first:
            done = rerank(self._reranker, query, fused, [texts[pk] for pk, _ in first], UNHURRIED)
            if isinstance(done, RerankSkipped):
                self.degraded[done.reason] += 1
            else:
                fused = done
        return [passage_id for passage_id, _ in fused.ranked[:k]]


def arm(name: str, weights: Weights) -> MeasuredArm:
    """The arm of that name; ``weights`` are those of the lexical one alone.

    Raises:
        ArmUnavailable: the settings turn it off.
    """
    if name == "lexical":
        return Lexical(weights)
    if name == "semantic":
        return Semantic()
    if name == "fused":
        return Fused()
    reranker = choice.reranker()
    if reranker is None:
        raise ArmUnavailable("the settings turn reranking off")
    if isinstance(reranker, LocalReranker):  # what it is worth, on however busy a machine
        reranker = LocalReranker(choice.local_embedder(), longest=RERANKING)
    return Reranked(reranker)
