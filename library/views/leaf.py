"""Leaves of a book: its pages by number or order, its passages in order."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from library.addresses import PageName, address_of_page, address_of_passage, page_address
from library.leaves import Leaf, open_page, open_passage
from library.models import Edition, Page
from library.places import nearest_page, pages_named
from library.views.moves import NotInLibrary, for_readers, get_edition
from library.views.notices import asked, asked_again, asked_in_order, notice
from library.views.partial import PARTIAL_HEADERS, wants_partial


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
@for_readers
def page(request: HttpRequest, slug: str, version: int, vol: str, page: str) -> HttpResponse:
    """The page of a volume and number; ``?n=2`` the second that carries it.

    A number that no page carries leads to the nearest; what is no number, or no volume of the book, is not found.
    """
    edition = get_edition(slug, version)
    name, nth = PageName.parse(vol, page), _nth(request)
    if name is None or nth is None:
        raise NotInLibrary(_("“%(page)s” is not a page number.") % {"page": page})
    address = page_address(edition, vol=name.vol, number=name.number, suffix=name.suffix, ordinal=0, nth=nth)
    if request.path != address.partition("?")[0]:
        return HttpResponseRedirect(address)
    named = pages_named(edition, name)
    if leaf := open_page(edition, named[nth - 1 :]):
        return _answer(request, leaf)
    if nth > 1 and named.exists():
        return HttpResponseRedirect(asked_again(address.partition("?")[0], nth))
    if nearest := nearest_page(edition, name):
        address = address_of_page(edition, nearest)
        # A book of one volume is cited with its number and without.
        certain = (nearest.number, nearest.suffix) == (name.number, name.suffix) and nearest.vol in (name.vol, "1")
        return HttpResponseRedirect(address if certain else asked(address, name))
    raise NotInLibrary(_("This edition has no volume “%(vol)s”.") % {"vol": vol})


def _nth(request: HttpRequest) -> int | None:
    """The ``n`` of the query string, 1 without it, None for nonsense."""
    value = request.GET.get("n", "1")
    return int(value) if value.isascii() and value.isdecimal() and 0 < len(value) < 6 and int(value) else None


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
@for_readers
def page_by_ordinal(request: HttpRequest, slug: str, version: int, ordinal: int) -> HttpResponse:
    """The page of a place in the order: an unnumbered one is read here, a numbered one at its number."""
    edition = get_edition(slug, version)
    leaf = open_page(edition, Page.objects.in_edition(edition).at_ordinal(ordinal))
    if leaf is None:
        if not ordinal:
            raise NotInLibrary(_("“%(page)s” is not a page number.") % {"page": ordinal})
        last = Page.objects.in_edition(edition).with_nth().last()
        if last is None:
            raise NotInLibrary(_("This edition has no pages."))
        return HttpResponseRedirect(asked_in_order(address_of_page(edition, last), ordinal))
    return _answer(request, leaf) if leaf.address == request.path else HttpResponseRedirect(leaf.address)


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
@for_readers
def passage_in_order(request: HttpRequest, slug: str, version: int, sequence_number: int) -> HttpResponse:
    """A passage by itself: how an edition without pages is read."""
    edition = get_edition(slug, version)
    if leaf := open_passage(edition, sequence_number):
        return _answer(request, leaf)
    if not edition.passage_count:
        raise NotInLibrary(_("This edition has no text yet."))
    end = address_of_passage(edition, edition.passage_count - 1)
    if request.path == end:
        raise NotInLibrary(_("This edition has no text yet."))
    return HttpResponseRedirect(asked_in_order(end, sequence_number))


def _answer(request: HttpRequest, leaf: Leaf) -> HttpResponse:
    """A leaf as a whole page, or as the part that HTMX swaps in."""
    edition = leaf.edition
    context = {
        "leaf": leaf,
        "edition": edition,
        "book": edition.book,
        "editions": _others(edition),
        "notice": notice(request.GET),
    }
    name = "library/_leaf_part.html" if wants_partial(request) else "library/leaf.html"
    return render(request, name, context)


def _others(edition: Edition) -> list[Edition]:
    """The other editions of the book that have text."""
    editions = Edition.objects.published().of_book(edition.book).preferred_first()
    return [other for other in editions if other != edition and other.passage_count]
