"""The folded forms under which a name can be asked."""

from __future__ import annotations

import uuid

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from .catalogue import Author, Book

NAMESPACE = uuid.UUID("6f8a1df4-6a39-5d5c-9d53-1c7d3a0f9b11")


class NameForm(models.Model):
    """One folded form of an author's name or a book's title; what ``lookup_catalog`` matches."""

    id = models.UUIDField(primary_key=True)
    author = models.ForeignKey(Author, models.CASCADE, null=True, related_name="name_forms")
    book = models.ForeignKey(Book, models.CASCADE, null=True, related_name="name_forms")
    form = models.TextField()
    is_name = models.BooleanField(help_text="The name itself (in either language), not an alias or a variant.")
    fold_version = models.PositiveSmallIntegerField()

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
