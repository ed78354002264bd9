"""How far the filling is: for the admin's front page, ``/readyz``, the worker's progress and a note on the search
page.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from library.models import Edition
from search.semantic.batches import waiting
from search.semantic.models import EmbeddingModel, SearchSettings


@dataclass(frozen=True)
class Coverage:
    """Of ``passages`` in the library, ``embedded`` have their vectors; ``stuck`` failed too often and wait for a
    person.
    """

    model: str
    passages: int
    embedded: int
    stuck: int

    @property
    def share(self) -> float:
        """0 to 1; 1 in an empty library."""
        return self.embedded / self.passages if self.passages else 1.0

    @property
    def is_complete(self) -> bool:
        """Whether every passage has its vector."""
        return self.embedded == self.passages


def coverage() -> Coverage | None:
    """Of the model that search uses, or where none is on, of the newest; None: there is no model. Three small
    statements.
    """
    model = SearchSettings.model_in_use() or EmbeddingModel.objects.order_by("pk").last()
    if model is None:
        return None
    passages = Edition.objects.aggregate(all=Sum("passage_count"))["all"] or 0
    left = waiting(model)
    return Coverage(model.key, passages, max(0, passages - left.passages), left.stuck)
