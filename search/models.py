"""The lexical index: segments of postings, which edition lies where, and the lexemes for phrases.

Passages know nothing of segments. An edition is indexed under a *generation*; runs of an older one are dead, masked by
every search and dropped by the next merge.
"""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Now

from library.models import Edition, Passage
from search.constants import SEGMENT_SIZE
from search.semantic.models import EmbeddingBatch, EmbeddingModel, PassageEmbedding, SearchSettings


class Segment(models.Model):
    """Up to 65,536 passages with their postings. Written once, never changed; ids are never reused.

    ``passage_ids`` holds 16 bytes a passage, ``lengths`` a little-endian uint16 (words) a passage, both by place.
    """

    id = models.BigAutoField(primary_key=True)
    passage_count = models.PositiveIntegerField()
    word_count = models.PositiveBigIntegerField(help_text="The sum of all lengths.")
    fold_version = models.PositiveSmallIntegerField()
    block_bits = models.PositiveSmallIntegerField(help_text="It has 2 to this power blocks of postings.")
    passage_ids = models.BinaryField()
    lengths = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(passage_count__range=(1, SEGMENT_SIZE)), name="segment_places_are_uint16"
            )
        ]

    def __str__(self) -> str:
        return f"segment {self.id} ({self.passage_count} passages)"


class SegmentRun(models.Model):
    """Consecutive passages of one edition in a segment: places ``start`` to ``start + count - 1``.

    Place ``start + i`` holds the passage with sequence number ``first_sequence + i``. ``edition_id`` is no foreign key:
    a run may outlive its edition until the next merge.
    """

    id = models.BigAutoField(primary_key=True)
    segment = models.ForeignKey(Segment, models.CASCADE, related_name="runs")
    start = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    edition_id = models.PositiveIntegerField()
    generation = models.PositiveBigIntegerField()
    first_sequence = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "start"], name="segment_run_place")]
        indexes = [models.Index(fields=["edition_id"], name="segment_run_by_edition")]

    def __str__(self) -> str:
        return f"edition {self.edition_id} at {self.segment_id}:{self.start}"


class PostingBlock(models.Model):
    """About two kilobytes of a segment's terms with their postings; ``search.lexical.blocks`` knows the layout.

    ``id`` is made of the segment and the block's number (``blocks.row_id``): one array of numbers asks for many. No
    foreign key holds it or ``LargePosting``: rows go with their segment in the merge, the only act that removes
    segments.
    """

    id = models.BigIntegerField(primary_key=True)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"block {self.id}"


class LargePosting(models.Model):
    """The postings of a term that very many passages of a segment hold.

    ``id`` is made of the segment and the term's place among its large ones; ``term`` is its hash, as a signed number.
    """

    id = models.BigIntegerField(primary_key=True)
    term = models.BigIntegerField()
    passage_count = models.PositiveIntegerField()
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"large term {self.id}"


class IndexedEdition(models.Model):
    """The generation of an edition that search may show: the id of the first segment written for it."""

    edition = models.OneToOneField(Edition, models.CASCADE, primary_key=True, related_name="indexed")
    generation = models.PositiveBigIntegerField()
    fold_version = models.PositiveSmallIntegerField()
    passage_count = models.PositiveIntegerField()
    indexed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"edition {self.edition_id}, generation {self.generation}"


class PassageLexemes(models.Model):
    """The folded words of a passage with their positions: for phrases, never for ranking.

    Beside the passage and not on it: on it, imports fell from 38,900 to 3,500 rows a second.
    """

    passage = models.OneToOneField(Passage, models.CASCADE, primary_key=True, related_name="lexemes")
    edition = models.ForeignKey(Edition, models.CASCADE, related_name="+")
    sequence_number = models.PositiveIntegerField()
    fold_version = models.PositiveSmallIntegerField()
    tsv = SearchVectorField()

    class Meta:
        verbose_name_plural = "passage lexemes"
        indexes = [GinIndex(fields=["tsv"], name="passage_lexemes_tsv")]

    def __str__(self) -> str:
        return f"lexemes of {self.passage_id}"


class Change(models.Model):
    """That the catalogue or the index changed; written by triggers, read by ``search.changes``."""

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"change {self.id}"


__all__ = [
    "Change",
    "EmbeddingBatch",
    "EmbeddingModel",
    "IndexedEdition",
    "LargePosting",
    "PassageEmbedding",
    "PassageLexemes",
    "PostingBlock",
    "SearchSettings",
    "Segment",
    "SegmentRun",
]
