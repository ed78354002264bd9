"""How inexact may the index be? Measured on this library, with real queries, for each share that a filter may leave.

For a filter that leaves a share of the library, ``ef_search`` has to be larger: of the neighbours that the graph
leads to only that share counts. Filters are sets of whole editions, as real ones are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from django.db import transaction
from django.utils import timezone

from library.models import Edition, Section
from search.constants import CANDIDATES
from search.filters import EditionSet
from search.mean_texts import DATA
from search.providers.protocols import Embedder, Floats
from search.query_language import Query
from search.semantic import partitions
from search.semantic.active import EXACT_UP_TO, MOST_CANDIDATES, ActiveModel, Band, model_for
from search.semantic.arm import SemanticArm
from search.semantic.models import EmbeddingModel

#: The recall that an index must have of the 24 nearest, over all queries of a band.
WANTED = 0.99
#: Shares of the library that are measured, as far as they are more than is compared anyway.
SHARES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
#: Numbers of candidates that are tried.
EFS = (40, 60, 80, 100, 140, 200, 280, 400, 560, 800, 1000, 1400, 2000, 2800, MOST_CANDIDATES)
#: An index is large enough when each band reaches the recall by this ef.
GOOD_EF = 1000
#: Neighbours a node that are tried, smallest first.
SIZES = (16, 24, 32)
QUERIES = 200

Say = Callable[[str], object]


#: Passages of equal text have equal vectors, and any of them is as near as the other.
TIE = 1e-6


@dataclass(frozen=True)
class Question:
    """A query's vector, how many passages there are to find, and the cosine that the last of them has."""

    vector: Floats
    count: int
    least: float


def tune(model: EmbeddingModel, embedder: Embedder, sizes: Sequence[int] = SIZES, say: Say = lambda line: None) -> None:
    """Find the smallest index, and for each band the smallest ef, that reach the recall; store both on ``model``.

    Of ``sizes`` the first is taken with which every band reaches it by ``GOOD_EF``, or the last. Search goes on
    meanwhile.
    """
    vectors = [embedder.embed_query(text) for text in real_queries()]
    truth = {share: truth_of(model, editions, vectors) for share, editions in _bands(model)}
    for m in sizes:
        partitions.build_index(model, m)
        bands = [_measure(model, share, *truth[share], m, say) for share in truth]
        if all(band.ef is not None and band.ef <= GOOD_EF for band in bands):
            break
    model.bands = [asdict(band) for band in bands] if truth else []
    model.tuned_at = timezone.now()
    model.save(update_fields=["bands", "tuned_at"])


def real_queries() -> list[str]:
    """Two hundred: our questions in both languages, and headings of the library's books."""
    asked = [
        line.strip()
        for language in ("ar", "en")
        for line in (DATA / f"questions.{language}.txt").read_text("utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    headings = Section.objects.filter(title__contains=" ").order_by("pk").values_list("title", flat=True)
    wanted = max(0, QUERIES - len(asked))
    count = headings.count()
    return (asked + [headings[place * count // wanted] for place in range(min(wanted, count))])[:QUERIES]


def _bands(model: EmbeddingModel) -> Iterator[tuple[float, EditionSet]]:
    """Shares for which the index is asked, each with editions that make about so much of the library."""
    sizes = list(Edition.objects.filter(passage_count__gt=0).order_by("pk").values_list("pk", "passage_count"))
    everything = sum(size for _, size in sizes)
    random.Random(1).shuffle(sizes)  # noqa: S311  the same choice every time
    for share in SHARES:
        if share * everything <= EXACT_UP_TO:
            continue
        chosen, held = set[int](), 0
        for edition, size in sizes:
            if held + size <= share * everything * 1.05:
                chosen.add(edition)
                held += size
        if share == 1.0:
            yield share, EditionSet()
        elif held > EXACT_UP_TO and held >= share * everything * 0.7:
            yield share, EditionSet(only=frozenset(chosen))


def truth_of(
    model: EmbeddingModel, editions: EditionSet, vectors: Sequence[Floats]
) -> tuple[EditionSet, list[Question]]:
    """What a search of ``editions`` for each of ``vectors`` should find."""
    state = state_of(model, editions)
    questions = []
    for vector in vectors:
        rows = SemanticArm(state, vector).compare_all(_ANY, editions, frozenset(), CANDIDATES)
        questions.append(Question(vector, len(rows), min((cosine for _, cosine in rows), default=0.0)))
    return editions, questions


def _measure(
    model: EmbeddingModel, share: float, editions: EditionSet, questions: Sequence[Question], m: int, say: Say
) -> Band:
    state = state_of(model, editions)
    for ef in EFS:
        reached = recall(state, editions, questions, ef)
        say(f"m {m}, {share:.0%} of the library, ef {ef}: recall {reached:.4f}")
        if reached >= WANTED:
            return Band(share, ef)
    return Band(share, None)


def recall(state: ActiveModel, editions: EditionSet, questions: Sequence[Question], ef: int) -> float:
    """The share of the truly nearest that the index gives with ``ef``, over all ``questions``."""
    found = wanted = 0
    for question in questions:
        with transaction.atomic():
            rows = SemanticArm(state, question.vector).ask_index(_ANY, editions, frozenset(), CANDIDATES, ef)
        found += sum(cosine >= question.least - TIE for _, cosine in rows)
        wanted += question.count
    return found / wanted if wanted else 1.0


def state_of(model: EmbeddingModel, editions: EditionSet) -> ActiveModel:
    """``model`` as a search of ``editions`` sees it, its index believed."""
    return replace(model_for(model, editions), has_index=True)


_ANY = Query("", (), "")
