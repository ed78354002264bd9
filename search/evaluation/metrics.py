"""What a ranking is worth, as trec_eval defines it: nDCG@10, MAP@10, MRR@10, recall@24 and recall@100, each 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2

#: Names as in the JSON of ``evaluate_search``, in the order of its tables.
MEASURES = ("ndcg@10", "map@10", "mrr@10", "recall@24", "recall@100")

#: How far down a ranking anything is measured.
DEPTH = 100


def measure(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Measure one query's ``ranking`` (ids, best first, none twice) by the ``grades`` of its relevant passages.

    A grade above 0 is relevant, and is the gain that nDCG counts (trec_eval's ``ndcg_cut``, linear). What is relevant
    and nowhere in the corpus counts as not found. trec_eval's names: ``ndcg_cut_10``, ``map_cut_10``, ``recip_rank``
    over the first ten, ``recall_24``, ``recall_100``.

    Raises:
        ValueError: nothing is relevant.
    """
    relevant = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    if not relevant:
        raise ValueError("a query without a relevant passage measures nothing")
    gains = [max(grades.get(found, 0), 0) for found in ranking[:DEPTH]]
    ranks = [rank for rank, gain in enumerate(gains, start=1) if gain]
    first_ten = [rank for rank in ranks if rank <= 10]
    return {
        "ndcg@10": _discounted(gains[:10]) / _discounted(relevant[:10]),
        "map@10": sum(found / rank for found, rank in enumerate(first_ten, start=1)) / len(relevant),
        "mrr@10": 1 / first_ten[0] if first_ten else 0.0,
        "recall@24": sum(rank <= 24 for rank in ranks) / len(relevant),
        "recall@100": len(ranks) / len(relevant),
    }


def mean(measured: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over queries; 0 over none."""
    rows = list(measured)
    return {name: sum(row[name] for row in rows) / len(rows) if rows else 0.0 for name in MEASURES}


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
