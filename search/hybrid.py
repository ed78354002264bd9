"""Both arms at once, fused: words and meaning, on one connection and one state of the library."""

from __future__ import annotations

import logging
from collections.abc import Callable, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from uuid import UUID

from search.arms import Candidates
from search.filters import EditionSet
from search.fusion import Fused, blend
from search.lexical.arm import LexicalArm
from search.lexical.phrases import PHRASE_NOT_FOUND
from search.providers.protocols import EmbedderUnavailable, Floats, ProviderFailed
from search.query_language import Query
from search.semantic.active import ActiveModel, active_model
from search.semantic.arm import SemanticArm
from search.semantic.embedders import embedder_of
from search.semantic.query_vectors import query_vectors

log = logging.getLogger(__name__)

#: Seconds that a query's vector is waited for at most, and the share of what is left that this may take.
LONGEST_EMBEDDING = 4.0
SHARE_FOR_EMBEDDING = 0.4

Timed = Callable[[str], AbstractContextManager[None]]


class NoVector(Exception):
    """There is no vector for the query; the message is the reason, fit for a header."""


@dataclass
class Found:
    """Candidates of both arms and what they come to together, best first."""

    fused: Fused[UUID] = field(default_factory=lambda: Fused([], 0.0))
    lexical: Candidates = field(default_factory=Candidates)
    semantic: Candidates = field(default_factory=Candidates)
    degraded: str = ""
    """Why the semantic arm did not take part; empty when it did."""
    coverage: float = 0.0
    """The share of passages that search by meaning can find, 0 to 1."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the arms have to say."""
        return (*self.lexical.notes, *self.semantic.notes)


def find(query: Query, editions: EditionSet, exclude: Set[UUID], k: int, left: float, timed: Timed) -> Found:
    """The union of the ``k`` best of each arm. Where there is no vector for the query, the lexical arm stands alone.

    In one transaction of the caller's; ``left`` is how many seconds there are, ``timed`` takes the time of each phase.
    """
    found = Found()
    vector: Callable[[], Floats] | None = None
    model = active_model(editions)
    try:
        vector = _begin(model, query, left)
    except NoVector as reason:
        found.degraded = str(reason)
    with timed("lexical"):
        found.lexical = LexicalArm().candidates(query, editions, exclude, k)
    if vector is not None and model is not None:
        found.coverage = model.coverage
        try:
            with timed("embed"):
                arm = SemanticArm(model, _vector(vector))
            with timed("semantic"):
                asked = replace(query, tsquery="") if PHRASE_NOT_FOUND in found.lexical.notes else query
                found.semantic = arm.candidates(asked, editions, exclude, k)
        except NoVector as reason:
            found.degraded = str(reason)
    found.fused = blend(found.lexical.ranked, found.semantic.ranked, found.lexical.evidence)
    return found


def _begin(model: ActiveModel | None, query: Query, left: float) -> Callable[[], Floats]:
    """Start embedding the query."""
    if model is None:
        raise NoVector("no embedding model is active")
    embedder = embedder_of(model.key)
    if embedder is None:
        raise NoVector("the active model has no embedder here")
    return query_vectors.begin(embedder, query.text, min(LONGEST_EMBEDDING, left * SHARE_FOR_EMBEDDING))


def _vector(waited_for: Callable[[], Floats]) -> Floats:
    """The query's vector; whatever keeps it from coming is a NoVector."""
    try:
        return waited_for()
    except (EmbedderUnavailable, ProviderFailed, ValueError) as reason:
        raise NoVector(str(reason)) from reason
    except Exception as error:
        log.exception("a query was not embedded")
        raise NoVector(type(error).__name__) from error
