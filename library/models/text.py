"""The text of an edition: passages in reading order, the pages and sections that lie over them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Count, F, Min, OuterRef, Q, Subquery, Value, Window
from django.db.models.functions import Abs, Coalesce, JSONObject, RowNumber
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .catalogue import Edition

# Pages and sections take their ids from their place (edition, ordinal), not from a sequence: an import that was killed
# and repeated gives the same rows. 2**20 pages are a hundred times the longest book known (Tarikh Dimashq, 74 volumes).
ORDINAL_BITS = 20


def place_id(edition_id: int, ordinal: int) -> int:
    """The id of the page or section ``ordinal`` of an edition; raises ValueError past 2**20 of them."""
    if not 0 <= ordinal < 1 << ORDINAL_BITS:
        raise ValueError(f"ordinal {ordinal} is out of range")
    return edition_id << ORDINAL_BITS | ordinal


class PassageQuerySet(models.QuerySet["Passage"]):
    """Reads of passages."""

    def in_edition(self, edition: Edition | int) -> PassageQuerySet:
        """The passages of one edition in reading order."""
        return self.filter(edition=edition).order_by("sequence_number")

    def around(self, sequence_number: int, radius: int) -> PassageQuerySet:
        """Those at most ``radius`` before or after a place, itself included."""
        return self.filter(sequence_number__range=(sequence_number - radius, sequence_number + radius))

    def between(self, first: int, last: int) -> PassageQuerySet:
        """Those from ``first`` to ``last``, both included."""
        return self.filter(sequence_number__range=(first, last))

    def starting_at(self, first: int) -> PassageQuerySet:
        """Those from ``first`` on."""
        return self.filter(sequence_number__gte=first)

    def with_item(self, item: str) -> PassageQuerySet:
        """Those that hold the hadith or entry of that number."""
        return self.exclude(item="").filter(item=item)

    def published(self) -> PassageQuerySet:
        """Passages of editions the public may see."""
        return self.filter(
            edition__is_published=True,
            edition__book__is_published=True,
            edition__book__author__is_published=True,
        )

    def with_catalogue(self) -> PassageQuerySet:
        """With edition, book, author and genre, in the same query."""
        return self.select_related("edition__book__author", "edition__book__genre")


class Passage(models.Model):
    """About 200 words of an edition: what search finds and what a citation names.

    ``text`` is plain; paragraphs end in a newline and headings stay in it.
    ``spans`` is ``[{"kind": heading|paragraph|verse|quran|note_ref, "from": int, "to": int, "mark": str, …}]`` in code
    points of ``text``; headings carry ``level``.
    ``notes`` is ``[{"mark": str, "at": int|None, "text": str, "page_ordinal": int|None}]``.
    ``pages`` copies what the ``Page`` rows say: ``[{"vol": str|None, "page": int|None}]``.
    """

    id = models.UUIDField(primary_key=True)
    edition = models.ForeignKey(Edition, models.CASCADE, related_name="passages")
    sequence_number = models.PositiveIntegerField()
    text = models.TextField()
    spans = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    pages = models.JSONField(default=list)
    item = models.CharField(
        max_length=50,
        blank=True,
        help_text="The number of the hadith or entry it holds, where the source numbers them.",
    )

    objects = PassageQuerySet.as_manager()

    class Meta:
        verbose_name = _("passage")
        verbose_name_plural = _("passages")
        constraints = [
            models.UniqueConstraint(
                fields=["edition", "sequence_number"],
                name="passage_place",
                deferrable=models.Deferrable.DEFERRED,
            )
        ]
        indexes = [models.Index(fields=["edition", "item"], name="passage_by_item", condition=~Q(item=""))]

    def __str__(self) -> str:
        return f"{self.edition_id}/{self.sequence_number}"

    def get_absolute_url(self) -> str:
        """The permalink: it leads to wherever the passage is now read."""
        return reverse("library:passage", args=[self.pk])

    @property
    def footnotes(self) -> str:
        """The contract's ``footnotes``: the notes, one a line, each after its mark; empty when there are none."""
        return "\n".join(f"{note['mark']} {note['text']}".strip() for note in self.notes)


def _not_after(sequence_number: int | F | OuterRef, at: int | F | OuterRef) -> Q:
    """Rows that begin at a place of the text or before it, said so that the index by text finds the last of them."""
    return Q(sequence_number__lte=sequence_number) & (Q(sequence_number__lt=sequence_number) | Q(at__lte=at))


class PageQuerySet(models.QuerySet["Page"]):
    """Reads of pages."""

    def in_edition(self, edition: Edition | int) -> PageQuerySet:
        """The pages of one edition in reading order."""
        return self.filter(edition=edition).order_by("ordinal")

    def numbered(self, vol: str | None, number: int) -> PageQuerySet:
        """The pages of that volume and number, in reading order: numbers are not unique in real books."""
        return self.filter(vol=vol, number=number) if vol is not None else self.filter(vol__isnull=True, number=number)

    def at_ordinal(self, ordinal: int) -> PageQuerySet:
        """The page of that place in the order."""
        return self.filter(ordinal=ordinal)

    def first_of(self, editions: list[int]) -> PageQuerySet:
        """The first page of each of these editions."""
        return self.filter(edition__in=editions, ordinal=1)

    def named(self, vol: str | None, number: int, suffix: str) -> PageQuerySet:
        """The pages of that volume, number and suffix, in reading order; ``P012A`` is number 12, suffix ``A``."""
        return self.numbered(vol, number).filter(suffix=suffix).order_by("ordinal")

    def holding(self, sequence_number: int, at: int = 0) -> PageQuerySet:
        """The page on which that place of the text lies comes first (pages that begin there or before, last first)."""
        return self.filter(_not_after(sequence_number, at)).order_by("-sequence_number", "-at", "-ordinal")

    def nearest_to(self, vol: str | None, number: int) -> PageQuerySet:
        """The numbered pages of a volume, the one whose number is nearest first."""
        in_volume = self.filter(vol__isnull=True) if vol is None else self.filter(vol=vol)
        return in_volume.filter(number__isnull=False).order_by(Abs(F("number") - number), "ordinal")

    def volumes(self) -> list[str | None]:
        """The volumes that have numbered pages, in reading order."""
        found = self.filter(number__isnull=False).order_by().values("vol").annotate(first=Min("ordinal"))
        return [row["vol"] for row in found.order_by("first")]

    def with_nth(self) -> PageQuerySet:
        """Each with ``nth``: 1 for the first page of its volume, number and suffix, 2 for the next, and so on."""
        # Null is no volume, and equal to itself here.
        earlier = (
            Page.objects.alias(volume=Coalesce("vol", Value("")))
            .filter(
                edition=OuterRef("edition"),
                number=OuterRef("number"),
                suffix=OuterRef("suffix"),
                volume=Coalesce(OuterRef("vol"), Value("")),
                ordinal__lt=OuterRef("ordinal"),
            )
            .order_by()
            .values("edition")
            .annotate(n=Count("*"))
            .values("n")
        )
        return self.annotate(nth=Coalesce(Subquery(earlier), 0) + 1)  # type: ignore[no-redef]

    def beside(self, here: PageQuerySet) -> PageQuerySet:
        """The first page of ``here`` with the page before it and the page after it, in reading order.

        Each with ``here``, the ordinal of that first one.
        """
        ordinal = Subquery(here.values("ordinal")[:1])
        near = self.filter(ordinal__gte=ordinal - 1, ordinal__lte=ordinal + 1).order_by("ordinal")
        return near.annotate(here=ordinal)  # type: ignore[no-redef]


class Page(models.Model):
    """One page of an edition: where it begins, and the number printed on it if any.

    It runs from (``sequence_number``, ``at``) to where the next ordinal begins. ``ordinal`` counts from 1 and is the
    only order there is: real numbers repeat, jump and are missing.
    """

    id = models.BigIntegerField(primary_key=True)
    edition = models.ForeignKey(Edition, models.CASCADE, related_name="pages")
    ordinal = models.PositiveIntegerField()
    vol = models.CharField(max_length=50, null=True)
    number = models.PositiveIntegerField(null=True)
    suffix = models.CharField(max_length=10, blank=True)
    sequence_number = models.PositiveIntegerField()
    at = models.PositiveIntegerField(help_text="Code point of the passage's text at which the page begins.")

    nth: int  # with_nth()
    here: int  # beside()

    objects = PageQuerySet.as_manager()

    class Meta:
        verbose_name = _("page")
        verbose_name_plural = _("pages")
        constraints = [models.UniqueConstraint(fields=["edition", "ordinal"], name="page_place")]
        indexes = [
            models.Index(fields=["edition", "vol", "number"], name="page_by_number"),
            models.Index(fields=["edition", "sequence_number", "at"], name="page_by_text"),
        ]

    def __str__(self) -> str:
        return f"{self.edition_id}/{self.vol or '-'}/{self.number if self.number is not None else f'p{self.ordinal}'}"


class SectionQuerySet(models.QuerySet["Section"]):
    """Reads of the table of contents."""

    def in_edition(self, edition: Edition | int) -> SectionQuerySet:
        """The headings of one edition in reading order."""
        return self.filter(edition=edition).order_by("ordinal")

    def under(self, parent: Section | None) -> SectionQuerySet:
        """The headings directly under one; the uppermost for None."""
        return self.filter(parent=parent)

    def with_child_flags(self) -> SectionQuerySet:
        """Each with ``has_children``."""
        below = Section.objects.filter(parent=OuterRef("pk"))
        return self.annotate(has_children=models.Exists(below))  # type: ignore[no-redef]

    def before(self, sequence_number: int, at: int = 0) -> SectionQuerySet:
        """The heading that a place of the text stands under comes first."""
        return self.filter(_not_after(sequence_number, at)).order_by("-sequence_number", "-at", "-ordinal")

    def earlier_than(self, sequence_number: int) -> SectionQuerySet:
        """The headings that begin in passages before that one, the last first."""
        return self.filter(sequence_number__lt=sequence_number).order_by("-sequence_number", "-at", "-ordinal")

    def later_than(self, sequence_number: int) -> SectionQuerySet:
        """The headings that begin in passages after that one, in reading order."""
        return self.filter(sequence_number__gt=sequence_number).order_by("sequence_number", "at", "ordinal")

    def with_ancestors(self) -> SectionQuerySet:
        """With the headings above each, five levels of them, in the same query."""
        return self.select_related("parent__parent__parent__parent__parent")

    def open_along(self, path: list[int], most: int) -> SectionQuerySet:
        """The uppermost headings, and those directly under each of ``path`` (section ids).

        At most ``most`` under each, those of ``path`` besides: some dictionaries have ten thousand of a level.
        """
        rank = Window(RowNumber(), partition_by="parent", order_by="ordinal")
        return (
            self.filter(Q(parent__isnull=True) | Q(parent__in=path))
            .annotate(rank=rank)
            .filter(Q(rank__lte=most) | Q(pk__in=path))
        )

    def after(self, ordinal: int) -> SectionQuerySet:
        """Those that follow one in reading order."""
        return self.filter(ordinal__gt=ordinal)

    def with_pages(self) -> SectionQuerySet:
        """Each with ``page``, where it begins: ``{vol, number, suffix, ordinal, nth}``, None without pages."""
        page = (
            Page.objects.filter(_not_after(OuterRef("sequence_number"), OuterRef("at")), edition=OuterRef("edition"))
            .order_by("-sequence_number", "-at", "-ordinal")
            .with_nth()
            .values(json=JSONObject(vol="vol", number="number", suffix="suffix", ordinal="ordinal", nth="nth"))
        )
        return self.annotate(page=Subquery(page[:1]))  # type: ignore[no-redef]


class Section(models.Model):
    """One heading of the table of contents, and where its text begins. ``level`` and ``ordinal`` count from 1."""

    id = models.BigIntegerField(primary_key=True)
    edition = models.ForeignKey(Edition, models.CASCADE, related_name="sections")
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    ordinal = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField()
    title = models.TextField()
    kind = models.CharField(
        max_length=20,
        default="heading",
        help_text="heading, or biography, event, … where the source says so; notes for a tail of loose notes.",
    )
    sequence_number = models.PositiveIntegerField()
    at = models.PositiveIntegerField()

    has_children: bool  # with_child_flags()
    page: dict[str, Any] | None  # with_pages()

    objects = SectionQuerySet.as_manager()

    class Meta:
        verbose_name = _("section")
        verbose_name_plural = _("sections")
        constraints = [models.UniqueConstraint(fields=["edition", "ordinal"], name="section_place")]
        indexes = [models.Index(fields=["edition", "sequence_number", "at"], name="section_by_text")]

    def __str__(self) -> str:
        return self.title
