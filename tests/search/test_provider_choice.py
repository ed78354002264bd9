"""Which models the settings ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytest_django.fixtures import Settings

from search.providers import choice
from search.providers.cohere import CohereEmbedder, CohereReranker
from search.providers.local_e5 import LocalE5
from search.providers.local_rerank import LocalReranker


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    made = (choice.embedder, choice.reranker, choice.local_embedder)
    for function in made:
        function.cache_clear()
    yield
    for function in made:
        function.cache_clear()


def test_without_a_key_all_is_local(settings: Settings) -> None:
    settings.COHERE_API_KEY, settings.RERANKER = "", True
    assert isinstance(choice.embedder(), LocalE5)
    assert isinstance(choice.reranker(), LocalReranker)
    assert choice.embedder() is choice.local_embedder() is choice.embedder()


def test_with_a_key_cohere_embeds_and_reranks(settings: Settings) -> None:
    settings.COHERE_API_KEY, settings.RERANKER = "a key", True
    assert isinstance(choice.embedder(), CohereEmbedder)
    assert isinstance(choice.reranker(), CohereReranker)
    assert choice.embedder().name == "embed-v4.0"


@pytest.mark.parametrize("key", ["", "a key"])
def test_reranking_can_be_turned_off(settings: Settings, key: str) -> None:
    settings.COHERE_API_KEY, settings.RERANKER = key, False
    assert choice.reranker() is None


def test_any_change_makes_another_model() -> None:
    spec = choice.local_embedder().spec
    changes = {"factor": 0.4, "spelling_version": 99, "passage_words": 200, "constants_sha256": "0", "query_prefix": ""}
    keys = {spec.key, *(replace(spec, **{name: value}).key for name, value in changes.items())}
    assert len(keys) == 6
    assert all(key.isidentifier() and len(key) < 40 for key in keys)
