"""The semantic arm: a query's vector in, the passages with the nearest vectors out.

Filters and exclusions are conditions of the statement itself. Up to 50,000 matching passages, and wherever the index
was measured to be too inexact, every vector is compared; else the index goes on looking until it has enough
(iterative scan). An index that still comes back with too few is not believed: then every vector is compared too. So
fewer than ``k`` are returned only where there are no more.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any
from uuid import UUID

from search.arms import Candidates
from search.database import Rows, fetch_binary
from search.filters import EditionSet
from search.providers.protocols import Floats
from search.query_language import Query
from search.semantic.active import ActiveModel

#: pgvector's own bound.
MOST_EF = 1000
#: Vectors an iterative scan looks at before it gives up; the default of 20,000 gives up too early under narrow filters.
MOST_SCANNED = 200_000
#: Passages that hold a phrase, at most: more common ones are no help in finding anything.
MOST_HOLDING = 50_000

_SETTINGS = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('hnsw.max_scan_tuples', %s, true)"
)
_HOLDING = "passage_id IN (SELECT passage_id FROM search_passagelexemes WHERE tsv @@ %s::tsquery LIMIT %s)"
# Adding 0 keeps the index out.
_EXACT = """
SELECT passage_id, 1 - distance FROM (
    SELECT passage_id, (vector <=> %s::halfvec) + 0 AS distance FROM {table} WHERE {condition}
    ORDER BY distance, passage_id LIMIT %s
) nearest
"""
_INDEXED = """
SELECT passage_id, 1 - distance FROM (
    SELECT passage_id, vector::halfvec({dimension}) <=> %s::halfvec({dimension}) AS distance FROM {table}
    WHERE {condition} ORDER BY vector::halfvec({dimension}) <=> %s::halfvec({dimension}) LIMIT %s
) nearest ORDER BY distance, passage_id LIMIT %s
"""


class SemanticArm:
    """Nearest neighbours of one vector under one model. Scores are cosines."""

    name = "semantic"

    def __init__(self, model: ActiveModel, vector: Floats) -> None:
        self._model = model
        self._vector = f"[{','.join(map(repr, vector.tolist()))}]"

    def candidates(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int) -> Candidates:
        """See ``Arm``. A query with phrases is answered from the passages that hold them; ``evidence`` is 1."""
        if editions.is_empty:
            return Candidates()
        ef = None if query.tsquery else self._model.ef
        rows = self.ask_index(query, editions, exclude, k, ef) if ef is not None else []
        if len(rows) < k:
            rows = self.compare_all(query, editions, exclude, k)
        return Candidates(tuple((passage_id, cosine) for passage_id, cosine in rows), 1.0)

    def compare_all(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int) -> Rows:
        """The nearest passages with their cosines, by comparing every vector."""
        condition, parameters = _condition(query, editions, exclude)
        sql = _EXACT.format(table=self._model.table, condition=condition)
        return fetch_binary(sql, [self._vector, *parameters, k])

    def ask_index(self, query: Query, editions: EditionSet, exclude: Set[UUID], k: int, ef: int) -> Rows:
        """The same, as near as the index comes to it by looking at ``ef`` candidates; perhaps fewer. In a transaction.

        pgvector looks at a thousand at most; for more it is asked for so many that it goes on looking.
        """
        condition, parameters = _condition(query, editions, exclude)
        sql = _INDEXED.format(table=self._model.table, dimension=self._model.dimension, condition=condition)
        ef = max(ef, 2 * (k + len(exclude)) if exclude else k)
        wanted = k if ef <= MOST_EF else max(k, round(ef * self._model.share))
        fetch_binary(_SETTINGS, [str(min(ef, MOST_EF)), str(MOST_SCANNED)])
        return fetch_binary(sql, [self._vector, *parameters, self._vector, wanted, k])


def _condition(query: Query, editions: EditionSet, exclude: Set[UUID]) -> tuple[str, list[Any]]:
    """What a row must meet, and the values in it."""
    conditions: list[str] = ["true"]
    parameters: list[Any] = []
    if editions.only is not None:
        conditions.append("edition_id = ANY(%s::integer[])")
        parameters.append(sorted(editions.only))
    elif editions.never:
        conditions.append("edition_id <> ALL(%s::integer[])")
        parameters.append(sorted(editions.never))
    if exclude:
        conditions.append("passage_id <> ALL(%s::uuid[])")
        parameters.append(sorted(exclude))
    if query.tsquery:
        conditions.append(_HOLDING)
        parameters += [query.tsquery, MOST_HOLDING]
    return " AND ".join(conditions), parameters
