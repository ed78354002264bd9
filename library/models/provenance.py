"""Where rows came from, what became of those that are gone, and what the importer found."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .catalogue import Author, Book, Edition

NAMESPACE = uuid.UUID("0b0a4a8e-3f0d-5f0a-8a0a-2f6d1c9b7e44")


class SourceKey(models.Model):
    """The memory of where a row came from and what the last import wrote into it.

    A field whose value no longer equals ``last_imported[field]`` is the curator's: the importer leaves it. Keys move
    with merges, so a merged author is never made again.
    """

    class Kind(models.TextChoices):
        """What the key names."""

        AUTHOR = "author", _("author")
        BOOK = "book", _("book")
        EDITION = "edition", _("edition")

    id = models.UUIDField(primary_key=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    source = models.CharField(max_length=50)
    key = models.CharField(max_length=300)
    author = models.ForeignKey(Author, models.CASCADE, null=True, blank=True, related_name="source_keys")
    book = models.ForeignKey(Book, models.CASCADE, null=True, blank=True, related_name="source_keys")
    edition = models.ForeignKey(Edition, models.CASCADE, null=True, blank=True, related_name="source_keys")
    last_imported = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("source key")
        verbose_name_plural = _("source keys")
        constraints = [
            models.UniqueConstraint(fields=["kind", "source", "key"], name="source_key_once"),
            models.CheckConstraint(
                name="source_key_of_its_kind",
                condition=(
                    Q(kind="author", author__isnull=False, book__isnull=True, edition__isnull=True)
                    | Q(kind="book", author__isnull=True, book__isnull=False, edition__isnull=True)
                    | Q(kind="edition", author__isnull=True, book__isnull=True, edition__isnull=False)
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source}:{self.key}"

    @staticmethod
    def make_id(kind: str, source: str, key: str) -> uuid.UUID:
        """The id of a key, the same after every import; it is also the namespace of what it gives ids to."""
        return uuid.uuid5(NAMESPACE, f"{kind}:{source}:{key}")


class RedirectQuerySet(models.QuerySet["Redirect"]):
    """Reads of redirects."""

    def of_kind(self, kind: str) -> RedirectQuerySet:
        """Redirects of one kind of thing."""
        return self.filter(kind=kind)

    def successors(self, kind: str, old: list[str]) -> dict[str, str]:
        """``{old: new}`` for those of ``old`` that were redirected; chains are flat, so one look is enough."""
        return dict(self.filter(kind=kind, old__in=old).values_list("old", "new"))


class Redirect(models.Model):
    """An id or slug that was merged, renamed or lost, and what answers in its place."""

    class Kind(models.TextChoices):
        """What the old and new values name."""

        AUTHOR = "author", _("author id")
        BOOK = "book", _("book id")
        EDITION = "edition", _("edition id")
        PASSAGE = "passage", _("passage id")
        AUTHOR_SLUG = "author_slug", _("author slug")
        BOOK_SLUG = "book_slug", _("book slug")

    id = models.UUIDField(primary_key=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    old = models.CharField(max_length=200)
    new = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RedirectQuerySet.as_manager()

    class Meta:
        verbose_name = _("redirect")
        verbose_name_plural = _("redirects")
        constraints = [
            models.UniqueConstraint(fields=["kind", "old"], name="redirect_once"),
            models.CheckConstraint(condition=~Q(old=models.F("new")), name="redirect_goes_elsewhere"),
        ]
        indexes = [models.Index(fields=["kind", "new"], name="redirect_by_target")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.old} → {self.new}"

    @staticmethod
    def make_id(kind: str, old: str) -> uuid.UUID:
        """The id of a redirect, the same whenever it is made again."""
        return uuid.uuid5(NAMESPACE, f"redirect:{kind}:{old}")


class Finding(models.Model):
    """Something an import met that a curator should see; never silence."""

    class State(models.TextChoices):
        """Where a finding stands in review."""

        OPEN = "open", _("open")
        RESOLVED = "resolved", _("resolved")
        IGNORED = "ignored", _("ignored")

    id = models.UUIDField(primary_key=True)
    edition = models.ForeignKey(Edition, models.CASCADE, null=True, blank=True, related_name="findings")
    author = models.ForeignKey(Author, models.CASCADE, null=True, blank=True, related_name="findings")
    book = models.ForeignKey(Book, models.CASCADE, null=True, blank=True, related_name="findings")
    code = models.CharField(max_length=50)
    message = models.TextField()
    line = models.PositiveIntegerField(null=True, blank=True, help_text=_("Line of the source file."))
    page_ordinal = models.PositiveIntegerField(null=True, blank=True)
    sequence_number = models.PositiveIntegerField(null=True, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        indexes = [
            models.Index(fields=["state", "code"], name="finding_by_state"),
            models.Index(fields=["edition", "state"], name="finding_by_edition"),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @staticmethod
    def make_id(owner: uuid.UUID, code: str, place: str) -> uuid.UUID:
        """The id of a finding: found again at the same place of the same thing, it is the same finding."""
        return uuid.uuid5(NAMESPACE, f"finding:{owner}:{code}:{place}")
