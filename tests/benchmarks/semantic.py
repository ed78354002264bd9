"""The vector index beside an exact scan and hnswlib at the same recall: one run, ratios printed.

    python -m tests.benchmarks.semantic [FOLDER…] [--passages 200000]

FOLDERs are judged sets whose passages are embedded (a quarter of an hour the first time; kept on disk); without any,
the hadiths of the demo library. First the index over these real vectors alone is asked at each ef. Then vectors drawn
around them fill the library up to ``--passages``; ``tune_semantic``'s code measures it, and each share that a filter
may leave is searched as search does it: recall@24 against every vector compared in numpy, and the time of a whole
statement beside an exact scan and beside hnswlib (``pip install chroma-hnswlib``; left out where it is not installed)
with the smallest ef that gives it the same recall. Queries are real ones: ``search.semantic.tuning.real_queries``
and, where FOLDERs have them, their own.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
import numpy as np

K = 24
QUERIES = 200
SHARES = (1.0, 0.5, 0.1, 0.01, 0.001)
EFS = (24, 40, 60, 80, 100, 140, 200, 280, 400, 560, 800, 1000)


def main() -> None:
    """Build, ask, print; the database is dropped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--real", type=int, default=12_000, help="real vectors at most")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")
    django.setup()
    from search.providers.choice import local_embedder
    from tests.benchmarks.vectors import drawn_around, embedded, real_texts

    texts = real_texts(options.folders)
    texts = texts[:: max(1, len(texts) // options.real)][: options.real]
    real = embedded(texts)
    asked = questions(options.folders)
    queries = np.array([local_embedder().embed_query(text) for text in asked])
    print(f"{len(real):,} real vectors of {real.shape[1]} dimensions, {len(queries)} real queries; K = {K}")
    with database("real"):
        over_real_vectors(real, queries)
    with database("drawn"):
        over_drawn_vectors(drawn_around(real, options.passages), queries)


def questions(folders: list[Path]) -> list[str]:
    """Two hundred queries: our questions, then those of the sets in turn."""
    from search.evaluation import judged_sets
    from search.semantic.tuning import real_queries

    own = [list(judged_sets.read(folder).queries.values()) for folder in folders]
    more = [text for row in zip(*own, strict=False) for text in row]
    return list(dict.fromkeys([*real_queries(), *more]))[:QUERIES]


@contextmanager
def database(name: str) -> Iterator[None]:
    """A database of our own."""
    from django.db import connection

    old = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"bench_semantic_{name}"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(old, verbosity=0)


# -- real vectors -----------------------------------------------------------------------------------------------------


def over_real_vectors(real: Any, queries: Any) -> None:
    """Recall of the index at each ef, although so few are compared anyway."""
    from search.filters import EditionSet
    from search.semantic import partitions
    from search.semantic.models import EmbeddingModel
    from search.semantic.tuning import recall, state_of, truth_of
    from tests.benchmarks.vectors import store

    store(real)
    model = EmbeddingModel.objects.get()
    partitions.build_index(model)
    editions, asked = truth_of(model, EditionSet(), list(queries))
    figures = [(ef, recall(state_of(model, editions), editions, asked, ef)) for ef in EFS]
    print(f"\nreal vectors alone, m {model.hnsw_m}: " + ", ".join(f"ef {ef} {value:.4f}" for ef, value in figures))


# -- drawn vectors ----------------------------------------------------------------------------------------------------


def over_drawn_vectors(vectors: Any, queries: Any) -> None:
    """Tune, then search every share as search does it, beside the others."""
    from search.providers.choice import local_embedder
    from search.semantic.models import EmbeddingModel
    from search.semantic.tuning import tune
    from tests.benchmarks.vectors import store

    store(vectors)
    model = EmbeddingModel.objects.get()
    start = time.perf_counter()
    tune(model, local_embedder())
    spent = time.perf_counter() - start
    print(f"\n{len(vectors):,} vectors drawn around the real ones; built and tuned in {spent:.0f} s: m {model.hnsw_m},")
    print("  " + ", ".join(f"down to {band['share']:.0%} ef {band['ef']}" for band in model.bands))
    print("\n| share | matching | how | recall@24 | ms p50 | exact scan ms | ratio | hnswlib ms | its recall | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    stored, asked = halved(vectors), halved(queries)
    other = hnswlib_index(stored, model.hnsw_m)
    for share in SHARES:
        row(share, stored, asked, other)


def row(share: float, vectors: Any, queries: Any, other: Any) -> None:
    """One share of the library: editions picked at random."""
    from search.filters import EditionSet
    from search.query_language import Query
    from search.semantic.active import active_model
    from search.semantic.arm import SemanticArm
    from tests.benchmarks.vectors import EDITION

    editions = (len(vectors) + EDITION - 1) // EDITION
    picked = np.random.default_rng(3).permutation(editions)[: max(1, round(share * editions))] + 1
    allowed = EditionSet() if share == 1.0 else EditionSet(only=frozenset(picked.tolist()))
    matching = np.flatnonzero(np.isin(np.arange(len(vectors)) // EDITION + 1, picked))
    everything = Query("", (), "")
    model = active_model(allowed)
    assert model is not None
    truth = [nearest(vectors, matching, query) for query in queries]

    def search(query: Any) -> Any:
        return SemanticArm(model, query).candidates(everything, allowed, frozenset(), K).ranked

    def scan(query: Any) -> Any:
        return SemanticArm(model, query).compare_all(everything, allowed, frozenset(), K)

    ours, exact = timed(search, queries), timed(scan, queries)
    reached = recall(vectors, [[passage.int - 1 for passage, _ in found] for found in ours[1]], queries, truth)
    theirs = at_recall(other, vectors, matching, queries, truth, reached)
    how = "index" if model.ef else "all compared"
    cells = [f"{share:.1%}", f"{len(matching):,}", how, f"{reached:.4f}", f"{ours[0]:.1f}", f"{exact[0]:.1f}"]
    cells += [f"{ours[0] / exact[0]:.2f}"]
    cells += [f"{theirs[0]:.1f}", f"{theirs[1]:.4f}", f"{ours[0] / theirs[0]:.1f}"] if theirs else ["", "", ""]
    print("| " + " | ".join(cells) + " |", flush=True)


def timed(ask: Callable[[Any], Any], queries: Any) -> tuple[float, list[Any]]:
    """The median milliseconds of a statement in a transaction of its own, and the answers."""
    from search.database import snapshot

    spent, answers = [], []
    for query in [*queries[:10], *queries]:
        start = time.perf_counter()
        with snapshot():
            answers.append(ask(query))
        spent.append((time.perf_counter() - start) * 1000)
    return float(np.median(spent[10:])), answers[10:]


def halved(vectors: Any) -> Any:
    """As they are stored and asked for: in half precision, then of length 1."""
    stored = vectors.astype(np.float16).astype(np.float32)
    return stored / np.linalg.norm(stored, axis=-1, keepdims=True)


def nearest(vectors: Any, matching: Any, query: Any) -> float:
    """The cosine of the 24th nearest of the matching vectors."""
    likeness = (vectors @ query)[matching]
    return float(np.partition(likeness, -min(K, len(likeness)))[-min(K, len(likeness))])


def recall(vectors: Any, found: list[Any], queries: Any, least: list[float]) -> float:
    """The share of answers (numbers of vectors) that are as near as the 24th nearest is, but for single precision."""
    near = [
        (vectors[numbers] @ query >= limit - 1e-6).sum() / K
        for numbers, query, limit in zip(found, queries, least, strict=True)
    ]
    return float(np.mean(near))


# -- hnswlib ----------------------------------------------------------------------------------------------------------


def hnswlib_index(vectors: Any, m: int) -> Any:
    """The same vectors in hnswlib's index with the same m, in memory; None where it is not installed."""
    try:
        import hnswlib
    except ImportError:
        return None
    from search.semantic.partitions import EF_CONSTRUCTION

    index = hnswlib.Index(space="ip", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), M=m, ef_construction=EF_CONSTRUCTION)
    index.add_items(vectors, num_threads=-1)
    index.set_num_threads(1)
    return index


def at_recall(
    index: Any, vectors: Any, matching: Any, queries: Any, truth: list[float], wanted: float
) -> tuple[float, float] | None:
    """hnswlib's median milliseconds and recall with the smallest ef that reaches ``wanted``, or .99 if that is less."""
    if index is None:
        return None
    allowed = None if len(matching) == len(vectors) else set(matching.tolist())
    for ef in EFS:
        index.set_ef(ef)
        try:
            spent, answers = timed(lambda query: ask_hnswlib(index, query, allowed), queries)
        except RuntimeError:  # fewer than 24 found
            continue
        reached = recall(vectors, answers, queries, truth)
        if reached >= min(wanted, 0.99):
            return spent, reached
    return None


def ask_hnswlib(index: Any, query: Any, allowed: set[int] | None) -> Any:
    """The numbers of the nearest."""
    if allowed is None:
        return index.knn_query(query, k=K)[0][0]
    return index.knn_query(query, k=K, filter=allowed.__contains__)[0][0]


if __name__ == "__main__":
    main()
