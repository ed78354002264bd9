"""What tests of search share."""

from __future__ import annotations

import pytest

from search.providers import choice
from search.semantic.query_vectors import query_vectors
from tests.search.tiny_models import TinyEmbedder


@pytest.fixture
def tiny_embedder(monkeypatch: pytest.MonkeyPatch) -> TinyEmbedder:
    """A fake embedder, which the settings are made to ask for."""
    embedder = TinyEmbedder()
    monkeypatch.setattr(choice, "embedder", lambda: embedder)
    query_vectors.clear()
    return embedder
