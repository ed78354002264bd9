"""What retrieval asks of an arm: candidates with scores, and how far it has evidence for them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from search.filters import EditionSet
from search.query_language import Query


@dataclass(frozen=True)
class Candidates:
    """Passage ids with scores, best first. ``evidence`` (0 to 1): how much of the query the best one holds."""

    ranked: tuple[tuple[UUID, float], ...] = ()
    evidence: float = 0.0
    notes: tuple[str, ...] = ()


class Arm(Protocol):
    """One way to find passages."""

    name: str

    def candidates(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int) -> Candidates:
        """At most ``k`` passages of ``editions`` that are not in ``exclude``; fewer only when there are no more."""
