"""Two ranked lists into one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.fusion import Fused, blend, rerank

scores = st.floats(0, 60, allow_nan=False)
cosines = st.floats(-1, 1, allow_nan=False)


def ranked(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple[int, float]]]:
    rows = st.lists(st.tuples(st.integers(0, 40), values), unique_by=lambda row: row[0], max_size=24)
    return rows.map(lambda found: sorted(found, key=lambda row: -row[1]))


def order(fused: Fused[str]) -> list[str]:
    return [id for id, _ in fused.ranked]


@given(ranked(scores), ranked(cosines), st.floats(0, 1))
def test_every_candidate_comes_once_with_a_finite_score_best_first(
    lexical: list[tuple[int, float]], semantic: list[tuple[int, float]], evidence: float
) -> None:
    fused = blend(lexical, semantic, evidence).ranked
    assert sorted(id for id, _ in fused) == sorted({id for id, _ in lexical} | {id for id, _ in semantic})
    values = [score for _, score in fused]
    assert values == sorted(values, reverse=True)
    assert all(0 <= value <= 1 for value in values)
    assert not fused or math.isclose(sum(values), 1, rel_tol=1e-9)


@given(ranked(scores))
def test_one_arm_alone_keeps_its_order(lexical: list[tuple[int, float]]) -> None:
    for fused in (blend(lexical, [], 0.4), blend([], lexical, 0.0)):
        assert [id for id, _ in fused.ranked] == [id for id, _ in lexical]


def test_nothing_found_is_nothing() -> None:
    assert blend([], [], 0.0) == Fused([], 0.0)


def test_a_passage_both_found_comes_before_what_one_found() -> None:
    assert order(blend([("a", 9), ("b", 9)], [("b", 0.6), ("c", 0.6)], 0.8))[0] == "b"


def test_a_quotation_found_word_for_word_beats_a_likeness() -> None:
    assert order(blend([("quoted", 30), ("x", 12)], [("alike", 0.72), ("y", 0.70)], 0.9))[0] == "quoted"


def test_a_clear_meaning_beats_a_few_common_words() -> None:
    assert order(blend([("words", 6), ("x", 5.5)], [("meant", 0.75), ("y", 0.5)], 0.4))[0] == "meant"


def test_stray_words_without_evidence_decide_nothing() -> None:
    semantic = [("a", 0.6), ("b", 0.55), ("c", 0.5)]
    assert order(blend([("stray", 12), ("c", 11)], semantic, 0.0))[:3] == ["a", "b", "c"]


@pytest.mark.parametrize("evidence", [0.2, 0.5, 1.0])
def test_more_evidence_never_lowers_the_best_lexical_passage(evidence: float) -> None:
    lexical, semantic = [("a", 14.0), ("b", 9.0)], [("c", 0.6), ("b", 0.5)]
    more, less = blend(lexical, semantic, evidence), blend(lexical, semantic, evidence / 2)
    assert dict(more.ranked)["a"] >= dict(less.ranked)["a"]
    assert more.lexical_weight >= less.lexical_weight


def test_ties_keep_the_order_of_the_arms() -> None:
    assert order(blend([("d", 1), ("c", 1)], [("b", 0.5), ("a", 0.5)], 0.0)) == ["b", "a", "d", "c"]


def test_the_weight_says_which_arm_decided() -> None:
    assert blend([("a", 9)], [], 0.5).lexical_weight == 1
    assert blend([], [("a", 0.5)], 0.0).lexical_weight == 0
    sure = blend([("quoted", 40), ("x", 12)], [("alike", 0.72), ("y", 0.70)], 0.9)
    unsure = blend([("a", 6), ("b", 5.9)], [("meant", 0.8), ("y", 0.5)], 0.3)
    assert sure.lexical_weight > 0.7
    assert unsure.lexical_weight < 0.3


# -- a reranker's scores ----------------------------------------------------------------------------------------------

FUSED = Fused([("a", 0.4), ("b", 0.3), ("c", 0.2), ("d", 0.1)], 0.0)


def test_scores_reorder_the_head_and_leave_the_rest() -> None:
    reranked = rerank(FUSED, [0.1, 0.2, 0.5], 0.05, yields_to_words=True)
    assert order(reranked) == ["c", "b", "a", "d"]
    assert sum(score for _, score in reranked.ranked) == pytest.approx(1)
    assert reranked.ranked[-1] == ("d", 0.1)


def test_equal_scores_and_no_scores_change_nothing() -> None:
    assert order(rerank(FUSED, [0.3, 0.3, 0.3, 0.3], 0.05, yields_to_words=True)) == ["a", "b", "c", "d"]
    assert rerank(FUSED, [], 0.05, yields_to_words=True) == FUSED


def test_a_small_difference_does_not_overturn_a_large_one() -> None:
    assert order(rerank(FUSED, [0.30, 0.31, 0.0, 0.0], 0.05, yields_to_words=True))[0] == "a"


def test_a_reranker_yields_where_the_words_decided() -> None:
    decided = Fused(FUSED.ranked, 0.95)
    assert order(rerank(decided, [0.1, 0.2, 0.5], 0.05, yields_to_words=True))[0] == "a"
    assert order(rerank(decided, [0.1, 0.2, 0.5], 0.05, yields_to_words=False))[0] == "c"


def test_an_impossible_candidate_can_still_be_reranked() -> None:
    assert order(rerank(Fused([("a", 1.0), ("b", 0.0)], 0.0), [0.0, 9.0], 0.05, yields_to_words=False))[0] == "b"
