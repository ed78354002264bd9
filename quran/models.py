"""Surahs and verses of the packaged text. Verse text is stored as it came and never normalised."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchQuery, SearchRank, SearchVector, SearchVectorField
from django.db import models
from django.db.models import Case, Min, Q, Subquery, Value, When
from django.db.models.functions import Length
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from library.arabic import FOLD_VERSION, query_words, tsquery_all, tsquery_phrase
from library.term_query import TermQuery

#: One expression for the query and for the index that serves it.
TRANSLATION_WORDS = SearchVector("translation", config="english")


class SurahQuerySet(models.QuerySet["Surah"]):
    """Reads of surahs."""

    def in_order(self) -> SurahQuerySet:
        """From 1 to 114."""
        return self.order_by("number")

    def with_first_page(self) -> SurahQuerySet:
        """Each with ``first_page``, the page of the Madinah mushaf on which it begins."""
        return self.annotate(first_page=Min("verses__page"))  # type: ignore[no-redef]


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

    first_page: int  # with_first_page()

    objects = SurahQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        verbose_name = _("surah")
        verbose_name_plural = _("surahs")
        constraints = [models.CheckConstraint(condition=Q(number__range=(1, 114)), name="surah_number_1_to_114")]

    def __str__(self) -> str:
        return self.label()

    def get_absolute_url(self) -> str:
        """Where it is read as a whole."""
        return reverse("quran:surah", args=[self.number])

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

    def whole_surah(self, surah: int) -> VerseQuerySet:
        """The verses of a surah, in order."""
        return self.filter(surah_id=surah).order_by("id")

    def folded_now(self) -> VerseQuerySet:
        """Those whose search words were made by the present folding."""
        return self.filter(fold_version=FOLD_VERSION)

    def with_surah(self) -> VerseQuerySet:
        """With their surahs, in the same query."""
        return self.select_related("surah")

    def with_basmalah(self) -> VerseQuerySet:
        """Each with ``basmalah``, the text that stands above most surahs (1:1), in the same query."""
        first = Verse.objects.filter(pk=1).values("text")
        return self.annotate(basmalah=Subquery(first))  # type: ignore[no-redef]

    def saying(self, words: str) -> VerseQuerySet:
        """Verses that hold all ``words`` (Arabic, any spelling), be it with other prefixes and endings.

        First those that say them in this order, then those that hold these very words, then the others; the shorter
        first. Without any searchable word: none.
        """
        asked = query_words(words)
        if not asked:
            return self.none()
        terms = [" | ".join(f"'{term}'" for term in (*word.forms, *word.stems)) for word in asked]
        loosely = " & ".join(f"({alternatives})" for alternatives in terms)
        closeness = Case(
            When(words=TermQuery(tsquery_phrase(words)), then=Value(0)),
            When(words=TermQuery(tsquery_all(words)), then=Value(1)),
            default=Value(2),
        )
        found = self.filter(words=TermQuery(loosely)).annotate(closeness=closeness, length=Length("text"))
        return found.order_by("closeness", "length", "id")

    def translated_as(self, words: str) -> VerseQuerySet:
        """Verses whose English translation holds ``words``, as people type them in search boxes; the best first."""
        query = SearchQuery(words.replace("\0", " "), config="english", search_type="websearch")
        found = self.annotate(english=TRANSLATION_WORDS).filter(english=query)
        return found.annotate(rank=SearchRank("english", query)).order_by("-rank", "id")


class Verse(models.Model):
    """One verse. ``id`` is its place from 1 to 6,236; ``text`` is Uthmani and exactly the package's."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    surah = models.ForeignKey(Surah, models.PROTECT, related_name="verses")
    number = models.PositiveSmallIntegerField()
    text = models.TextField()
    translation = models.TextField(help_text=_("Pickthall, 1930"))
    words = SearchVectorField(
        editable=False, help_text="Its words in every spelling they are asked for, and their stems without places."
    )
    fold_version = models.PositiveSmallIntegerField(editable=False, default=0)
    juz = models.PositiveSmallIntegerField()
    page = models.PositiveSmallIntegerField(help_text=_("Page of the Madinah mushaf."))
    lines = ArrayField(
        models.PositiveSmallIntegerField(),
        default=list,
        editable=False,
        help_text="The code points at which lines of the Madinah mushaf begin in it.",
    )

    basmalah: str  # with_basmalah()

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
            GinIndex(TRANSLATION_WORDS, name="verse_translation_words"),
        ]

    def __str__(self) -> str:
        return f"{self.surah_id}:{self.number}"

    def get_absolute_url(self) -> str:
        """Its permalink."""
        return reverse("quran:verses", args=[self.surah_id, str(self.number)])
