"""The semantic arm: exact where it must be, never short under a filter. The vectors are made up."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import numpy as np
import pytest
from django.db import connection

from search.filters import EditionSet
from search.query_language import parse
from search.semantic import active, lifecycle, partitions
from search.semantic.active import MOST_CANDIDATES, UNTUNED_EF, ActiveModel, Band, active_model
from search.semantic.arm import SemanticArm
from search.semantic.models import EmbeddingModel
from tests.factories import BookFactory, EditionFactory
from tests.search.books import save_edition
from tests.search.tiny_models import DIMENSION, TinyEmbedder, fill

pytestmark = pytest.mark.django_db

K = 24
ANY_WORD = parse("كلمة")
QUERY = np.eye(1, DIMENSION, dtype=np.float32)[0]
#: Passages of each edition: of all 26,000 these are 0.1, 1, 10 and 50 percent, and the rest.
SIZES = {1: 26, 2: 260, 3: 2_600, 4: 13_000, 5: 10_114}


@pytest.fixture
def library() -> EmbeddingModel:
    """Edition 5 crowds round the query, all others lie on the far side, each passage in a direction of its own."""
    model = lifecycle.create(TinyEmbedder().spec)
    lifecycle.activate(model)
    book = BookFactory.create()
    random = np.random.default_rng(7)
    with connection.cursor() as cursor:
        for edition, size in SIZES.items():
            EditionFactory.create(id=edition, book=book, is_default=edition == 1, passage_count=size)
            cursor.execute(
                "INSERT INTO library_passage (id, edition_id, sequence_number, text, spans, notes, pages, item)"
                " SELECT (%s || lpad(n::text, 31, '0'))::uuid, %s, n, '', '[]', '[]', '[]', ''"
                " FROM generate_series(0, %s) n",
                [str(edition), edition, size - 1],
            )
            side = 1 if edition == 5 else -1
            vectors = random.normal(0, 0.3, (size, DIMENSION)) + side * QUERY
            cursor.execute(
                f"INSERT INTO {model.table}"
                " SELECT (%s || lpad((n - 1)::text, 31, '0'))::uuid, %s, %s, gen_random_uuid(),"
                " l2_normalize(v::halfvec) FROM unnest(%s::text[]) WITH ORDINALITY AS row(v, n)",
                [str(edition), model.pk, edition, [str(vector.tolist()) for vector in vectors]],
            )
    return model


@pytest.fixture(params=["index", "exact"])
def ways(request: pytest.FixtureRequest, library: EmbeddingModel, monkeypatch: pytest.MonkeyPatch) -> str:
    """With an index that is believed at every share, and without one."""
    if request.param == "index":
        monkeypatch.setattr(active, "EXACT_UP_TO", 0)
        monkeypatch.setattr(partitions, "EF_CONSTRUCTION", 8)
        EmbeddingModel.objects.update(bands=[{"share": 0.0, "ef": 40}])
        partitions.build_index(library, m=4)
    return str(request.param)


def nearest(editions: EditionSet, exclude: Collection[UUID] = (), k: int = K) -> list[UUID]:
    model = active_model(editions)
    assert model is not None
    return [
        found for found, _ in SemanticArm(model, QUERY).candidates(ANY_WORD, editions, frozenset(exclude), k).ranked
    ]


@pytest.mark.usefixtures("ways")
def test_whatever_is_left_out_the_rest_is_answered_in_full() -> None:
    """Filters that leave 0.1, 1, 10 and 50 percent, then also without the nearest 200; and twins that are never
    shown.
    """
    for edition in (1, 2, 3, 4):
        only = EditionSet(only=frozenset({edition}))
        first = nearest(only)
        assert len(first) == K
        assert {found.hex[0] for found in first} == {str(edition)}
        excluded = nearest(only, k=min(200, SIZES[edition] - K))
        others = nearest(only, excluded)
        assert len(others) == K
        assert not set(others) & set(excluded)
    found = nearest(EditionSet(never=frozenset({3, 4, 5})))
    assert len(found) == K
    assert {passage.hex[0] for passage in found} <= {"1", "2"}


def test_the_index_is_asked_for_much_and_where_it_was_measured_to_be_good() -> None:
    def ef(matching: int, *bands: Band, has_index: bool = True) -> int | None:
        return ActiveModel(1, "tiny", DIMENSION, has_index, bands, passages=1_000_000, matching=matching, waiting=0).ef

    assert ef(50_000) is None
    assert ef(50_001) == UNTUNED_EF
    assert ef(1_000_000, has_index=False) is None
    assert ef(499_999, Band(0.1, None)) == MOST_CANDIDATES
    tuned = (Band(1.0, 80), Band(0.5, 200), Band(0.1, None))
    assert [ef(matching, *tuned) for matching in (1_000_000, 999_999, 500_000, 399_999, 60_000)] == [
        80, 200, 200, None, None
    ]  # fmt: skip


def test_scores_are_cosines_and_the_order_is_theirs(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["كتاب قلم", "كتاب", "حبر ورق"])
    fill(tiny_embedder)
    vector = tiny_embedder.embed_query("كتاب")
    found = SemanticArm(active_model(EditionSet()), vector).candidates(ANY_WORD, EditionSet(), frozenset(), K).ranked
    texts = ["كتاب", "كتاب قلم", "حبر ورق"]
    assert [score for _, score in found] == pytest.approx(
        [float(vector @ row) for row in tiny_embedder.embed_documents(texts)], abs=2e-3
    )


def test_a_phrase_is_answered_from_the_passages_that_hold_it(tiny_embedder: TinyEmbedder) -> None:
    save_edition(["قال كتاب الله", "كتاب", "كتاب الله"])
    fill(tiny_embedder)
    arm = SemanticArm(active_model(EditionSet()), tiny_embedder.embed_query("كتاب"))
    found = arm.candidates(parse('"كتاب الله"'), EditionSet(), frozenset(), K)
    assert len(found.ranked) == 2
