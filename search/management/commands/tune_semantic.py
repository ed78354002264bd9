"""``manage.py tune_semantic``: how large the index has to be, and how hard to ask it, measured on this library."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.providers.protocols import EmbedderUnavailable, ProviderFailed
from search.semantic.embedders import embedder_of
from search.semantic.models import EmbeddingModel, SearchSettings
from search.semantic.tuning import SIZES, tune


def _sizes(value: str) -> list[int]:
    sizes = sorted({int(part) for part in value.split(",")})
    if not sizes or not 2 <= sizes[0] <= sizes[-1] <= 100:
        raise argparse.ArgumentTypeError("numbers from 2 to 100, with commas between them")
    return sizes


class Command(BaseCommand):
    """Once after the first filling, and again when the library has grown to twice its size."""

    help = (
        "Find the smallest m and ef_search with recall@24 of .99 for each share of the library that a filter may "
        "leave, on 200 real queries, and store them with the model. Search goes on meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare which model and which sizes."""
        parser.add_argument("key", nargs="?", help="the model; the active one when left out")
        parser.add_argument(
            "--m", type=_sizes, default=list(SIZES), metavar="M,M", help="sizes of the index to try, smallest first"
        )

    def handle(self, *, key: str | None, m: list[int], **options: Any) -> None:
        """Measure, store, say what came of it."""
        model = EmbeddingModel.objects.filter(key=key).first() if key else SearchSettings.model_in_use()
        if model is None:
            raise CommandError(f"There is no model {key!r}." if key else "No model is active.")
        embedder = embedder_of(model.key)
        if embedder is None:
            raise CommandError(f"{model.key} has no embedder here: it was made under other settings.")
        try:
            tune(model, embedder, m, self.stdout.write)
        except (EmbedderUnavailable, ProviderFailed) as reason:
            raise CommandError(str(reason)) from reason
        for band in model.bands:
            how = f"ef {band['ef']}" if band["ef"] else "all compared"
            self.stdout.write(f"m {model.hnsw_m}, down to {band['share']:.0%} of the library: {how}")
        if not model.bands:
            self.stdout.write("The library is so small that all vectors are compared.")
