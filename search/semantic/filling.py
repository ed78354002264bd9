"""The worker's part: takes batches, embeds, stores; then builds the index and switches the model on.

A batch is claimed in one transaction, which counts the attempt, and worked on in a second, which holds its row: a
worker killed at any moment leaves a batch that counts one attempt more and is free again. Passages are locked, never
waited for, before their vectors are stored: an import that is replacing them must neither wait for a worker nor run
into a deadlock with one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone
from pgvector import HalfVector
from psycopg import sql

from library.models import Passage
from search.providers import choice
from search.providers.protocols import Embedder, EmbedderUnavailable
from search.semantic import lifecycle, partitions
from search.semantic.batches import MOST_ATTEMPTS, claim, locked
from search.semantic.embedders import embedder_of
from search.semantic.models import EmbeddingBatch, EmbeddingModel, SearchSettings

log = logging.getLogger(__name__)

#: Vectors from which on an index is worth its while before the filling is over.
INDEX_FROM = 50_000
#: Seconds that a batch rests whose passages an import holds.
REST = 5
#: Seconds in which an embedder has to answer before a model is made for it.
PROBE_SECONDS = 10.0

_STALE = sql.SQL("""
SELECT p.id, p.edition_id, p.text, md5(p.text)::uuid
FROM library_passage p LEFT JOIN {table} e ON e.passage_id = p.id
WHERE p.id = ANY(%s) AND (e.passage_id IS NULL OR e.text_md5 <> md5(p.text)::uuid OR e.edition_id <> p.edition_id)
ORDER BY p.edition_id, p.sequence_number
""")
_UPSERT = sql.SQL("""
INSERT INTO {table} (passage_id, model_id, edition_id, text_md5, vector)
SELECT row.passage_id, %s, row.edition_id, row.text_md5, row.vector::halfvec
FROM unnest(%s::uuid[], %s::integer[], %s::uuid[], %s::text[]) AS row(passage_id, edition_id, text_md5, vector)
ON CONFLICT (passage_id, model_id)
DO UPDATE SET edition_id = excluded.edition_id, text_md5 = excluded.text_md5, vector = excluded.vector
""")


def ensure_configured() -> EmbeddingModel | None:
    """Make the model of the embedder that the settings ask for and switch it on, where search has none or an older
    make of it.

    An older make has no embedder any more, so waiting for the new one to be full would leave search without meaning.
    A model of another name is somebody's choice: `embedding_model create` begins the next. Returns the model that was
    made.

    Raises:
        EmbedderUnavailable, ProviderFailed: the embedder does not answer; nothing was made.
    """
    embedder = choice.embedder()
    current = SearchSettings.model_in_use()
    if current is not None and (current.name != embedder.name or current.key == embedder.spec.key):
        return None
    embedder.embed_query("قاف", PROBE_SECONDS)
    model = lifecycle.create(embedder.spec)
    lifecycle.activate(model)
    return model


def embed_next(wrap: Callable[[Embedder], Embedder] = lambda embedder: embedder) -> int:
    """Embed one batch of a model whose embedder is at hand, the active one first; returns how many passages it had.

    0: there is nothing to do now. A batch that fails keeps the reason and is tried again later. ``wrap`` may put
    something between the worker and the embedder.

    Raises:
        EmbedderUnavailable: there is no embedder on this machine; nothing is counted as an attempt.
    """
    active = SearchSettings.model_in_use()
    for model in sorted(EmbeddingModel.objects.all(), key=lambda model: (model != active, model.pk)):
        embedder = embedder_of(model.key)
        while embedder is not None and (batch := claim(model)) is not None:
            done = _embed_claimed(model, wrap(embedder), batch)
            if done is not None:
                return done
    return 0


def _embed_claimed(model: EmbeddingModel, embedder: Embedder, batch: int) -> int | None:
    """How many passages the batch had; None when another worker has it."""
    try:
        with transaction.atomic():
            passages = locked(batch)
            if passages is None:
                return None
            complete = _embed(model, embedder, passages)
            _close(batch, complete)
            return len(passages)
    except EmbedderUnavailable:
        EmbeddingBatch.objects.filter(pk=batch).update(attempts=0, not_before=timezone.now())
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        EmbeddingBatch.objects.filter(pk=batch).update(error=reason)
        log.warning("batch %s was not embedded: %s", batch, reason)
        return 0


def _embed(model: EmbeddingModel, embedder: Embedder, passages: Sequence[UUID]) -> bool:
    """Embed those of ``passages`` that lack a vector of their text; whether all could be stored."""
    with connection.cursor() as cursor:
        cursor.execute(_STALE.format(table=partitions.name_of(model)), [list(passages)])
        stale = cursor.fetchall()
    if not stale:
        return True
    vectors = embedder.embed_documents([text for _, _, text, _ in stale])
    free = _lock_free([identity for identity, *_ in stale])
    rows = [
        (identity, edition, digest, HalfVector(vector).to_text())
        for (identity, edition, _, digest), vector in zip(stale, vectors, strict=True)
        if identity in free
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                _UPSERT.format(table=partitions.name_of(model)), [model.pk, *map(list, zip(*rows, strict=True))]
            )
    living = Passage.objects.filter(pk__in=[identity for identity, *_ in stale]).count()
    return len(rows) >= living


def _lock_free(passages: Sequence[UUID]) -> set[UUID]:
    """Keep those of ``passages`` from being deleted until the commit; those that somebody is deleting are not among
    them.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM library_passage WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE SKIP LOCKED", [list(passages)]
        )
        return {identity for (identity,) in cursor.fetchall()}


def _close(batch: int, complete: bool) -> None:
    """A batch that is done goes; one with passages in an import's hands rests."""
    mine = EmbeddingBatch.objects.filter(pk=batch)
    if complete:
        mine.delete()
    else:
        mine.update(attempts=0, not_before=timezone.now() + timedelta(seconds=REST))


def finish_next() -> str:
    """Build the index of a model that is full, or large enough, and switch a full one on; a line about it, "" for
    nothing.
    """
    for model in EmbeddingModel.objects.filter(state=EmbeddingModel.State.FILLING):
        waits = model.batches.filter(attempts__lt=MOST_ATTEMPTS).exists()
        if not model.has_index and (not waits or _vectors(model) >= INDEX_FROM):
            if partitions.build_index(model):
                return f"built the index of {model.key}"
        elif not waits:
            return _finish(model)
    return ""


def _finish(model: EmbeddingModel) -> str:
    """A model is full for the first time: search uses it from now on when the settings ask for it."""
    with transaction.atomic():
        if not EmbeddingModel.objects.filter(pk=model.pk, state=EmbeddingModel.State.FILLING).update(
            state=EmbeddingModel.State.READY
        ):
            return ""
        if model.key == choice.embedder().spec.key:
            lifecycle.activate(model)
    return f"{model.key} is complete"


def _vectors(model: EmbeddingModel) -> int:
    """About how many vectors there are: counted up to ``INDEX_FROM``."""
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("SELECT count(*) FROM (SELECT FROM {} LIMIT %s) AS counted").format(partitions.name_of(model)),
            [INDEX_FROM],
        )
        return int(cursor.fetchone()[0])
