"""A fake embedder and a fake reranker: tiny, deterministic, meaningless. For tests where meaning is not at stake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from library.arabic import words
from search.providers.protocols import Embedder, EmbeddingModelSpec, Floats, RerankSkipped
from search.semantic import filling, lifecycle
from search.semantic.models import EmbeddingModel

DIMENSION = 16


@dataclass
class TinyEmbedder:
    """Texts that share words have like vectors; ``alike`` makes one word mean another. It can fail, and tells what it
    read.
    """

    name: str = "tiny"
    alike: dict[str, str] = field(default_factory=dict)
    failing: Exception | None = None
    read: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    before_query: Callable[[], object] = lambda: None

    dimension = DIMENSION

    @property
    def spec(self) -> EmbeddingModelSpec:
        return EmbeddingModelSpec(self.name, DIMENSION, "", "", 1, 1, 300, "", 0.0)

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        if self.failing:
            raise self.failing
        self.read += texts
        return np.array([self._vector(text) for text in texts], np.float32).reshape(len(texts), DIMENSION)

    def embed_query(self, text: str, budget: float | None = None) -> Floats:
        self.before_query()
        if self.failing:
            raise self.failing
        self.asked.append(text)
        return self._vector(text)

    def _vector(self, text: str) -> Floats:
        vector = np.full(DIMENSION, 0.01, np.float32)
        for word in words(text):
            vector[crc32(self.alike.get(word, word).encode()) % DIMENSION] += 1
        return vector / np.linalg.norm(vector)


@dataclass
class TinyReranker:
    """The longer a text the better; or whatever ``answer`` is."""

    answer: RerankSkipped | Exception | None = None
    temperature: float = 0.01
    yields_to_words: bool = False
    read: list[str] = field(default_factory=list)
    most: int = 8

    name = "tiny"

    def capacity(self, limit: int) -> int:
        return max(limit, self.most)

    def rerank(self, query: str, texts: Sequence[str], budget: float) -> Sequence[float] | RerankSkipped:
        self.read += texts
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer or [float(len(text)) for text in texts]


def fill(embedder: Embedder) -> EmbeddingModel:
    """Embed everything under ``embedder`` and make search use it. Wants the fixture ``tiny_embedder``'s choice to be
    it.
    """
    model = lifecycle.create(embedder.spec)
    while filling.embed_next():
        pass
    lifecycle.activate(model)
    return model
