"""The folded forms under which a name can be asked."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Literal

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import TrigramSimilarity
from django.db import models
from django.db.models import Case, F, FloatField, Q, Value, When
from django.db.models.functions import Greatest

from .catalogue import Author, Book

NAMESPACE = uuid.UUID("6f8a1df4-6a39-5d5c-9d53-1c7d3a0f9b11")


class NameFormQuerySet(models.QuerySet["NameForm"]):
    """Reads of name forms."""

    def of_published(self, kind: Literal["author", "book"]) -> NameFormQuerySet:
        """The forms of authors, or of books, that the public may see."""
        shown = {f"{kind}__isnull": False, f"{kind}__is_published": True}
        if kind == "book":
            shown["book__author__is_published"] = True
        return self.filter(**shown)

    def nearest_to(self, asked: Sequence[str]) -> NameFormQuerySet:
        """Those equal to one of the folded ``asked`` (at least one), then those alike by trigrams, the likest first."""
        likeness = [TrigramSimilarity("form", form) for form in asked]
        nearness = Case(
            When(form__in=asked, then=Value(2.0)),
            default=Greatest(*likeness) if len(likeness) > 1 else likeness[0],
            output_field=FloatField(),
        )
        alike = reduce(or_, (Q(form__trigram_similar=form) for form in asked))
        return self.filter(alike | Q(form__in=asked)).order_by(nearness.desc(), F("id"))


class NameForm(models.Model):
    """One folded form of an author's name or a book's title; what ``lookup_catalog`` matches."""

    id = models.UUIDField(primary_key=True)
    author = models.ForeignKey(Author, models.CASCADE, null=True, related_name="name_forms")
    book = models.ForeignKey(Book, models.CASCADE, null=True, related_name="name_forms")
    form = models.TextField()
    is_name = models.BooleanField(help_text="The name itself (in either language), not an alias or a variant.")
    fold_version = models.PositiveSmallIntegerField()

    objects = NameFormQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(author__isnull=False, book__isnull=True) | Q(author__isnull=True, book__isnull=False),
                name="name_form_of_one_thing",
            ),
            models.UniqueConstraint(fields=["author", "form"], name="name_form_once_an_author"),
            models.UniqueConstraint(fields=["book", "form"], name="name_form_once_a_book"),
        ]
        indexes = [GinIndex(name="name_form_trigrams", fields=["form"], opclasses=["gin_trgm_ops"])]

    def __str__(self) -> str:
        return self.form

    @staticmethod
    def make_id(target: Author | Book, form: str) -> uuid.UUID:
        """The id of a form: the same form of the same thing has the same id after every rebuild."""
        return uuid.uuid5(NAMESPACE, f"{type(target).__name__}:{target.pk}:{form}")
