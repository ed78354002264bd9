"""Models of embeddings: which there are, what each passage's vector is, what is still to be embedded, which one is
searched.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from library.models import Passage
from search.providers.protocols import EmbeddingModelSpec


class EmbeddingModel(models.Model):
    """One way of making vectors, and what was measured of its index. Two that differ in any field of the spec never
    meet.
    """

    class State(models.TextChoices):
        """How far it is. ``READY``: every passage there was had a vector, and the index was built."""

        FILLING = "filling", _("filling")
        READY = "ready", _("ready")

    id = models.SmallAutoField(primary_key=True)
    key = models.CharField(max_length=100, unique=True, help_text="The spec's short name of exactly this model.")
    name = models.CharField(max_length=100)
    dimension = models.PositiveSmallIntegerField()
    query_prefix = models.CharField(max_length=50, blank=True)
    document_prefix = models.CharField(max_length=50, blank=True)
    fold_version = models.PositiveSmallIntegerField()
    spelling_version = models.PositiveSmallIntegerField()
    passage_words = models.PositiveSmallIntegerField(help_text="Words of a passage that count at most.")
    constants_sha256 = models.CharField(max_length=64, blank=True, help_text="Of the means taken out of every vector.")
    factor = models.FloatField(help_text="How much of the means is taken out.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.FILLING)
    has_index = models.BooleanField(default=False)
    hnsw_m = models.PositiveSmallIntegerField(default=16, help_text="Neighbours of a node of the index.")
    bands = models.JSONField(
        default=list,
        help_text="The smallest ef_search with recall@24 of .99 by share of the library; null: none has it.",
    )
    tuned_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("embedding model")
        verbose_name_plural = _("embedding models")

    def __str__(self) -> str:
        return self.key

    @property
    def table(self) -> str:
        """The partition that holds its vectors."""
        return f"search_passageembedding_{self.pk}"

    @property
    def spec(self) -> EmbeddingModelSpec:
        """What decides its vectors."""
        return EmbeddingModelSpec(**{name: getattr(self, name) for name in EmbeddingModelSpec.__dataclass_fields__})


class PassageEmbedding(models.Model):
    """The vector of a passage under a model: of length 1, half precision.

    List-partitioned by model. A row goes with its passage by the database's own cascade, whoever deletes it. The
    edition stands here so that a filter needs no join; ``text_md5`` says of which text the vector is.
    """

    pk = models.CompositePrimaryKey("passage", "model")
    passage = models.ForeignKey(Passage, models.DO_NOTHING, related_name="+", db_index=False)
    model = models.ForeignKey(EmbeddingModel, models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False)
    edition_id = models.PositiveIntegerField()
    text_md5 = models.UUIDField()
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"{self.passage_id} by model {self.model_id}"


class EmbeddingBatch(models.Model):
    """Passages of an edition that wait for their vectors. Goes when they have them, so the table is what is left to do.

    No key is checked against editions: what has gone meanwhile is found out by the worker.
    """

    model = models.ForeignKey(EmbeddingModel, models.CASCADE, related_name="batches", db_index=False)
    edition_id = models.PositiveIntegerField()
    passages = ArrayField(models.UUIDField())
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["model", "attempts", "id"], name="embedding_batch_order"),
            models.Index(fields=["edition_id"], name="embedding_batch_by_edition"),
        ]

    def __str__(self) -> str:
        return f"{len(self.passages)} passages of edition {self.edition_id}"


class SearchSettings(models.Model):
    """What all processes that search have in common; one row, made when a model is first switched on."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    active_model = models.ForeignKey(EmbeddingModel, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("search settings")
        verbose_name_plural = _("search settings")
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="search_settings_has_one_row")]

    def __str__(self) -> str:
        return "search settings"

    @classmethod
    def model_in_use(cls) -> EmbeddingModel | None:
        """The model that search uses; None: it searches by words only."""
        row = cls.objects.select_related("active_model").first()
        return row.active_model if row else None
