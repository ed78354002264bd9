"""What a search needs to know of the model it uses, in one statement."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from search.database import fetch_binary
from search.filters import EditionSet
from search.semantic.models import EmbeddingModel

#: Matching passages up to which all of them are compared: about 25 ms, and exact.
EXACT_UP_TO = 50_000
#: Where no ef was good enough, so many are still compared, in some 200 ms; past it the index is asked for all it can
#: give.
COMPARED_AT_MOST = 400_000
MOST_CANDIDATES = 4_000
#: ``ef_search`` of an index that was not measured: 11,570 real vectors had recall@24 of .995 with it.
UNTUNED_EF = 800

_STATE = """
SELECT m.id, m.key, m.dimension, m.has_index, m.bands::text, shown.passages, shown.matching,
    (SELECT coalesce(sum(cardinality(b.passages)), 0)::int8 FROM search_embeddingbatch b WHERE b.model_id = m.id)
FROM search_embeddingmodel m,
LATERAL (
    SELECT coalesce(sum(e.passage_count), 0)::int8 AS passages,
        coalesce(sum(e.passage_count) FILTER (WHERE {matches}), 0)::int8 AS matching
    FROM library_edition e
) shown
WHERE m.id = {model}
"""
_ACTIVE = "(SELECT active_model_id FROM search_searchsettings)"


@dataclass(frozen=True)
class Band:
    """Down to ``share`` of the library, ``ef`` is the smallest ef_search with the wanted recall; None: no value has
    it.
    """

    share: float
    ef: int | None


@dataclass(frozen=True)
class ActiveModel:
    """The model of one search, and how much of it the search may see."""

    id: int
    key: str
    dimension: int
    has_index: bool
    bands: tuple[Band, ...]
    passages: int
    matching: int
    waiting: int

    @property
    def table(self) -> str:
        """The partition with its vectors."""
        return f"search_passageembedding_{self.id}"

    @property
    def coverage(self) -> float:
        """The share of the library's passages that have their vectors, 0 to 1."""
        return max(0.0, 1 - self.waiting / self.passages) if self.passages else 1.0

    @property
    def share(self) -> float:
        """The share of the library that the search may show, 0 to 1."""
        return self.matching / self.passages if self.passages else 1.0

    @property
    def ef(self) -> int | None:
        """How many candidates the index looks at for a search of this selectivity; None: compare all vectors."""
        if not self.has_index or self.matching <= EXACT_UP_TO:
            return None
        if not self.bands:
            return UNTUNED_EF
        met = [band for band in self.bands if band.share <= self.share]
        ef = max(met, key=lambda band: band.share).ef if met else None
        return MOST_CANDIDATES if ef is None and self.matching > COMPARED_AT_MOST else ef


def active_model(editions: EditionSet) -> ActiveModel | None:
    """The model that search uses at this moment, for a search of ``editions``; None: there is none."""
    return _ask(_ACTIVE, editions)


def model_for(model: EmbeddingModel, editions: EditionSet) -> ActiveModel:
    """Any model, as if search used it."""
    found = _ask(str(int(model.pk)), editions)
    if found is None:
        raise EmbeddingModel.DoesNotExist
    return found


def _ask(model: str, editions: EditionSet) -> ActiveModel | None:
    if editions.only is not None:
        matches, listed = "e.id = ANY(%s::integer[])", sorted(editions.only)
    else:
        matches, listed = "e.id <> ALL(%s::integer[])", sorted(editions.never)
    rows = fetch_binary(_STATE.format(matches=matches, model=model), [listed])
    return _read(*rows[0]) if rows else None


def _read(
    id: int, key: str, dimension: int, has_index: bool, bands: str, passages: int, matching: int, waiting: int
) -> ActiveModel:
    read: list[dict[str, Any]] = json.loads(bands)
    tuned = tuple(Band(band["share"], band["ef"]) for band in read)
    return ActiveModel(id, key, dimension, has_index, tuned, passages, matching, waiting)
