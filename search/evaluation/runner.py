"""A judged set through the arms: indexed in a scratch database by the product's own code, asked, measured."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from typing import TypeVar
from uuid import UUID

from django.db import connection, transaction
from tqdm import tqdm

from library.models import Author, Book, Edition, Genre, Passage
from library.ports import edition_saved
from search.evaluation.arms import MeasuredArm
from search.evaluation.judged_sets import JudgedSet
from search.evaluation.metrics import DEPTH, mean, measure
from search.evaluation.scratch import scratch_database
from search.lexical.merging import merge_once

#: Passages written at a time.
WRITE_AT_ONCE = 2_000

#: Queries asked before time is taken, so that what is read once a process is read.
WARM_UP = 10


@dataclass
class Measured:
    """What an arm is worth on a set: means over the judged queries, and the median of the milliseconds of a query."""

    measures: dict[str, float]
    ms: float
    by_query: dict[str, dict[str, float]] = field(repr=False)

    def as_json(self) -> dict[str, float]:
        """The measures and ``ms``, rounded to what means something."""
        return {name: round(value, 5) for name, value in self.measures.items()} | {"ms": round(self.ms, 3)}


@contextmanager
def indexed(judged: JudgedSet, *, show_progress: bool = False) -> Iterator[list[str]]:
    """A scratch database that holds the set's corpus; gives the ids of its documents, by place (see ``passage_id``).

    Raises:
        MalformedSet: a line of the corpus is not in the format.
        NoScratchDatabase: the server does not let us.
    """
    with scratch_database():
        ids = _store(judged, show_progress)
        while merge_once():
            pass
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        yield ids


def run(judged: JudgedSet, ids: list[str], arm: MeasuredArm, *, show_progress: bool = False) -> Measured:
    """Ask an arm every judged query of the set that ``indexed`` stored, one after the other.

    Raises:
        ArmUnavailable: the arm cannot be made ready.
    """
    arm.prepare(show_progress=show_progress)
    queries = judged.judged
    for text in islice(queries.values(), WARM_UP):
        arm.rank(text, DEPTH)
    arm.degraded.clear()
    by_query: dict[str, dict[str, float]] = {}
    spent: list[float] = []
    for query, text in _progress(queries.items(), " queries", show_progress):
        start = time.perf_counter()
        found = arm.rank(text, DEPTH)
        spent.append(time.perf_counter() - start)
        by_query[query] = measure([ids[passage.int] for passage in found], judged.grades[query])
    return Measured(mean(by_query.values()), median(spent) * 1000 if spent else 0.0, by_query)


def passage_id(place: int) -> UUID:
    """The id of the passage that holds the document at a place of the corpus; its ``int`` is the place."""
    return UUID(int=place)


def unjudged(judged: JudgedSet, ids: list[str]) -> Mapping[str, int]:
    """What of the set cannot take part, and how much of it."""
    known = set(ids)
    named = [passage for grades in judged.grades.values() for passage in grades]
    return {
        "queries without a relevant passage": len(judged.queries) - len(judged.judged),
        "judged queries that are not in the set": len(judged.grades.keys() - judged.queries.keys()),
        "judgements of passages that are not in the corpus": sum(passage not in known for passage in named),
    }


@transaction.atomic
def _store(judged: JudgedSet, show_progress: bool) -> list[str]:
    """One edition whose passages are the documents as they are, saved as an import saves one."""
    author = Author.objects.create(id=1, slug="corpus", name_en=judged.name)
    book = Book.objects.create(
        id=UUID(int=1), slug="corpus", title_en="corpus", author=author, genre=Genre.objects.earliest("id")
    )
    edition = Edition.objects.create(id=1, book=book, source="judged", is_default=True)
    ids: list[str] = []
    documents = iter(_progress(judged.documents(), " passages", show_progress))
    while batch := list(islice(documents, WRITE_AT_ONCE)):
        Passage.objects.bulk_create(
            Passage(id=passage_id(place), edition=edition, sequence_number=place, text=_storable(document.text))
            for place, document in enumerate(batch, start=len(ids))
        )
        ids += [document.id for document in batch]
    edition.passage_count = edition.passages_issued = len(ids)
    edition.save(update_fields=["passage_count", "passages_issued"])
    edition_saved(edition)
    return ids


T = TypeVar("T")


def _progress(things: Iterable[T], unit: str, show: bool) -> Iterable[T]:
    """The things, with a bar where there is a terminal to draw it."""
    bar: Iterable[T] = tqdm(things, unit=unit, leave=False, disable=None if show else True)
    return bar


def _storable(text: str) -> str:
    """The text without what PostgreSQL has no place for: NUL, and half a surrogate pair."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
