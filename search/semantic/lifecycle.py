"""Embedding models come, are switched on, and go."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from search.providers.protocols import EmbeddingModelSpec
from search.semantic import batches, partitions
from search.semantic.models import EmbeddingModel, SearchSettings


class ModelInUse(Exception):
    """The model is the one that search uses; another must be switched on first."""


@transaction.atomic
def create(spec: EmbeddingModelSpec) -> EmbeddingModel:
    """The model of ``spec``; a new one with an empty table, every passage waiting for its vector, where there is none
    yet.
    """
    model, made = EmbeddingModel.objects.get_or_create(key=spec.key, defaults=asdict(spec))
    if made:
        partitions.create(model)
        batches.enqueue_all(model)
    return model


def activate(model: EmbeddingModel) -> None:
    """Make search use ``model`` from the commit on. Each search sees one state: it runs through with the model it
    began with.
    """
    SearchSettings.objects.update_or_create(defaults={"active_model": model})


def deactivate() -> None:
    """Search by words only."""
    SearchSettings.objects.update(active_model=None)


@transaction.atomic
def drop(model: EmbeddingModel) -> None:
    """Drop ``model``, its vectors and what waits for them.

    Raises:
        ModelInUse: it is the active one.
    """
    if SearchSettings.objects.select_for_update().filter(active_model=model).exists():
        raise ModelInUse(f"{model.key} is active; activate another model first, or none.")
    partitions.drop(model)
    model.batches.all().delete()
    model.delete()
