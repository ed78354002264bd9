"""The ways of retrieving that can be measured: each gets ready in the scratch database, then ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from search.constants import Weights
from search.database import snapshot
from search.filters import EditionSet
from search.lexical.arm import LexicalArm
from search.query_language import parse

#: In the order of tables.
NAMES = ("lexical", "semantic", "fused", "reranked")


class ArmUnavailable(Exception):
    """The arm cannot be measured here; the message says why."""


class MeasuredArm(Protocol):
    """One way of retrieving."""

    def prepare(self) -> None:
        """Make ready what the arm needs of the passages in the database, once before the first query."""

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """The ``k`` best passages for a query, best first. What this takes is the arm's time."""


class Lexical:
    """The lexical arm as search runs it, with constants of one's own when asked."""

    def __init__(self, weights: Weights) -> None:
        self._arm = LexicalArm(weights)

    def prepare(self) -> None:
        """Nothing: the passages were indexed when they were saved."""

    def rank(self, query: str, k: int) -> Sequence[UUID]:
        """See ``MeasuredArm``."""
        with snapshot():
            found = self._arm.candidates(parse(query), EditionSet(), frozenset(), k)
        return [passage_id for passage_id, _ in found.ranked]


def arm(name: str, weights: Weights) -> MeasuredArm:
    """The arm of that name; ``weights`` are those of the lexical one.

    Raises:
        ArmUnavailable: there is none yet.
    """
    if name == "lexical":
        return Lexical(weights)
    raise ArmUnavailable(f"{name}: this library has no such arm yet")
