"""Passages get their vectors: new and changed ones, once each, from several workers, whatever fails."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from library.models import Edition, Passage
from search import work
from search.providers.protocols import EmbedderUnavailable, ProviderFailed
from search.semantic import batches, filling, lifecycle
from search.semantic.coverage import coverage
from search.semantic.models import EmbeddingBatch, EmbeddingModel, PassageEmbedding, SearchSettings
from tests.search.books import replace_texts, save_edition
from tests.search.tiny_models import TinyEmbedder, fill

pytestmark = pytest.mark.django_db


def embed_all() -> int:
    done = 0
    while passages := filling.embed_next():
        done += passages
    return done


def active_key() -> str:
    return SearchSettings.objects.get().active_model.key


def test_a_worker_makes_the_model_embeds_everything_and_builds_the_index(tiny_embedder: TinyEmbedder) -> None:
    save_edition([f"كتاب {number}" for number in range(70)])
    said = io.StringIO()
    call_command("index_worker", "--once", "--progress", stdout=said, verbosity=0)
    model = EmbeddingModel.objects.get()
    assert (model.key, model.state, model.has_index) == (tiny_embedder.spec.key, "ready", True)
    assert model.spec == tiny_embedder.spec
    assert active_key() == model.key
    assert PassageEmbedding.objects.filter(model=model).count() == 70
    assert coverage().is_complete
    assert "embedded 32 passages" in said.getvalue()
    assert f"{model.key} is complete" in said.getvalue()


def test_books_are_embedded_in_their_order_default_editions_first(tiny_embedder: TinyEmbedder) -> None:
    twin = save_edition(["توأم"], id=1, is_default=False)
    save_edition(["اول", "ثان"], id=2, book=twin.book)
    save_edition(["ثالث"], id=3)
    lifecycle.create(tiny_embedder.spec)
    embed_all()
    assert tiny_embedder.read == ["اول", "ثان", "ثالث", "توأم"]


def test_only_passages_whose_text_changed_are_embedded_again(tiny_embedder: TinyEmbedder) -> None:
    edition = save_edition(["اول", "ثان", "ثالث"])
    fill(tiny_embedder)
    tiny_embedder.read.clear()
    Passage.objects.filter(text="ثان").update(text="جديد")
    Passage.objects.filter(text="ثالث").update(pages=[{"vol": "1", "page": 7}])
    batches.enqueue_edition(edition)
    embed_all()
    assert tiny_embedder.read == ["جديد"]
    assert coverage().is_complete


def test_vectors_go_with_their_passages_whoever_deletes_them(tiny_embedder: TinyEmbedder) -> None:
    edition = save_edition(["اول", "ثان", "ثالث"])
    fill(tiny_embedder)
    replace_texts(edition, ["رابع"])
    assert PassageEmbedding.objects.count() == 0
    embed_all()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM search_passagelexemes; DELETE FROM library_passage")
    assert PassageEmbedding.objects.count() == 0


def test_what_waits_of_an_edition_is_replaced_when_it_is_saved_again(tiny_embedder: TinyEmbedder) -> None:
    lifecycle.create(tiny_embedder.spec)
    edition = save_edition(["اول"] * 40)
    replace_texts(edition, ["ثان"] * 3)
    assert (coverage().passages, coverage().embedded) == (3, 0)
    assert [len(batch.passages) for batch in EmbeddingBatch.objects.all()] == [3]
    embed_all()
    assert tiny_embedder.read == ["ثان"] * 3


def test_a_passage_that_went_meanwhile_is_left_out(tiny_embedder: TinyEmbedder) -> None:
    lifecycle.create(tiny_embedder.spec)
    edition = save_edition(["اول", "ثان"])
    Passage.objects.filter(text="اول").delete()
    embed_all()
    assert tiny_embedder.read == ["ثان"]
    Edition.objects.filter(pk=edition.pk).delete()
    assert PassageEmbedding.objects.count() == 0


def test_a_batch_that_fails_is_tried_later_and_not_for_ever(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["اول"])
    lifecycle.create(tiny_embedder.spec)
    tiny_embedder.failing = ProviderFailed("cohere: status 500")
    for attempt in range(1, batches.MOST_ATTEMPTS + 1):
        assert filling.embed_next() == 0
        batch = EmbeddingBatch.objects.get()
        assert (batch.attempts, batch.error) == (attempt, "ProviderFailed: cohere: status 500")
        assert batch.not_before > timezone.now()
        EmbeddingBatch.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert batches.claim(EmbeddingModel.objects.get()) is None
    assert (coverage().stuck, coverage().share) == (1, 0)
    tiny_embedder.failing = None
    assert batches.retry_failed() == 1
    assert embed_all() == 1
    assert coverage().is_complete


def test_a_machine_without_an_embedder_counts_no_attempt_and_asks_once(
    tiny_embedder: TinyEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    task = work.EmbedPassages()
    tiny_embedder.failing = EmbedderUnavailable("this processor has no AVX2")
    assert task() == ""
    assert not EmbeddingModel.objects.exists()
    assert "this processor has no AVX2" in caplog.text
    save_edition(["اول"])
    lifecycle.activate(lifecycle.create(tiny_embedder.spec))
    assert [task(), work.EmbedPassages()()] == ["", ""]
    assert EmbeddingBatch.objects.get().attempts == 0


def test_models_of_other_embedders_are_left_alone(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["اول"])
    lifecycle.create(TinyEmbedder(name="another").spec)
    assert filling.embed_next() == 0
    assert EmbeddingBatch.objects.get().attempts == 0


@pytest.mark.django_db(transaction=True)
def test_workers_share_the_work(tiny_embedder: TinyEmbedder, in_threads: Any) -> None:
    save_edition([f"كتاب {number}" for number in range(400)])
    model = lifecycle.create(tiny_embedder.spec)
    assert sum(in_threads(4, embed_all)) == 400
    assert sorted(tiny_embedder.read) == sorted(f"كتاب {number}" for number in range(400))
    assert not EmbeddingBatch.objects.exists()
    lifecycle.drop(model)


@pytest.mark.django_db(transaction=True)
def test_a_worker_leaves_passages_that_an_import_is_replacing(tiny_embedder: TinyEmbedder, in_threads: Any) -> None:
    edition = save_edition(["اول", "ثان"])
    model = lifecycle.create(tiny_embedder.spec)
    with transaction.atomic():
        Passage.objects.filter(text="اول").delete()
        assert in_threads(1, filling.embed_next) == [2]
        replace_texts(edition, ["ثالث", "ثان"])
    EmbeddingBatch.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    embed_all()
    assert PassageEmbedding.objects.count() == 2
    assert not EmbeddingBatch.objects.exists()
    lifecycle.drop(model)
