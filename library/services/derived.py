"""What is derived from other columns, looked at again: a raw UPDATE or a restored table may have left it behind.

Services and the importer keep all of it right; this is how one finds out that something else wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.db.models.functions import Length

from library.importers.layout import PageSpan, pages_of_passage, volumes_of
from library.models import Author, Book, Edition, NameForm, Page, Passage, Redirect

from . import redirects
from .names import differ, expected_forms, rebuild_name_forms, sort_keys

_AT_ONCE = 500

Item = TypeVar("Item")
Named = TypeVar("Named", Author, Book)


@dataclass(frozen=True, slots=True)
class Stale:
    """Something that no longer follows from what it is derived from; ``repair`` sets it right (None: a person must)."""

    check: str
    what: str
    repair: Callable[[], object] | None


def find_stale() -> Iterator[Stale]:
    """All checks over the whole library, one row of memory at a time."""
    yield from _names(Author)
    yield from _names(Book)
    for edition in Edition.objects.order_by("pk").iterator(chunk_size=_AT_ONCE):
        yield from _edition(edition)
    yield from _defaults()
    yield from _redirects()


def _names(model: type[Named]) -> Iterator[Stale]:
    """Sort keys and name forms."""
    kind = "author" if model is Author else "book"
    for things in _batches(model._default_manager.order_by("pk").iterator(chunk_size=_AT_ONCE)):
        stored: dict[object, dict[object, NameForm]] = {thing.pk: {} for thing in things}
        for form in NameForm.objects.filter(**{f"{kind}__in": things}):
            stored[getattr(form, f"{kind}_id")][form.pk] = form
        for thing in things:
            if (thing.sort_key_ar, thing.sort_key_en) != (keys := sort_keys(thing)):
                rows = model._default_manager.filter(pk=thing.pk)
                repair = partial(rows.update, sort_key_ar=keys[0], sort_key_en=keys[1])
                yield Stale("sort keys", f"{kind} {thing.pk}", repair)
            right, mine = {form.pk: form for form in expected_forms(thing)}, stored[thing.pk]
            if right.keys() != mine.keys() or any(differ(form, mine[pk]) for pk, form in right.items()):
                yield Stale("name forms", f"{kind} {thing.pk}", partial(rebuild_name_forms, [thing]))


def _edition(edition: Edition) -> Iterator[Stale]:
    """Counts, volumes, places and the passages' copies of pages."""
    rows = Page.objects.in_edition(edition).values_list("vol", "number", "suffix", "sequence_number", "at")
    pages = list(rows.iterator(chunk_size=_AT_ONCE))
    passages = Passage.objects.in_edition(edition)
    lengths = list(
        passages.annotate(length=Length("text")).values_list("sequence_number", "length").iterator(chunk_size=_AT_ONCE)
    )
    if [number for number, _length in lengths] != list(range(len(lengths))):
        yield Stale("passage order", f"edition {edition.pk} skips sequence numbers", None)
        return
    right = {
        "passage_count": len(lengths),
        "page_count": len(pages),
        "volumes": volumes_of([(vol, number) for vol, number, *_rest in pages]),
    }
    for name, value in right.items():
        if getattr(edition, name) != value:
            yield Stale(name, f"edition {edition.pk}", partial(_set, edition, name, value))
    if any(place[3] >= max(1, len(lengths)) for place in pages):
        yield Stale("page places", f"edition {edition.pk} has pages past its last passage", None)
        return
    yield from _page_copies(passages.values_list("pk", "pages").iterator(chunk_size=_AT_ONCE), pages, lengths)


def _set(edition: Edition, name: str, value: object) -> None:
    Edition.objects.filter(pk=edition.pk).update(**{name: value})


def _page_copies(
    copies: Iterable[tuple[UUID, object]],
    pages: list[tuple[str | None, int | None, str, int, int]],
    lengths: list[tuple[int, int]],
) -> Iterator[Stale]:
    """``Passage.pages`` against the page rows."""
    starts = [0]
    for _number, length in lengths:
        starts.append(starts[-1] + length)
    begins = [starts[number] + at for *_page, number, at in pages]
    ends = [*begins[1:], starts[-1]]
    spans = [
        PageSpan(vol, number, suffix, begin, end)
        for (vol, number, suffix, *_place), begin, end in zip(pages, begins, ends, strict=False)
    ]
    first = 0
    for place, (pk, copy) in enumerate(copies):
        right, first = pages_of_passage(spans, first, starts[place], starts[place + 1])
        if copy != right:
            repair = partial(Passage.objects.filter(pk=pk).update, pages=right)
            yield Stale("pages of passages", f"passage {pk}", repair)


def _defaults() -> Iterator[Stale]:
    """Books with editions, none of them the default."""
    defaults = Edition.objects.filter(book=OuterRef("pk"), is_default=True)
    editions = Edition.objects.filter(book=OuterRef("pk"))
    for book in Book.objects.filter(Exists(editions), ~Exists(defaults)).order_by("pk").iterator():
        first = Edition.objects.filter(book=book).order_by("pk")[:1].values("pk")
        repair = partial(Edition.objects.filter(pk__in=first).update, is_default=True)
        yield Stale("default edition", f"book {book.pk} has none", repair)


def _redirects() -> Iterator[Stale]:
    """Redirects that shadow a living row, lead on to another redirect, or lead nowhere."""
    for kind in Redirect.Kind.values:
        for rows in _batches(Redirect.objects.of_kind(kind).order_by("pk").iterator(chunk_size=_AT_ONCE)):
            olds, news = [row.old for row in rows], [row.new for row in rows]
            shadowed, alive = redirects.living(kind, olds), redirects.living(kind, news)
            for row in rows:
                if row.old in shadowed:
                    yield Stale("redirects", f"{row} shadows a living row", row.delete)
                elif row.new not in alive:
                    yield Stale("redirects", f"{row} leads nowhere", None)


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    while batch := list(islice(items, _AT_ONCE)):
        yield batch
