"""Write editions into the index: new segments and lexemes, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from numpy.typing import NDArray

from library.arabic import FOLD_VERSION
from library.models import Edition, Passage
from search.database import copy_binary
from search.lexical.blocks import Postings, row_id, signed
from search.lexical.building import BUILD_SIZE, SegmentBuilder
from search.models import IndexedEdition, PassageLexemes, Segment, SegmentRun

#: Passages read from the database at a time.
READ_AT_ONCE = 500


def index_edition(edition: Edition) -> None:
    """Make search show the passages that ``edition`` has now: what ``library.ports.edition_saved`` calls."""
    index_editions([edition.pk])


@transaction.atomic
def index_editions(edition_ids: Iterable[int]) -> int:
    """Index editions anew into as few segments as hold them, and return how many passages that were.

    Their older generations are dead from the commit on. The editions are locked, so that no import slips between
    reading their text and naming it the one to show.
    """
    ids = sorted(set(edition_ids))
    locked = list(Edition.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    PassageLexemes.objects.filter(edition__in=locked)._raw_delete("default")
    generations: dict[int, int] = {}
    counts: dict[int, int] = dict.fromkeys((edition.pk for edition in locked), 0)
    builder = SegmentBuilder()
    for edition in locked:
        for passages in _passages(edition):
            if len(builder) + len(passages) > BUILD_SIZE:
                _write(builder, generations)
                builder = SegmentBuilder()
            _add(builder, edition.pk, passages)
            counts[edition.pk] += len(passages)
    if len(builder):
        _write(builder, generations)
    _name_live(counts, generations)
    return sum(counts.values())


@transaction.atomic
def index_next_missing() -> int:
    """Index the next editions that are not indexed under the present folding, about ``BUILD_SIZE`` passages of them.

    Returns how many passages that were; 0: none is missing. Several workers take different editions.
    """
    current = IndexedEdition.objects.filter(edition=OuterRef("pk"), fold_version=FOLD_VERSION)
    passages = Passage.objects.filter(edition=OuterRef("pk"))
    missing = Edition.objects.filter(~Exists(current), Exists(passages)).order_by("pk")
    chosen: list[int] = []
    size = 0
    for pk, count in missing.select_for_update(no_key=True, skip_locked=True).values_list("pk", "passage_count")[:500]:
        if chosen and size + count > BUILD_SIZE:
            break
        chosen.append(pk)
        size += count
    return index_editions(chosen) if chosen else 0


def _passages(edition: Edition) -> Iterator[list[tuple[UUID, int, str]]]:
    """Ids, sequence numbers and texts, ``READ_AT_ONCE`` at a time."""
    rows = Passage.objects.in_edition(edition).values_list("id", "sequence_number", "text")
    passages = rows.iterator(chunk_size=READ_AT_ONCE)
    while some := list(islice(passages, READ_AT_ONCE)):
        yield some


def _add(builder: SegmentBuilder, edition_id: int, passages: list[tuple[UUID, int, str]]) -> None:
    """Add passages to a segment and store their lexemes, which PostgreSQL indexes while the next ones are read.

    A tsvector travels as the bytes PostgreSQL itself would send.
    """
    copy_binary(
        "search_passagelexemes (passage_id, edition_id, sequence_number, fold_version, tsv)",
        ("uuid", "int4", "int4", "int2", "bytea"),
        (
            (
                passage_id,
                edition_id,
                sequence_number,
                FOLD_VERSION,
                builder.tsvector(builder.add(edition_id, sequence_number, passage_id, text)),
            )
            for passage_id, sequence_number, text in passages
        ),
    )


def _write(builder: SegmentBuilder, generations: dict[int, int]) -> None:
    """Store a built segment; editions that begin in it take its id for their generation."""
    segment = store_segment(b"".join(builder.passage_ids), builder.lengths(), builder.postings(), FOLD_VERSION)
    SegmentRun.objects.bulk_create(
        SegmentRun(
            segment=segment,
            start=run.start,
            count=run.count,
            edition_id=run.edition_id,
            generation=generations.setdefault(run.edition_id, segment.pk),
            first_sequence=run.first_sequence,
        )
        for run in builder.runs
    )


def store_segment(passage_ids: bytes, lengths: NDArray[np.uint16], postings: Postings, fold_version: int) -> Segment:
    """Write a segment with its postings; its runs are the caller's."""
    bits = postings.block_bits()
    segment = Segment.objects.create(
        passage_count=len(lengths),
        word_count=int(lengths.sum(dtype=np.int64)),
        fold_version=fold_version,
        block_bits=bits,
        passage_ids=passage_ids,
        lengths=lengths.astype("<u2").tobytes(),
    )
    copy_binary(
        "search_postingblock (id, data)",
        ("int8", "bytea"),
        ((row_id(segment.pk, number), data) for number, data in postings.blocks(bits)),
    )
    copy_binary(
        "search_largeposting (id, term, passage_count, data)",
        ("int8", "int8", "int4", "bytea"),
        (
            (row_id(segment.pk, number), signed(term), count, data)
            for number, (term, count, data) in enumerate(postings.large(len(lengths)))
        ),
    )
    return segment


def _name_live(counts: dict[int, int], generations: dict[int, int]) -> None:
    """Name each edition's generation; one that has no passage any more is indexed no longer."""
    IndexedEdition.objects.filter(edition__in=[pk for pk in counts if pk not in generations]).delete()
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO search_indexededition (edition_id, generation, fold_version, passage_count, indexed_at)"
            " VALUES (%s, %s, %s, %s, now())"
            " ON CONFLICT (edition_id) DO UPDATE SET generation = excluded.generation,"
            " fold_version = excluded.fold_version, passage_count = excluded.passage_count, indexed_at = now()",
            [(pk, generation, FOLD_VERSION, counts[pk]) for pk, generation in generations.items()],
        )
