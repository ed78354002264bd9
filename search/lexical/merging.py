"""Merge small segments, and rewrite those that are mostly dead.

One merge is one transaction: readers see the segments before it or the one after it, and never wait. An advisory lock
keeps a second worker out. Imports need no lock: they add segments, and an edition imported anew while its old run is
being moved is dead in the new segment as well, because runs carry their generation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from search.changes import prune
from search.constants import MERGE_AT, SEGMENT_SIZE
from search.database import fetch_binary
from search.lexical.blocks import PLACE_BITS, Postings, decode, read_segment, row_ids
from search.lexical.indexing import store_segment
from search.models import LargePosting, PostingBlock, Segment, SegmentRun

#: Key of the advisory lock ("qaf merge").
LOCK = 0x716166_6D65
#: A segment with a larger share of dead passages is rewritten alone.
DEAD_SHARE = 0.5
#: Fewer than eight segments are merged when together they fill this share of one.
FULL_SHARE = 0.75
#: The hashes are merged in so many ranges, one after the other, to hold less at a time.
RANGES = 16

_LIVE_RUNS = """
SELECT r.segment_id, r.start, r.count, r.edition_id, r.generation, r.first_sequence
FROM search_segmentrun r
JOIN search_indexededition i ON i.edition_id = r.edition_id AND i.generation = r.generation
WHERE r.segment_id = ANY(%s) ORDER BY r.segment_id, r.start
"""
_SIZES = """
SELECT s.id, s.passage_count, coalesce(sum(r.count), 0)::int8, s.fold_version
FROM search_segment s
LEFT JOIN (
    search_segmentrun r JOIN search_indexededition i
        ON i.edition_id = r.edition_id AND i.generation = r.generation
) ON r.segment_id = s.id
GROUP BY s.id ORDER BY s.id
"""


@dataclass(frozen=True)
class Size:
    """A segment's passages, and how many of them are alive."""

    id: int
    passages: int
    live: int
    fold_version: int


def merge_once() -> int:
    """Do the most useful merge there is, and return how many segments it replaced; 0: nothing to do, or another
    worker is at it."""
    prune()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        if not cursor.fetchone()[0]:
            return 0
        chosen = choose([Size(*row) for row in fetch_binary(_SIZES)])
        if chosen:
            merge([size.id for size in chosen])
        return len(chosen)


def choose(sizes: Sequence[Size]) -> list[Size]:
    """The segments to merge next: all that are dead, or one that mostly is, or eight of a size, the smallest first.

    A size is a power of eight of live passages, so a passage is moved at most six times on its way to a full segment.
    Of the eight as many are taken as fit in one segment; fewer than two are left alone.
    """
    if dead := [size for size in sizes if not size.live]:
        return dead
    for size in sizes:
        if size.live < (1 - DEAD_SHARE) * size.passages:
            return [size]
    tiers: dict[tuple[int, int], list[Size]] = defaultdict(list)
    for size in sizes:
        tiers[size.fold_version, (size.live.bit_length() - 1) // 3].append(size)
    for _, tier in sorted(tiers.items()):
        fitting = _fitting(tier)
        full = sum(size.live for size in fitting) >= FULL_SHARE * SEGMENT_SIZE
        if len(fitting) > 1 and (full or len(tier) >= MERGE_AT):
            return fitting
    return []


def _fitting(tier: Sequence[Size]) -> list[Size]:
    """As many of the smallest eight as one segment holds."""
    fitting: list[Size] = []
    room = SEGMENT_SIZE
    for size in sorted(tier, key=lambda size: (size.live, size.id))[:MERGE_AT]:
        if size.live <= room:
            fitting.append(size)
            room -= size.live
    return fitting


def merge(segment_ids: Sequence[int]) -> int | None:
    """Replace segments by one with their live passages, and return its id; None when all were dead."""
    runs = fetch_binary(_LIVE_RUNS, [list(segment_ids)])
    made = _write_merged(list(segment_ids), runs) if runs else None
    for segment_id in segment_ids:
        PostingBlock.objects.filter(pk__range=row_ids(segment_id))._raw_delete("default")
        LargePosting.objects.filter(pk__range=row_ids(segment_id))._raw_delete("default")
    SegmentRun.objects.filter(segment__in=segment_ids)._raw_delete("default")
    Segment.objects.filter(pk__in=segment_ids)._raw_delete("default")
    return made.pk if made else None


def _write_merged(segment_ids: list[int], runs: list[tuple[int, ...]]) -> Segment:
    sources = {source.pk: source for source in Segment.objects.filter(pk__in=segment_ids)}
    ids: list[bytes] = []
    lengths: list[NDArray[np.uint16]] = []
    moved = {pk: np.full(source.passage_count, -1, np.int64) for pk, source in sources.items()}
    at = 0
    rows: list[SegmentRun] = []
    for segment, start, count, edition, generation, first in runs:
        source = sources[segment]
        ids.append(bytes(source.passage_ids)[16 * start : 16 * (start + count)])
        lengths.append(np.frombuffer(source.lengths, "<u2", count, 2 * start))
        moved[segment][start : start + count] = np.arange(at, at + count)
        rows.append(SegmentRun(start=at, count=count, edition_id=edition, generation=generation, first_sequence=first))
        at += count
    postings = merge_postings([(_read(sources[pk]), moved[pk]) for pk in sorted(sources)])
    fold_version = min(source.fold_version for source in sources.values())
    made = store_segment(b"".join(ids), np.concatenate(lengths), postings, fold_version)
    for row in rows:
        row.segment = made
    SegmentRun.objects.bulk_create(rows)
    return made


def _read(segment: Segment) -> Postings:
    blocks = fetch_binary(
        "SELECT data FROM search_postingblock WHERE id BETWEEN %s AND %s ORDER BY id", row_ids(segment.pk)
    )
    large = fetch_binary(
        "SELECT term, passage_count, data FROM search_largeposting WHERE id BETWEEN %s AND %s", row_ids(segment.pk)
    )
    return read_segment(
        [block for (block,) in blocks],
        {term % (1 << 64): decode(data, count, segment.passage_count) for term, count, data in large},
    )


def merge_postings(sources: Sequence[tuple[Postings, NDArray[np.int64]]]) -> Postings:
    """The postings of all sources, each place moved to where its array says, those of -1 left out.

    Places of a source keep their order, and those of a later one come after those of an earlier one.
    """
    bounds = [int(number * (1 << 64) / RANGES) for number in range(1, RANGES)]
    edges = np.array(bounds, np.uint64)
    cuts = [np.concatenate([[0], np.searchsorted(p.hashes, edges), [len(p.hashes)]]) for p, _ in sources]
    parts = [
        _merge_range([(p, moved, cut[part], cut[part + 1]) for (p, moved), cut in zip(sources, cuts, strict=True)])
        for part in range(RANGES)
    ]
    return Postings(
        np.concatenate([part.hashes for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.frequencies for part in parts]),
    )


def _merge_range(sources: list[tuple[Postings, NDArray[np.int64], int, int]]) -> Postings:
    """One range of hashes: terms ``first`` to ``last`` of each source."""
    hashes = np.unique(np.concatenate([p.hashes[first:last] for p, _, first, last in sources]))
    terms, places, frequencies = [], [], []
    for postings, moved, first, last in sources:
        counts = postings.counts[first:last]
        begin, end = int(postings.starts[first]), int(postings.starts[last])
        new_places = moved[postings.places[begin:end]]
        alive = new_places >= 0
        terms.append(np.repeat(np.searchsorted(hashes, postings.hashes[first:last]), counts)[alive])
        places.append(new_places[alive])
        frequencies.append(postings.frequencies[begin:end][alive])
    keys = (np.concatenate(terms) << PLACE_BITS) | np.concatenate(places)
    order = np.argsort(keys, kind="stable")
    counts = np.bincount(keys >> PLACE_BITS, minlength=len(hashes))
    return Postings(
        hashes[counts > 0],
        counts[counts > 0],
        np.concatenate(places)[order].astype(np.uint16),
        np.concatenate(frequencies)[order],
    )
