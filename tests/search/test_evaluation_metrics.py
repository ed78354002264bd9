"""What a ranking is worth: values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from search.evaluation.metrics import MEASURES, mean, measure

TEN_OTHERS = [f"other {number}" for number in range(10)]


def test_a_perfect_ranking_is_worth_one() -> None:
    assert measure(["a", "b"], {"a": 1, "b": 1}) == dict.fromkeys(MEASURES, 1.0)


def test_a_ranking_without_anything_relevant_is_worth_nothing() -> None:
    assert measure(["x", "y"], {"a": 1}) == dict.fromkeys(MEASURES, 0.0)


def test_an_empty_ranking_is_worth_nothing() -> None:
    assert measure([], {"a": 1}) == dict.fromkeys(MEASURES, 0.0)


def test_relevant_at_ranks_two_and_four_of_three() -> None:
    found = measure(["x", "a", "y", "b"], {"a": 1, "b": 1, "c": 1})
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert found["ndcg@10"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    assert found["map@10"] == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert found["mrr@10"] == pytest.approx(1 / 2)
    assert found["recall@24"] == found["recall@100"] == pytest.approx(2 / 3)


def test_grades_are_linear_gains() -> None:
    found = measure(["low", "high"], {"high": 3, "low": 1})
    assert found["ndcg@10"] == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_a_grade_of_zero_or_less_is_not_relevant() -> None:
    found = measure(["no", "never", "a"], {"no": 0, "never": -1, "a": 1})
    assert found["mrr@10"] == pytest.approx(1 / 3)
    assert found["ndcg@10"] == pytest.approx(1 / log2(4))


def test_rank_eleven_counts_for_recall_alone() -> None:
    found = measure([*TEN_OTHERS, "a"], {"a": 1})
    assert [found[name] for name in MEASURES] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("rank", "at_24", "at_100"), [(24, 1, 1), (25, 0, 1), (100, 0, 1), (101, 0, 0)])
def test_recall_ends_at_its_rank(rank: int, at_24: int, at_100: int) -> None:
    found = measure([*(str(number) for number in range(rank - 1)), "a"], {"a": 1})
    assert (found["recall@24"], found["recall@100"]) == (at_24, at_100)


def test_more_relevant_passages_than_ten_cannot_all_be_found_in_ten() -> None:
    relevant = {f"r{number}": 1 for number in range(20)}
    found = measure(list(relevant), relevant)
    assert found["ndcg@10"] == 1
    assert found["map@10"] == pytest.approx(10 / 20)


def test_nothing_relevant_is_an_error() -> None:
    with pytest.raises(ValueError, match="measures nothing"):
        measure(["a"], {"a": 0})


def test_the_mean_is_over_queries() -> None:
    found = mean([dict.fromkeys(MEASURES, 1.0), dict.fromkeys(MEASURES, 0.5)])
    assert found == dict.fromkeys(MEASURES, 0.75)


def test_the_mean_over_none_is_nothing() -> None:
    assert mean([]) == dict.fromkeys(MEASURES, 0.0)
