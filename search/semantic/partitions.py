"""The table of a model's vectors, and the index over it.

A partition stands under its own name, and search and the worker read and write it by that name: a lock on the parent,
as when another model is made or dropped, keeps none of them waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from psycopg import sql

from search.semantic.models import EmbeddingModel

#: First key of the advisory locks of index builds; the second is the model.
LOCK = 0x51414649
#: Candidates looked at when a passage is put into the index. Queries lie apart from passages (a query's nearest passage
#: is at .69, a passage's at .83), so the graph has to be good: at the default of 64 recall@24 is lower by a tenth.
EF_CONSTRUCTION = 256
#: Memory for a build. The graph of 200,000 vectors of 384 dimensions at m = 16 takes half of it; past it a build is
#: slow.
BUILD_MEMORY = "512MB"


def name_of(model: EmbeddingModel) -> sql.Identifier:
    """The partition's name, for statements."""
    return sql.Identifier(model.table)


def create(model: EmbeddingModel) -> None:
    """Make the empty table of ``model``; in the caller's transaction.

    The table is made beside and attached, which keeps nobody from the other partitions. Vectors stay in their row,
    also those of more than two kilobytes: an exact scan reads them all.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(
                "CREATE TABLE {table} (LIKE search_passageembedding INCLUDING DEFAULTS INCLUDING CONSTRAINTS);"
                "ALTER TABLE {table} ALTER COLUMN vector SET STORAGE PLAIN;"
                "ALTER TABLE search_passageembedding ATTACH PARTITION {table} FOR VALUES IN ({key});"
                "CREATE INDEX ON {table} (edition_id)"
            ).format(table=name_of(model), key=sql.Literal(model.pk))
        )


def drop(model: EmbeddingModel) -> None:
    """Drop the table of ``model`` with all its vectors."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(name_of(model)))


def build_index(model: EmbeddingModel, m: int | None = None) -> bool:
    """Build the index with ``m`` neighbours a node (those of the row when None) and drop any other; nobody waits
    meanwhile.

    What a killed build left behind goes first. Returns False when another process is building. In a transaction of the
    caller's it is built in the ordinary way, which keeps writers waiting.
    """
    m = model.hnsw_m if m is None else m
    with _only_one(model) as mine:
        if not mine:
            return False
        for name, valid in indexes(model).items():
            if not valid:
                _drop_index(name)
        name = f"{model.table}_hnsw_{m}"
        if name not in indexes(model):
            _build(model, name, m)
        for other in indexes(model):
            if other != name:
                _drop_index(other)
    EmbeddingModel.objects.filter(pk=model.pk).update(has_index=True, hnsw_m=m)
    model.has_index, model.hnsw_m = True, m
    return True


def indexes(model: EmbeddingModel) -> dict[str, bool]:
    """The names of the vector indexes of ``model``, and whether each is whole."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'hnsw' AND i.indrelid = to_regclass(%s)",
            [model.table],
        )
        return dict(cursor.fetchall())


def _build(model: EmbeddingModel, name: str, m: int) -> None:
    build = sql.SQL(
        "CREATE INDEX {concurrently} {name} ON {table}"
        " USING hnsw ((vector::halfvec({dimension})) halfvec_cosine_ops) WITH (m = {m}, ef_construction = {ef})"
    ).format(
        concurrently=_concurrently(),
        name=sql.Identifier(name),
        table=name_of(model),
        dimension=sql.Literal(model.dimension),
        m=sql.Literal(m),
        ef=sql.Literal(max(EF_CONSTRUCTION, 2 * m)),
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
        try:
            cursor.execute(build)
            cursor.execute(sql.SQL("ANALYZE {}").format(name_of(model)))
        finally:
            cursor.execute("RESET maintenance_work_mem")


def _drop_index(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX {} IF EXISTS {}").format(_concurrently(), sql.Identifier(name)))


def _concurrently() -> sql.SQL:
    return sql.SQL("" if connection.in_atomic_block else "CONCURRENTLY")


@contextmanager
def _only_one(model: EmbeddingModel) -> Iterator[bool]:
    """Whether no other process builds for ``model``; held by the session, since a build is no transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK, model.pk])
        mine = bool(cursor.fetchone()[0])
        try:
            yield mine
        finally:
            if mine:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK, model.pk])
