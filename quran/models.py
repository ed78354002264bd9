"""Surahs and verses of the packaged text. Verse text is stored as it came and never normalised."""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchQuery, SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from library.arabic import tsquery_all


class SurahQuerySet(models.QuerySet["Surah"]):
    """Reads of surahs."""

    def in_order(self) -> SurahQuerySet:
        """From 1 to 114."""
        return self.order_by("number")


class Surah(models.Model):
    """One of the 114 surahs."""

    class Revelation(models.TextChoices):
        """Where a surah was revealed, in the contract's words."""

        MAKKI = "makki", _("Makki")
        MADANI = "madani", _("Madani")
        UNKNOWN = "unknown", _("Unknown")

    number = models.PositiveSmallIntegerField(primary_key=True)
    name_ar = models.CharField(max_length=50)
    name_en = models.CharField(max_length=50)
    verse_count = models.PositiveSmallIntegerField()
    revelation = models.CharField(max_length=10, choices=Revelation.choices)

    objects = SurahQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        verbose_name = _("surah")
        verbose_name_plural = _("surahs")
        constraints = [models.CheckConstraint(condition=Q(number__range=(1, 114)), name="surah_number_1_to_114")]

    def __str__(self) -> str:
        return self.label()

    def label(self, locale: str | None = None) -> str:
        """The name in ``locale`` ("ar" or "en"), or in the active language."""
        return self.name_ar if (locale or get_language() or "ar").startswith("ar") else self.name_en

    @property
    def has_basmalah(self) -> bool:
        """Whether the basmalah stands above it, not as a verse of its own (1) nor left out (9)."""
        return self.number not in {1, 9}


class VerseQuerySet(models.QuerySet["Verse"]):
    """Reads of verses."""

    def in_range(self, surah: int, first: int, last: int) -> VerseQuerySet:
        """Verses ``first`` to ``last`` of a surah, both included, in order."""
        return self.filter(surah_id=surah, number__range=(first, last)).order_by("id")

    def on_page(self, page: int) -> VerseQuerySet:
        """The verses of a page of the Madinah mushaf, in order."""
        return self.filter(page=page).order_by("id")

    def in_juz(self, juz: int) -> VerseQuerySet:
        """The verses of a juz, in order."""
        return self.filter(juz=juz).order_by("id")

    def saying(self, words: str) -> VerseQuerySet:
        """Verses that hold all ``words`` (Arabic, any spelling); the shortest verse first, then in order.

        Without any searchable word: none.
        """
        query = tsquery_all(words)
        if not query:
            return self.none()
        return (
            self.annotate(length=Length("text"))
            .filter(words=SearchQuery(query, config="simple", search_type="raw"))
            .order_by("length", "id")
        )


class Verse(models.Model):
    """One verse. ``id`` is its place from 1 to 6,236; ``text`` is Uthmani and exactly the package's."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    surah = models.ForeignKey(Surah, models.PROTECT, related_name="verses")
    number = models.PositiveSmallIntegerField()
    text = models.TextField()
    translation = models.TextField(help_text=_("Pickthall, 1930"))
    words = SearchVectorField(editable=False, help_text="Its words, in every spelling they are asked for.")
    juz = models.PositiveSmallIntegerField()
    page = models.PositiveSmallIntegerField(help_text=_("Page of the Madinah mushaf."))

    objects = VerseQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("verse")
        verbose_name_plural = _("verses")
        constraints = [
            models.UniqueConstraint(fields=["surah", "number"], name="verse_place"),
            models.CheckConstraint(condition=Q(juz__range=(1, 30)), name="verse_juz_1_to_30"),
            models.CheckConstraint(condition=Q(page__range=(1, 604)), name="verse_page_1_to_604"),
        ]
        indexes = [
            models.Index(fields=["page"], name="verse_by_page"),
            models.Index(fields=["juz"], name="verse_by_juz"),
            GinIndex(fields=["words"], name="verse_words"),
        ]

    def __str__(self) -> str:
        return f"{self.surah_id}:{self.number}"
