"""A book: its editions, where they come from, and the table of contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from library.addresses import address_of_page, address_of_passage
from library.contents import branch_under, tree_along
from library.leaves import headings_above
from library.models import Book, Edition, Page, Section
from library.views.moves import NotInLibrary, for_readers, get_book, get_edition
from library.views.partial import PARTIAL_HEADERS, wants_partial

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Shelved:
    """An edition as its book's page lists it. ``beginning`` is the address of its first page; None when it is empty."""

    edition: Edition
    beginning: str | None
    is_chosen: bool


@require_safe
@for_readers
def book(request: HttpRequest, slug: str) -> HttpResponse:
    """A book with its preferred edition chosen."""
    return _show(request, get_book(slug), None)


@require_safe
@for_readers
def edition(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """A book with one of its editions chosen."""
    chosen = get_edition(slug, version)
    return _show(request, chosen.book, chosen)


def _show(request: HttpRequest, shown: Book, chosen: Edition | None) -> HttpResponse:
    editions = list(Edition.objects.published().of_book(shown).preferred_first())
    chosen = next((row for row in editions if chosen is None or row == chosen), None)
    context = {
        "book": shown,
        "contributors": shown.contributors.select_related("author").filter(author__is_published=True),
        "editions": _shelved(shown, editions, chosen),
        "edition": chosen,
        "contents": branch_under(chosen, None) if chosen else None,
    }
    return render(request, "library/book.html", context)


def _shelved(shown: Book, editions: Sequence[Edition], chosen: Edition | None) -> list[Shelved]:
    """The editions with the address at which each begins."""
    first = {page.edition_id: page for page in Page.objects.first_of([row.pk for row in editions]).with_nth()}
    found = []
    for row in editions:
        row.book = shown
        beginning = address_of_passage(row, 0) if row.passage_count else None
        if page := first.get(row.pk):
            beginning = address_of_page(row, page)
        found.append(Shelved(row, beginning, row == chosen))
    return found


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
@for_readers
def contents(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The table of contents of an edition.

    ``?at=<ordinal>`` opens it along that heading and marks it. ``?under=<ordinal>`` opens it along and under that
    heading; HTMX gets only what stands under it. ``&after=<ordinal>`` goes on where a long list stopped.
    """
    chosen = get_edition(slug, version)
    at, under = _section(request, chosen, "at"), _section(request, chosen, "under")
    after = _ordinal(request, "after") or 0
    context = {"edition": chosen, "book": chosen.book, "current": at or under, "parent": under}
    partial = wants_partial(request)
    is_part = bool(after or (under and partial))
    branch = branch_under(chosen, under, after) if is_part else tree_along(chosen, headings_above(at or under))
    if after and not branch.entries:
        raise NotInLibrary(_("There is no such heading."))
    name = "library/_contents_part.html" if partial else "library/contents.html"
    return render(request, name, {**context, "branch": branch})


def _ordinal(request: HttpRequest, name: str) -> int | None:
    """A number in the query string; raises NotInLibrary for anything but digits."""
    value = request.GET.get(name)
    if not value:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= 7):
        raise NotInLibrary(_("There is no such heading."))
    return int(value)


def _section(request: HttpRequest, chosen: Edition, name: str) -> Section | None:
    """The heading that the query string names, with those above it; raises NotInLibrary when there is none."""
    ordinal = _ordinal(request, name)
    if ordinal is None:
        return None
    section = Section.objects.in_edition(chosen).with_ancestors().filter(ordinal=ordinal).first()
    if section is None:
        raise NotInLibrary(_("There is no such heading."))
    return section
