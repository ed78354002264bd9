"""Models of embeddings come, are switched, and go; searches meanwhile have no gap."""

from __future__ import annotations

import io
import threading
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from search.retrieve import retrieve
from search.semantic import filling, lifecycle, partitions
from search.semantic.models import EmbeddingBatch, EmbeddingModel, PassageEmbedding, SearchSettings
from tests.search.books import save_edition
from tests.search.tiny_models import TinyEmbedder, fill

pytestmark = pytest.mark.django_db


def tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'search_passageembedding'::regclass"
        )
        return {name for (name,) in cursor.fetchall()}


def command(*arguments: str) -> str:
    said = io.StringIO()
    call_command("embedding_model", *arguments, stdout=said)
    return said.getvalue()


def test_each_model_has_a_table_and_dropping_it_drops_the_table(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["اول", "ثان"])
    first, second = lifecycle.create(tiny_embedder.spec), lifecycle.create(TinyEmbedder(name="other").spec)
    assert tables() == {first.table, second.table}
    lifecycle.drop(second)
    assert tables() == {first.table}
    assert list(EmbeddingModel.objects.all()) == [first]
    assert set(EmbeddingBatch.objects.values_list("model", flat=True)) == {first.pk}


def test_the_same_spec_is_the_same_model(tiny_embedder: TinyEmbedder) -> None:
    assert lifecycle.create(tiny_embedder.spec) == lifecycle.create(tiny_embedder.spec)


def test_the_index_of_another_size_takes_the_place_of_the_first(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["اول"])
    model = fill(tiny_embedder)
    assert partitions.build_index(model, m=4)
    assert partitions.build_index(model, m=8)
    assert partitions.indexes(model) == {f"{model.table}_hnsw_8": True}
    assert EmbeddingModel.objects.get().hnsw_m == 8


def test_a_model_of_another_name_is_filled_beside_and_switched_on_when_full(
    tiny_embedder: TinyEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_edition(["اول", "ثان"])
    old = fill(tiny_embedder)
    tiny_embedder.name = "next"
    assert filling.ensure_configured() is None
    assert "2 passages wait" in command("create")
    assert SearchSettings.objects.get().active_model == old
    while filling.embed_next():
        pass
    assert SearchSettings.objects.get().active_model == old
    said = [filling.finish_next() for _ in range(4)]
    assert "next_" in " ".join(said)
    assert SearchSettings.objects.get().active_model.name == "next"
    assert PassageEmbedding.objects.count() == 4
    lifecycle.activate(old)
    assert filling.finish_next() == ""
    assert SearchSettings.objects.get().active_model == old, "what a person switched stays"


def test_a_new_make_of_the_active_model_takes_its_place_at_once(
    tiny_embedder: TinyEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_edition(["اول"])
    fill(tiny_embedder)
    spec = tiny_embedder.spec
    monkeypatch.setattr(TinyEmbedder, "spec", property(lambda self: replace(spec, fold_version=2)))
    made = filling.ensure_configured()
    assert made is not None
    assert SearchSettings.objects.get().active_model == made
    assert filling.ensure_configured() is None


def test_commands(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["اول", "ثان"])
    key = tiny_embedder.spec.key
    assert f"{key}: 2 passages wait" in command("create")
    assert f"Search uses {key}" in command("activate", key)
    assert f"* {key}  filling, 2 passages wait, 0 failed, no index, not tuned" in command("list")
    with pytest.raises(CommandError, match="is active"):
        command("drop", key)
    assert "words only" in command("activate", "none")
    EmbeddingBatch.objects.all().delete()
    assert "2 passages wait" in command("refill", key)
    assert "is gone" in command("drop", key)
    with pytest.raises(CommandError, match="There is no model"):
        command("activate", key)


@pytest.mark.django_db(transaction=True)
def test_searches_never_miss_a_model_while_one_is_switched_and_the_other_dropped(
    tiny_embedder: TinyEmbedder, in_threads: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_edition([f"كتاب {number}" for number in range(50)])
    fill(tiny_embedder)
    second = TinyEmbedder(name="second")
    known = {embedder.spec.key: embedder for embedder in (tiny_embedder, second)}
    monkeypatch.setattr("search.hybrid.embedder_of", known.get)
    monkeypatch.setattr(filling, "embedder_of", known.get)
    stop = threading.Event()

    def search() -> list[tuple[str, int]]:
        seen = []
        while not stop.is_set():
            hits = retrieve("كتاب")
            seen.append((hits.mode, len(hits.results)))
        return seen

    def switch() -> list[tuple[str, int]]:
        try:
            for embedder in (second, tiny_embedder, second):
                old = SearchSettings.objects.get().active_model
                fill(embedder)
                lifecycle.drop(old)
            return []
        finally:
            stop.set()

    turns = iter([search, search, switch])
    seen = [each for part in in_threads(3, lambda: next(turns)()) for each in part]
    assert set(seen) == {("hybrid", 5)}
    for model in EmbeddingModel.objects.all():
        lifecycle.deactivate()
        lifecycle.drop(model)
