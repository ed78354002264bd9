"""What retrieval asks of whoever turns texts into vectors and of whoever reads candidates again, and how they say
no.

Budgets are seconds from the call on. A provider that cannot answer within its budget raises or skips; it never
answers late.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class EmbedderUnavailable(Exception):
    """There is no embedder on this machine; the message says why. Search runs lexical-only."""


class ProviderFailed(Exception):
    """A provider did not give a usable answer in time. The message is a short reason without secrets, fit for a log
    and a header.
    """


@dataclass(frozen=True, slots=True)
class EmbeddingModelSpec:
    """All that decides what a vector is. Two specs that differ in any field are two models; their vectors never
    meet.

    ``passage_words`` is how many words of a text count at most (one vector a passage); ``constants_sha256`` and
    ``factor`` name the mean directions taken out of every vector and how much of them (empty and 0 for none).
    """

    name: str
    dimension: int
    query_prefix: str
    document_prefix: str
    fold_version: int
    spelling_version: int
    passage_words: int
    constants_sha256: str
    factor: float

    @property
    def key(self) -> str:
        """A short name of exactly this model, fit for a table's or a file's name: ``e5_small_1a2b3c4d``."""
        digest = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:8]
        return "".join(letter if letter.isalnum() else "_" for letter in self.name.lower()) + "_" + digest


class Embedder(Protocol):
    """Turns texts into vectors of length 1; a document answers a query the better the larger their dot product is."""

    @property
    def spec(self) -> EmbeddingModelSpec:
        """Which model this is; asking loads nothing."""

    @property
    def name(self) -> str:
        """``spec.name``."""

    @property
    def dimension(self) -> int:
        """``spec.dimension``."""

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """Return one row a text, shape (texts, dimension).

        Raises ValueError for a NUL or a lone surrogate, EmbedderUnavailable, ProviderFailed.
        """

    def embed_query(self, text: str, budget: float | None = None) -> Floats:
        """Return the query's vector, shape (dimension,), within ``budget`` seconds; raises as ``embed_documents``."""


@dataclass(frozen=True, slots=True)
class RerankSkipped:
    """Why there are no scores: the fused order stands, and the answer says so."""

    reason: str


class Reranker(Protocol):
    """Reads a query and its candidates together."""

    @property
    def name(self) -> str:
        """What the response header and the log call it."""

    @property
    def temperature(self) -> float:
        """How much of its scores multiplies the odds by e: the scale for ``search.fusion.rerank``."""

    @property
    def yields_to_words(self) -> bool:
        """Whether the lexical arm knows better where it is sure: so for a reranker that only compares meanings."""

    def capacity(self, limit: int) -> int:
        """How many of the best candidates it should be given when ``limit`` passages were asked for."""

    def rerank(self, query: str, texts: Sequence[str], budget: float) -> Sequence[float] | RerankSkipped:
        """Return one finite score a text, in their order, higher is better, within ``budget`` seconds; or why not.
        Never raises for what a provider may do wrong.
        """
