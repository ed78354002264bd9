"""The lexical arm beside tantivy and bm25s: one run, the same texts and queries, ratios printed.

    python -m tests.benchmarks.lexical --passages 200000

builds all three (Qaf in a database of its own, dropped afterwards unless ``--keep``), asks each query of each engine in
turn, so that whatever else the machine does falls on all alike, then lets 32 threads ask. Texts come from
``tests.benchmarks.zipf``.
Times are of one whole question: parsing, and for Qaf the transaction, every statement and the passages' ids.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from tests.benchmarks.zipf import Library, passage_id

K = 24
EDITION = 800
THREADS = 32
Ask = Callable[[str], list[int]]


@dataclass
class Engine:
    """A way to ask, and what was measured of it."""

    name: str
    ask: Ask
    build_seconds: float = 0.0
    index_bytes: int = 0
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    threaded: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)


# -- the engines ------------------------------------------------------------------------------------------------------


def build_tantivy(library: Library, folder: Path) -> Engine:
    """Words only, frequencies indexed, no positions, nothing stored but the number."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(256_000_000, 1)
    start = time.perf_counter()
    for number, text in enumerate(library.texts()):
        writer.add_document(tantivy.Document(number=number, body=text))
    writer.commit()
    writer.wait_merging_threads()
    spent = time.perf_counter() - start
    index.reload()
    searcher = index.searcher()

    def ask(query: str) -> list[int]:
        found = searcher.search(index.parse_query(query, ["body"]), K).hits
        return [searcher.doc(address)["number"][0] for _, address in found]

    size = sum(file.stat().st_size for file in folder.iterdir())
    return Engine("tantivy", ask, spent, size)


def build_bm25s(library: Library) -> Engine:
    """Everything in memory, scores computed beforehand."""
    import bm25s

    start = time.perf_counter()
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in library.texts()]
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index((ids, numbers), show_progress=False)
    del ids
    spent = time.perf_counter() - start

    def ask(query: str) -> list[int]:
        words = list(dict.fromkeys(query.split()))
        found, _ = index.retrieve([words], k=K, show_progress=False)
        return [int(number) for number in found[0]]

    size = sum(array.nbytes for array in index.scores.values() if isinstance(array, np.ndarray))
    return Engine("bm25s", ask, spent, size)


def build_qaf(library: Library) -> Iterator[Engine]:
    """Words alone, which is what the others index, and words with stems, which is what search asks for."""
    from django.db import connection

    from search.constants import Weights
    from search.database import snapshot
    from search.filters import EditionSet
    from search.lexical.arm import LexicalArm
    from search.query_language import parse

    start = time.perf_counter()
    if not _is_built(library):
        _fill(library)
    spent = time.perf_counter() - start

    def asking(weights: Weights) -> Ask:
        arm = LexicalArm(weights)

        def ask(query: str) -> list[int]:
            with snapshot():
                found = arm.candidates(parse(query), EditionSet(), frozenset(), K)
            return [passage.int - 1 for passage, _ in found.ranked]

        return ask

    with connection.cursor() as cursor:
        tables = "search_segment", "search_postingblock", "search_largeposting"
        cursor.execute("SELECT sum(pg_total_relation_size(name)) FROM unnest(%s::regclass[]) AS name", [list(tables)])
        size = int(cursor.fetchone()[0])
    yield Engine("qaf words", asking(Weights(k1=1.2, b=0.75, word=1, stem=0)), spent, size)
    yield Engine("qaf both", asking(Weights()), spent, size)


def _is_built(library: Library) -> bool:
    from django.db.models import Sum

    from search.models import Segment

    return bool(Segment.objects.aggregate(all=Sum("passage_count"))["all"] == library.passages)


def _fill(library: Library) -> None:
    """Write full segments without catalogue rows and texts.

    Words are counted by their numbers, not read from texts one by one: the same index, a test by the way, in a tenth of
    the time. How fast real imports are is another benchmark's business (``import_rate``).
    """
    from django.db import connection, transaction

    from search.constants import SEGMENT_SIZE
    from tests.factories import BookFactory, EditionFactory

    numbered = _Numbered(library)
    book = BookFactory.create()
    for number in range(library.passages // EDITION + 1):
        EditionFactory.create(id=number + 1, book=book, is_default=number == 0)
    for first in range(0, library.passages, SEGMENT_SIZE):
        with transaction.atomic():
            _store(first, *numbered.segment(first, min(SEGMENT_SIZE, library.passages - first)))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


class _Numbered:
    """A library's words, stems and hashes by number."""

    def __init__(self, library: Library) -> None:
        from library.arabic import STEM_MARK, light_stem
        from search.lexical.blocks import term_hash

        self.library = library
        stems: dict[str, int] = {}
        self.stem_of = np.array([stems.setdefault(STEM_MARK + light_stem(word), len(stems)) for word in library.words])
        self.hashes = np.array([term_hash(term) for layer in (library.words, stems) for term in layer], np.uint64)
        self._check()

    def segment(self, first: int, count: int) -> tuple[Any, Any]:
        """Lengths and postings of ``count`` passages."""
        from search.lexical.building import count_terms

        words, lengths = self.library.numbers(first, count)
        places = np.repeat(np.arange(count), lengths)
        terms = np.concatenate([words, self.stem_of[words] + len(self.library.words)])
        return lengths, count_terms(terms, np.concatenate([places, places]), self.hashes)

    def _check(self) -> None:
        """The first hundred passages give what an import makes of their texts."""
        from search.lexical.building import SegmentBuilder

        builder = SegmentBuilder()
        for number, text in enumerate(itertools.islice(self.library.texts(), 100)):
            builder.add(1, number, passage_id(number), text)
        lengths, postings = self.segment(0, 100)
        imported = builder.postings()
        assert np.array_equal(builder.lengths(), lengths)
        for name in ("hashes", "counts", "places", "frequencies"):
            assert np.array_equal(getattr(imported, name), getattr(postings, name)), name


def _store(first: int, lengths: Any, postings: Any) -> None:
    from library.arabic import FOLD_VERSION
    from search.lexical.indexing import store_segment
    from search.models import IndexedEdition, SegmentRun

    count = len(lengths)
    ids = b"".join(passage_id(first + place).bytes for place in range(count))
    segment = store_segment(ids, lengths.astype(np.uint16), postings, FOLD_VERSION)
    start = 0
    while start < count:
        edition, sequence = divmod(first + start, EDITION)
        size = min(EDITION - sequence, count - start)
        known, _ = IndexedEdition.objects.get_or_create(
            edition_id=edition + 1,
            defaults={"generation": segment.pk, "fold_version": FOLD_VERSION, "passage_count": size},
        )
        SegmentRun.objects.create(
            segment=segment,
            start=start,
            count=size,
            edition_id=edition + 1,
            generation=known.generation,
            first_sequence=sequence,
        )
        start += size


# -- measuring --------------------------------------------------------------------------------------------------------


def questions(library: Library, count: int) -> dict[str, list[str]]:
    """The kinds of queries that are asked."""
    return {
        "rare": library.rare_queries(count),
        "common": library.common_queries(count),
        "6 words": library.long_queries(6, count // 2),
        "150 words": library.long_queries(150, count // 2),
    }


def one_client(engines: list[Engine], asked: dict[str, list[str]]) -> None:
    """Each query of each engine in turn, after a few to warm up."""
    for kind, queries in asked.items():
        for engine in engines:
            for query in queries[: len(queries) // 5]:
                engine.ask(query)
        for query, engine in itertools.product(queries, engines):
            start = time.perf_counter()
            engine.ask(query)
            engine.milliseconds.setdefault(kind, []).append((time.perf_counter() - start) * 1000)


def many_clients(engine: Engine, asked: dict[str, list[str]]) -> None:
    """Thirty-two threads ask rare and common queries at once; memory is watched meanwhile."""
    from django.db import connection

    process = psutil.Process()
    engine.memory["before"] = process.memory_info().rss / 1e6
    peak = [0.0]
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(0.01):
            peak[0] = max(peak[0], process.memory_info().rss / 1e6)

    def ask(job: tuple[str, str]) -> tuple[str, float]:
        start = time.perf_counter()
        engine.ask(job[1])
        spent = (time.perf_counter() - start) * 1000
        connection.close()
        return job[0], spent

    jobs = [
        (kind, query)
        for pair in zip(asked["rare"], asked["common"], strict=True)
        for kind, query in zip(("rare", "common"), pair, strict=True)
    ]
    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        for kind, spent in pool.map(ask, jobs * 2):
            engine.threaded.setdefault(kind, []).append(spent)
    engine.memory["queries a second"] = len(jobs) * 2 / (time.perf_counter() - start)
    stop.set()
    watcher.join()
    engine.memory["peak"] = peak[0]


def percentile(times: list[float], share: float) -> float:
    """The time that this share of the questions did not exceed."""
    return float(np.percentile(times, share * 100))


def agreement(engine: Engine, other: Engine, queries: list[str]) -> float:
    """The mean share of the first 24 that two engines have in common."""
    shares = []
    for query in queries:
        ours, theirs = set(engine.ask(query)), set(other.ask(query))
        shares.append(len(ours & theirs) / max(1, min(len(ours), len(theirs))))
    return float(np.mean(shares))


def report(engines: list[Engine], passages: int) -> None:
    """Print the tables; every ratio is to tantivy."""
    basis = next((engine for engine in engines if engine.name == "tantivy"), engines[0])
    print(f"\n{passages} passages; milliseconds, in brackets the ratio to {basis.name}")
    for title, times in (("one client", "milliseconds"), (f"{THREADS} threads", "threaded")):
        kinds = list(getattr(basis, times))
        print(f"\n| {title} | " + " | ".join(f"{kind} p50 | p95" for kind in kinds) + " |")
        print("|---" * (1 + 2 * len(kinds)) + "|")
        for engine in engines:
            cells = []
            for kind, share in itertools.product(kinds, (0.5, 0.95)):
                mine = percentile(getattr(engine, times)[kind], share)
                ratio = mine / percentile(getattr(basis, times)[kind], share)
                cells.append(f"{mine:.2f} ({ratio:.2f})")
            print(f"| {engine.name} | " + " | ".join(cells) + " |")
    print(
        "\n| engine | built in s | index MB | RSS before threads MB | peak MB | queries/s |\n|---|---|---|---|---|---|"
    )
    for engine in engines:
        memory = engine.memory
        print(
            f"| {engine.name} | {engine.build_seconds:.0f} | {engine.index_bytes / 1e6:.0f} | {memory['before']:.0f}"
            f" | {memory['peak']:.0f} | {memory['queries a second']:.0f} |"
        )
    for engine in engines:
        if "150 words" in engine.milliseconds:
            long, short = (percentile(engine.milliseconds[kind], 0.5) for kind in ("150 words", "6 words"))
            print(f"{engine.name}: 150 words take {long / short:.2f} times as long as 6 words (p50)")


def main() -> None:
    """Build, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--engines", default="tantivy,bm25s,qaf")
    parser.add_argument("--keep", action="store_true", help="keep Qaf's database for the next run")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")
    import django

    django.setup()
    from django.db import connection

    library = Library(options.passages)
    wanted = options.engines.split(",")
    connection.settings_dict["TEST"]["NAME"] = f"bench_lexical_{options.passages}"
    old_name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, keepdb=options.keep, serialize=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            engines = [build_tantivy(library, Path(folder))] if "tantivy" in wanted else []
            engines += [build_bm25s(library)] if "bm25s" in wanted else []
            engines += list(build_qaf(library)) if "qaf" in wanted else []
            asked = questions(library, options.queries)
            one_client(engines, asked)
            for engine in engines:
                many_clients(engine, asked)
            report(engines, options.passages)
            named = {engine.name: engine for engine in engines}
            if {"bm25s", "qaf words"} <= set(named):
                for kind, queries in asked.items():
                    share = agreement(named["qaf words"], named["bm25s"], queries[:50])
                    print(f"agreement of qaf words with bm25s, {kind}: {share:.4f}")
            if options.json:
                options.json.write_text(json.dumps([vars(engine) | {"ask": None} for engine in engines]))
    finally:
        connection.creation.destroy_test_db(old_name, verbosity=0, keepdb=options.keep)


if __name__ == "__main__":
    main()
