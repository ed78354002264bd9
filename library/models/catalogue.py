"""Genres, authors, books, their contributors and editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence


def in_locale(arabic: str, english: str, transliterations: Sequence[str], locale: str | None = None) -> str:
    """A name in ``locale`` ("ar" or "en"; the active language when None).

    An empty English name falls back to a transliteration, then to the Arabic; an empty Arabic one to the English.
    """
    if (locale or get_language() or "ar").startswith("ar"):
        return arabic or english
    return english or next(iter(transliterations), "") or arabic


class GenreQuerySet(models.QuerySet["Genre"]):
    """Reads of genres."""

    def with_book_counts(self) -> GenreQuerySet:
        """Each genre with ``book_count``, its published books by published authors."""
        visible = Q(books__is_published=True, books__author__is_published=True)
        counted = self.annotate(book_count=models.Count("books", filter=visible))  # type: ignore[no-redef]
        return counted.order_by("id")


class Genre(models.Model):
    """One of the 40 genres; ``id`` is the contract's ``categoryId``."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    slug = models.SlugField(max_length=100, unique=True)
    name_ar = models.CharField(max_length=200)
    name_en = models.CharField(max_length=200)

    book_count: int  # with_book_counts()

    objects = GenreQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name = _("genre")
        verbose_name_plural = _("genres")
        constraints = [models.CheckConstraint(condition=Q(id__range=(1, 40)), name="genre_id_1_to_40")]

    def __str__(self) -> str:
        return self.label()

    def get_absolute_url(self) -> str:
        """Its page on the site."""
        return reverse("library:genre", args=[self.slug])

    def label(self, locale: str | None = None) -> str:
        """The name in ``locale``, or in the active language."""
        return in_locale(self.name_ar, self.name_en, (), locale)


class AuthorQuerySet(models.QuerySet["Author"]):
    """Reads of authors."""

    def published(self) -> AuthorQuerySet:
        """Authors the public may see."""
        return self.filter(is_published=True)

    def in_name_order(self, locale: str | None = None) -> AuthorQuerySet:
        """In the alphabet of ``locale``, ids breaking ties: a stable order for keyset paging."""
        arabic = (locale or get_language() or "ar").startswith("ar")
        return self.order_by("sort_key_ar" if arabic else "sort_key_en", "id")

    def with_book_counts(self) -> AuthorQuerySet:
        """Each author with ``book_count``, their published books."""
        visible = Q(books__is_published=True)
        return self.annotate(book_count=models.Count("books", filter=visible))  # type: ignore[no-redef]

    def most_books_first(self) -> AuthorQuerySet:
        """Those with published books, by how many there are, then by name."""
        with_books = self.with_book_counts().filter(book_count__gt=0)  # type: ignore[misc]
        return with_books.order_by("-book_count", "sort_key_ar", "id")  # type: ignore[misc]


class Author(models.Model):
    """A person who wrote books. An unknown death year is null; a label may stand beside a year or alone."""

    id = models.PositiveIntegerField(primary_key=True)
    slug = models.SlugField(max_length=120, unique=True)
    name_ar = models.CharField(_("Arabic name"), max_length=500)
    name_en = models.CharField(_("English name"), max_length=500, blank=True)
    death_year_ah = models.SmallIntegerField(_("death year (AH)"), null=True, blank=True)
    death_label_ar = models.CharField(_("death label, Arabic"), max_length=200, blank=True)
    death_label_en = models.CharField(_("death label, English"), max_length=200, blank=True)
    death_source = models.CharField(_("source of the death year"), max_length=500, blank=True)
    death_note = models.TextField(_("note on the death year"), blank=True)
    aliases = ArrayField(models.TextField(), default=list, blank=True)
    transliterations = ArrayField(models.TextField(), default=list, blank=True)
    sort_key_ar = models.CharField(max_length=500, editable=False)
    sort_key_en = models.CharField(max_length=500, editable=False)
    is_published = models.BooleanField(_("published"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    book_count: int  # with_book_counts()

    objects = AuthorQuerySet.as_manager()

    class Meta:
        verbose_name = _("author")
        verbose_name_plural = _("authors")
        ordering = ["sort_key_ar", "id"]
        indexes = [
            models.Index(fields=["sort_key_ar", "id"], name="author_by_arabic_name"),
            models.Index(fields=["sort_key_en", "id"], name="author_by_english_name"),
            models.Index(fields=["death_year_ah", "id"], name="author_by_death"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(id__gt=0), name="author_id_positive"),
            models.CheckConstraint(condition=~Q(name_ar="", name_en=""), name="author_has_a_name"),
            models.CheckConstraint(
                condition=Q(death_year_ah__isnull=True) | ~Q(death_year_ah__in=[0, 9999]),
                name="author_unknown_death_is_null",
            ),
        ]

    def __str__(self) -> str:
        return self.label()

    def get_absolute_url(self) -> str:
        """The author's page on the site."""
        return reverse("library:author", args=[self.slug])

    def label(self, locale: str | None = None) -> str:
        """The name in ``locale``, or in the active language."""
        return in_locale(self.name_ar, self.name_en, self.transliterations, locale)

    def death_label(self, locale: str | None = None) -> str | None:
        """The label of an inexact or unknown death year in ``locale``, or None."""
        return in_locale(self.death_label_ar, self.death_label_en, (), locale) or None


class BookQuerySet(models.QuerySet["Book"]):
    """Reads of books."""

    def published(self) -> BookQuerySet:
        """Books the public may see: neither they nor their author hidden."""
        return self.filter(is_published=True, author__is_published=True)

    def with_catalogue(self) -> BookQuerySet:
        """With author and genre, in the same query."""
        return self.select_related("author", "genre")

    def in_title_order(self, locale: str | None = None) -> BookQuerySet:
        """In the alphabet of ``locale``, ids breaking ties: a stable order for keyset paging."""
        arabic = (locale or get_language() or "ar").startswith("ar")
        return self.order_by("sort_key_ar" if arabic else "sort_key_en", "id")

    def newest_first(self) -> BookQuerySet:
        """By arrival in the library, the latest first."""
        return self.order_by("-created_at", "id")

    def by_author(self, author: Author) -> BookQuerySet:
        """Books that ``author`` wrote alone or with others."""
        co = Contributor.objects.filter(author=author, role=Contributor.Role.AUTHOR)
        return self.filter(Q(author=author) | Q(id__in=co.values("book_id")))

    def in_genre(self, genre: Genre) -> BookQuerySet:
        """Books of one genre."""
        return self.filter(genre=genre)

    def in_genre_called(self, slug: str) -> BookQuerySet:
        """Books of the genre of that slug."""
        return self.filter(genre__slug=slug)


class Book(models.Model):
    """A work. ``id`` is given once (uuid5 of its first source key) and never changes."""

    id = models.UUIDField(primary_key=True)
    slug = models.SlugField(max_length=160, unique=True)
    title_ar = models.CharField(_("Arabic title"), max_length=500)
    title_en = models.CharField(_("English title"), max_length=500, blank=True)
    author = models.ForeignKey(Author, models.PROTECT, related_name="books")
    genre = models.ForeignKey(Genre, models.PROTECT, related_name="books")
    aliases = ArrayField(models.TextField(), default=list, blank=True)
    transliterations = ArrayField(models.TextField(), default=list, blank=True)
    sort_key_ar = models.CharField(max_length=500, editable=False)
    sort_key_en = models.CharField(max_length=500, editable=False)
    is_published = models.BooleanField(_("published"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = BookQuerySet.as_manager()

    class Meta:
        verbose_name = _("book")
        verbose_name_plural = _("books")
        ordering = ["sort_key_ar", "id"]
        indexes = [
            models.Index(fields=["sort_key_ar", "id"], name="book_by_arabic_title"),
            models.Index(fields=["sort_key_en", "id"], name="book_by_english_title"),
            models.Index(fields=["genre", "sort_key_ar", "id"], name="book_by_genre"),
            models.Index(fields=["-created_at", "id"], name="book_by_arrival"),
        ]
        constraints = [models.CheckConstraint(condition=~Q(title_ar="", title_en=""), name="book_has_a_title")]

    def __str__(self) -> str:
        return self.label()

    def get_absolute_url(self) -> str:
        """Its page on the site."""
        return reverse("library:book", args=[self.slug])

    def label(self, locale: str | None = None) -> str:
        """The title in ``locale``, or in the active language."""
        return in_locale(self.title_ar, self.title_en, self.transliterations, locale)


class Contributor(models.Model):
    """A person's part in a book besides its main author's."""

    class Role(models.TextChoices):
        """What the person did; an AUTHOR here is a co-author and matches author filters."""

        AUTHOR = "author", _("author")
        EDITOR = "editor", _("editor")
        TRANSLATOR = "translator", _("translator")

    book = models.ForeignKey(Book, models.CASCADE, related_name="contributors")
    author = models.ForeignKey(Author, models.PROTECT, related_name="contributions")
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.AUTHOR)

    class Meta:
        verbose_name = _("contributor")
        verbose_name_plural = _("contributors")
        constraints = [models.UniqueConstraint(fields=["book", "author", "role"], name="contributor_once_a_role")]

    def __str__(self) -> str:
        return f"{self.author} ({self.get_role_display()})"


class Numbering(models.TextChoices):
    """What an edition's page numbers are; only PRINT ones may be called printed pages."""

    PRINT = "print", _("printed pages")
    AUTO = "auto", _("automatic numbering")
    NONE = "none", _("no page numbers")
    UNKNOWN = "unknown", _("unverified numbering")


class EditionQuerySet(models.QuerySet["Edition"]):
    """Reads of editions."""

    def published(self) -> EditionQuerySet:
        """Editions the public may see: neither they, nor their book, nor its author hidden."""
        return self.filter(is_published=True, book__is_published=True, book__author__is_published=True)

    def with_catalogue(self) -> EditionQuerySet:
        """With book, author and genre, in the same query."""
        return self.select_related("book__author", "book__genre")

    def totals(self) -> dict[str, int]:
        """``{"editions", "pages", "passages"}``: how much there is to read."""
        found = self.aggregate(
            editions=models.Count("id"), pages=models.Sum("page_count"), passages=models.Sum("passage_count")
        )
        return {name: count or 0 for name, count in found.items()}

    def of_book(self, book: Book | uuid.UUID) -> EditionQuerySet:
        """The editions of one book."""
        return self.filter(book=book)

    def preferred_first(self) -> EditionQuerySet:
        """The default edition first, then by id: the first of a book is the one that search shows."""
        return self.order_by(F("is_default").desc(), "id")


class Edition(models.Model):
    """One text of a book, as one source gives it; ``id`` is the contract's ``versionId``."""

    id = models.PositiveIntegerField(primary_key=True)
    book = models.ForeignKey(Book, models.PROTECT, related_name="editions")
    source = models.CharField(_("source"), max_length=50, help_text=_("Which collection the text came from."))
    source_url = models.URLField(_("address at the source"), max_length=500, blank=True)
    editor = models.CharField(_("editor"), max_length=500, blank=True)
    publisher = models.CharField(_("publisher"), max_length=500, blank=True)
    place = models.CharField(_("place"), max_length=200, blank=True)
    year = models.CharField(_("year"), max_length=100, blank=True)
    numbering = models.CharField(
        _("page numbering"), max_length=10, choices=Numbering.choices, default=Numbering.UNKNOWN
    )
    is_default = models.BooleanField(_("default edition"), default=False)
    is_published = models.BooleanField(_("published"), default=True)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    attribution = models.TextField(_("attribution"), blank=True)
    passages_issued = models.PositiveIntegerField(
        default=0, editable=False, help_text="How many passage ids were ever given; never falls."
    )
    passage_count = models.PositiveIntegerField(default=0, editable=False)
    page_count = models.PositiveIntegerField(default=0, editable=False)
    volumes = models.JSONField(
        default=list,
        editable=False,
        help_text="Derived from the pages: [{vol, first, last, first_ordinal, pages}] in reading order.",
    )
    content_hash = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="SHA-256 of the source file and the cutting rules.",
    )
    imported_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = EditionQuerySet.as_manager()

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(id__gt=0), name="edition_id_positive"),
            models.UniqueConstraint(fields=["book"], condition=Q(is_default=True), name="one_default_edition"),
            models.CheckConstraint(
                condition=Q(numbering__in=[value for value, _label in Numbering.choices]),
                name="edition_numbering",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book} ({self.id})"

    def get_absolute_url(self) -> str:
        """The book's page with this edition chosen; wants the book loaded."""
        return reverse("library:edition", args=[self.book.slug, self.pk])

    @property
    def has_printed_pages(self) -> bool:
        """Whether its page numbers may be called printed ones."""
        return self.numbering == Numbering.PRINT
