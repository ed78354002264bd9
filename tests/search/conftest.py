"""What tests of search share."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection

from search.providers import choice
from search.semantic.query_vectors import query_vectors
from tests.search.tiny_models import TinyEmbedder

T = TypeVar("T")


@pytest.fixture
def tiny_embedder(monkeypatch: pytest.MonkeyPatch) -> TinyEmbedder:
    """A fake embedder, which the settings are made to ask for."""
    embedder = TinyEmbedder()
    monkeypatch.setattr(choice, "embedder", lambda: embedder)
    query_vectors.clear()
    return embedder


@pytest.fixture
def in_threads() -> Callable[[int, Callable[[], T]], list[T]]:
    """What a function returns in each of so many threads at once; their connections are closed afterwards."""

    def run(count: int, function: Callable[[], T]) -> list[T]:
        def closing() -> T:
            try:
                return function()
            finally:
                connection.close()

        with ThreadPoolExecutor(count) as pool:
            return [made.result() for made in [pool.submit(closing) for _ in range(count)]]

    return run
