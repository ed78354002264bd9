"""Which passages wait for their vectors: a table of batches, filled by whoever saves an edition, emptied by workers."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now
from psycopg import sql

from library.models import Edition
from search.semantic.models import EmbeddingBatch, EmbeddingModel
from search.semantic.partitions import name_of

#: Passages of a batch: about three seconds of work for the local embedder, which is what a killed worker loses.
BATCH = 32
#: A batch that failed so often is left until someone looks (`index_worker --retry`).
MOST_ATTEMPTS = 10
#: Seconds until a claimed batch may be claimed again, doubled with each attempt up to half an hour: ten attempts
#: outlast two hours without the provider.
RETRY_AFTER, LONGEST_WAIT = 30, 1800

_MISSING = sql.SQL("""
INSERT INTO search_embeddingbatch (model_id, edition_id, passages, attempts, not_before, error)
SELECT %(model)s, edition_id, array_agg(id ORDER BY sequence_number), 0, now(), ''
FROM (
    SELECT p.id, p.edition_id, p.sequence_number, d.is_default,
        (row_number() OVER (PARTITION BY p.edition_id ORDER BY p.sequence_number) - 1) / %(size)s AS piece
    FROM library_passage p
    JOIN library_edition d ON d.id = p.edition_id
    LEFT JOIN {table} e ON e.passage_id = p.id
    WHERE (%(edition)s::integer IS NULL OR p.edition_id = %(edition)s)
        AND (e.passage_id IS NULL OR e.text_md5 <> md5(p.text)::uuid OR e.edition_id <> p.edition_id)
) missing
GROUP BY is_default, edition_id, piece
ORDER BY is_default DESC, edition_id, piece
""")

# What another worker holds is left to it. What failed comes after what was not tried.
_CLAIM = """
UPDATE search_embeddingbatch b
SET attempts = attempts + 1,
    not_before = statement_timestamp() + least(%s * power(2, attempts), %s) * interval '1 second'
WHERE id = (
    SELECT id FROM search_embeddingbatch
    WHERE model_id = %s AND attempts < %s AND not_before <= statement_timestamp()
    ORDER BY attempts, id LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id
"""


@dataclass(frozen=True)
class Waiting:
    """What a model lacks: passages that wait, and those of them whose batches failed too often."""

    passages: int
    stuck: int


def enqueue_edition(edition: Edition) -> None:
    """Have embedded what is new or changed in ``edition``, under every model: what ``library.ports.edition_saved``
    calls.

    What waited of it before is replaced; what a worker has in hand is left to it, for an import must not wait for a
    worker.
    """
    for model in EmbeddingModel.objects.all():
        mine = EmbeddingBatch.objects.filter(model=model, edition_id=edition.pk).select_for_update(skip_locked=True)
        EmbeddingBatch.objects.filter(pk__in=[batch.pk for batch in mine]).delete()
        _enqueue(model, edition.pk)


@transaction.atomic
def enqueue_all(model: EmbeddingModel) -> None:
    """Have every passage embedded that lacks its vector: default editions first, by id, each in reading order."""
    model.batches.all().delete()
    _enqueue(model, None)


def _enqueue(model: EmbeddingModel, edition_id: int | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MISSING.format(table=name_of(model)), {"model": model.pk, "edition": edition_id, "size": BATCH})


def claim(model: EmbeddingModel) -> int | None:
    """Take the next batch and count the attempt, which stays counted if the process dies; None: there is nothing to
    take.

    In a transaction of its own. For a while nobody else can claim it; ``locked`` holds it for good.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [RETRY_AFTER, LONGEST_WAIT, model.pk, MOST_ATTEMPTS])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def locked(batch_id: int) -> list[UUID] | None:
    """The passages of a claimed batch, which this transaction holds from now on; None when another has it or had it."""
    batch = EmbeddingBatch.objects.select_for_update(skip_locked=True).filter(pk=batch_id).first()
    return None if batch is None else list(batch.passages)


def retry_failed() -> int:
    """Let every batch that failed be tried again at once; returns how many."""
    return EmbeddingBatch.objects.filter(attempts__gt=0).update(attempts=0, not_before=Now(), error="")


def waiting(model: EmbeddingModel) -> Waiting:
    """What ``model`` lacks."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(cardinality(passages)), 0),"
            " coalesce(sum(cardinality(passages)) FILTER (WHERE attempts >= %s), 0)"
            " FROM search_embeddingbatch WHERE model_id = %s",
            [MOST_ATTEMPTS, model.pk],
        )
        passages, stuck = cursor.fetchone()
    return Waiting(int(passages), int(stuck))
