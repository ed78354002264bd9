"""Cohere's models against a local stub server, and once against Cohere itself."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from django.conf import settings

from search.providers.cohere import DIMENSION, CohereEmbedder, CohereReranker
from search.providers.protocols import Embedder, ProviderFailed, Reranker, RerankSkipped
from tests.stubs.cohere_server import API_KEY, Fault, StubCohere

BUDGET = 0.4
SLACK = 0.6

BOTH: dict[Fault, str] = {
    "slow": "no answer in time",
    "dripping_headers": "no answer in time",
    "dripping_body": "no answer in time",
    "401": "status 401",
    "429": "status 429",
    "500": "status 500",
    "closed": "not reached",
    "not_json": "unreadable answer",
    "wrong_count": "another number of",
    "no_results": "answer",
}
EMBEDDING: dict[Fault, str] = BOTH | {"nan": "no directions", "wrong_size": "another size"}
RERANKING: dict[Fault, str] = BOTH | {
    "nan": "no numbers",
    "unknown_index": "was not sent",
    "twice_the_same_index": "no numbers",
}


@pytest.fixture(scope="module")
def server() -> Iterator[StubCohere]:
    with StubCohere().running() as stub:
        yield stub


@pytest.fixture
def stub(server: StubCohere) -> StubCohere:
    server.fault = None
    server.asked.clear()
    return server


@pytest.fixture
def embedder(stub: StubCohere) -> Iterator[CohereEmbedder]:
    with closing(CohereEmbedder(API_KEY, "embed-v4.0", stub.url)) as embedder:
        yield embedder


@pytest.fixture
def reranker(stub: StubCohere) -> Iterator[CohereReranker]:
    with closing(CohereReranker(API_KEY, "rerank-v4.0-pro", stub.url)) as reranker:
        yield reranker


def test_they_are_providers(embedder: CohereEmbedder, reranker: CohereReranker) -> None:
    providers: tuple[Embedder, Reranker] = embedder, reranker
    assert [provider.name for provider in providers] == ["embed-v4.0", "rerank-v4.0-pro"]
    assert embedder.spec.dimension == embedder.dimension == DIMENSION
    assert reranker.capacity(5) == 48


def test_documents_are_sent_96_at_a_time_as_documents(embedder: CohereEmbedder, stub: StubCohere) -> None:
    vectors = embedder.embed_documents(["x" * length for length in range(1, 201)])
    assert vectors.shape == (200, DIMENSION)
    assert vectors.argmax(axis=1).tolist() == list(range(1, 201))
    assert [len(body["texts"]) for _, body in stub.asked] == [96, 96, 8]
    assert {body["input_type"] for _, body in stub.asked} == {"search_document"}
    assert {body["output_dimension"] for _, body in stub.asked} == {DIMENSION}


def test_no_documents_are_not_sent(embedder: CohereEmbedder, stub: StubCohere) -> None:
    assert embedder.embed_documents([]).shape == (0, DIMENSION)
    assert not stub.asked


def test_a_query_is_sent_as_a_query_in_modern_spelling(embedder: CohereEmbedder, stub: StubCohere) -> None:
    assert np.linalg.norm(embedder.embed_query("ٱلصَّلَوٰةَ")) == pytest.approx(1)
    assert stub.asked[0][1]["input_type"] == "search_query"
    assert stub.asked[0][1]["texts"] == ["الصلاة"]


def test_a_text_without_words_is_not_sent_empty(embedder: CohereEmbedder, stub: StubCohere) -> None:
    embedder.embed_query("\u064b")
    assert stub.asked[0][1]["texts"] == ["-"]


def test_what_no_model_can_read_is_refused_here(embedder: CohereEmbedder, stub: StubCohere) -> None:
    with pytest.raises(ValueError, match="NUL"):
        embedder.embed_documents(["a\0"])
    assert not stub.asked


def test_scores_come_in_the_order_of_the_texts(reranker: CohereReranker, stub: StubCohere) -> None:
    assert reranker.rerank("q", ["a", "ccc", "bb"], 5) == [0.001, 0.003, 0.002]
    assert stub.asked[0][1]["model"] == "rerank-v4.0-pro"


def test_nothing_to_rerank_is_not_sent(reranker: CohereReranker, stub: StubCohere) -> None:
    assert reranker.rerank("q", [], 5) == []
    assert not stub.asked


@pytest.mark.parametrize("fault", EMBEDDING)
def test_an_embedding_that_goes_wrong_says_how_in_time_and_is_not_repeated(
    embedder: CohereEmbedder, stub: StubCohere, fault: Fault
) -> None:
    stub.fault = fault
    start = time.monotonic()
    with pytest.raises(ProviderFailed, match=EMBEDDING[fault]):
        embedder.embed_query("question", BUDGET)
    assert time.monotonic() - start < BUDGET + SLACK
    assert len(stub.asked) == 1


@pytest.mark.parametrize("fault", RERANKING)
def test_a_reranking_that_goes_wrong_is_skipped_in_time_and_not_repeated(
    reranker: CohereReranker, stub: StubCohere, fault: Fault
) -> None:
    stub.fault = fault
    start = time.monotonic()
    skipped = reranker.rerank("question", ["a", "bb", "ccc"], BUDGET)
    assert time.monotonic() - start < BUDGET + SLACK
    assert isinstance(skipped, RerankSkipped)
    assert RERANKING[fault] in skipped.reason
    assert len(stub.asked) == 1


def test_a_server_that_is_not_there_is_not_reached() -> None:
    skipped = CohereReranker(API_KEY, "rerank-v4.0-pro", "http://127.0.0.1:9").rerank("q", ["a"], BUDGET)
    assert isinstance(skipped, RerankSkipped)
    assert "not reached" in skipped.reason


@pytest.mark.parametrize("fault", ["401", "429", "nan"])
def test_neither_the_key_nor_headers_are_logged(
    reranker: CohereReranker, stub: StubCohere, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    stub.fault = fault
    with caplog.at_level(logging.DEBUG):
        reranker.rerank("q", ["a"], BUDGET)
    assert "cohere rerank failed" in caplog.text
    assert API_KEY not in caplog.text
    assert not [record for record in caplog.records if record.exc_info and record.name.startswith("search")]


def test_after_a_failure_it_works_again(reranker: CohereReranker, stub: StubCohere) -> None:
    stub.fault = "closed"
    assert isinstance(reranker.rerank("q", ["a"], BUDGET), RerankSkipped)
    stub.fault = None
    assert reranker.rerank("q", ["a"], 5) == [0.001]


def test_a_forked_child_has_connections_of_its_own(embedder: CohereEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = embedder._client
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert embedder._client is not ours


@pytest.mark.live("COHERE_API_KEY")
def test_cohere_itself_answers_as_the_stub_does() -> None:
    key, url = settings.COHERE_API_KEY, settings.COHERE_BASE_URL
    embedder = CohereEmbedder(key, settings.COHERE_EMBED_MODEL, url)
    documents = ["الغيبة ذكرك أخاك بما يكره", "زكاة الذهب ربع العشر"]
    assert np.argmax(embedder.embed_documents(documents) @ embedder.embed_query("what is backbiting?")) == 0
    scores = CohereReranker(key, settings.COHERE_RERANK_MODEL, url).rerank("what is backbiting?", documents, 20)
    assert not isinstance(scores, RerankSkipped)
    assert scores[0] > scores[1]
