"""The measuring of the index, on a small library of made-up vectors."""

from __future__ import annotations

import io
import itertools

import pytest
from django.core.management import CommandError, call_command

from search.semantic import active, partitions, tuning
from search.semantic.models import EmbeddingModel
from tests.factories import EditionFactory, SectionFactory
from tests.search.books import save_edition
from tests.search.tiny_models import TinyEmbedder, fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def model(tiny_embedder: TinyEmbedder, monkeypatch: pytest.MonkeyPatch) -> EmbeddingModel:
    words = itertools.cycle(itertools.combinations("ابجدهوزحطيكلمن", 3))
    for edition in range(1, 5):
        save_edition([" ".join(next(words)) for _ in range(100)], id=edition)
    monkeypatch.setattr(active, "EXACT_UP_TO", 150)
    monkeypatch.setattr(tuning, "EXACT_UP_TO", 150)
    monkeypatch.setattr(partitions, "EF_CONSTRUCTION", 8)
    return fill(tiny_embedder)


def test_each_share_gets_its_ef_and_the_model_remembers(model: EmbeddingModel) -> None:
    said = io.StringIO()
    call_command("tune_semantic", "--m", "4,8", stdout=said)
    model.refresh_from_db()
    assert [band["share"] for band in model.bands] == [1.0, 0.5]
    assert all(band["ef"] in tuning.EFS for band in model.bands)
    assert model.hnsw_m in (4, 8)
    assert model.tuned_at
    assert "down to 50% of the library: ef" in said.getvalue()


def test_a_share_that_no_ef_serves_is_compared(model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "recall", lambda state, editions, questions, ef: 0.9)
    call_command("tune_semantic", "--m", "4", stdout=io.StringIO())
    model.refresh_from_db()
    assert model.bands == [{"share": 1.0, "ef": None}, {"share": 0.5, "ef": None}]


@pytest.mark.usefixtures("model")
def test_what_cannot_be_tuned_is_said() -> None:
    with pytest.raises(CommandError, match="There is no model"):
        call_command("tune_semantic", "nothing")
    EmbeddingModel.objects.update(key="made_by_another")
    with pytest.raises(CommandError, match="no embedder here"):
        call_command("tune_semantic")


def test_there_are_two_hundred_real_queries_where_books_have_headings(db: None) -> None:
    edition = EditionFactory.create()
    for number in range(60):
        SectionFactory.create(edition=edition, ordinal=number + 1, title=f"باب الصلاة رقم {number}")
    queries = tuning.real_queries()
    assert len(queries) == len(set(queries)) == tuning.QUERIES
