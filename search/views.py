"""The search page."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from library.models import Author, Book, Genre
from library.ports import query_addresses, search_tabs
from search.database import DeadlineExceeded
from search.errors import CorrectableSearchError, NoBookMatches
from search.excerpts import Excerpt, excerpt
from search.forms import MOST_SEEN, PAGE_SIZE, SearchForm, pack_ids
from search.retrieve import Hit, Hits, retrieve

log = logging.getLogger(__name__)

#: Parameters of the address by the filter they set, as the retrieval service names filters.
PARAMETERS = {
    "authorIds": ("author",),
    "bookIds": ("book",),
    "deathYearAH": ("died_from", "died_to"),
    "genres": ("genre",),
}


@dataclass(frozen=True, slots=True)
class Result:
    """A passage found, and the part of it that is shown."""

    hit: Hit
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the address without it."""

    label: str
    without: str


@require_safe
@vary_on_headers("HX-Request", "HX-History-Restore-Request")
def search(request: HttpRequest) -> HttpResponse:
    """The search box, its filters, and what was found. A bad filter gives status 400 and loses nothing typed.

    A query that names a place outright (``2:255``) leads there.
    """
    partial = request.htmx and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    if address := next(filter(None, query_addresses(request.GET.get("q", ""))), None):
        return HttpResponseClientRedirect(address) if partial else HttpResponseRedirect(address)
    genres = [genre for genre in Genre.objects.with_book_counts() if genre.book_count]
    form = SearchForm(request.GET, genres)
    context: dict[str, Any] = {"form": form, "genres": genres, "tabs": search_tabs(request, request.GET.get("q", ""))}
    status = 200
    if not form.is_valid():
        status = 400
    else:
        context["chips"] = _chips(request.GET, form)
        if form.cleaned_data["q"]:
            status = _answer(request, form, context)
    return render(request, "search/_results.html" if partial else "search/search.html", context, status=status)


def _answer(request: HttpRequest, form: SearchForm, context: dict[str, Any]) -> int:
    """Put the answer into ``context``; returns the status."""
    seen = form.cleaned_data["seen"]
    try:
        hits = retrieve(
            form.cleaned_data["q"],
            form.filters,
            form.cleaned_data["operator"] or "AND",
            PAGE_SIZE,
            exclude_ids=seen,
            deadline=time.monotonic() + settings.CALL_SECONDS,
        )
    except CorrectableSearchError as error:
        context["error"] = _explained(error)
        context["drops"] = _drops(request.GET, error)
        return 400
    except DeadlineExceeded:
        log.warning("search page: %s seconds were over", settings.CALL_SECONDS)
        context["error"] = _("Qaf could not complete this search. Try again shortly.")
        return 503
    context |= {
        "hits": hits,
        "results": [Result(hit, excerpt(hit.passage.text, hit.marks)) for hit in hits.results],
        "first": len(seen) + 1,
        "next": _next(request.GET, seen, hits),
    }
    return 200


def _next(query: QueryDict, seen: list[Any], hits: Hits) -> str | None:
    """The address of what comes after; None at the end, or where the address would grow too long."""
    shown = [*seen, *(hit.passage.pk for hit in hits.results)]
    if len(hits.results) < PAGE_SIZE or len(shown) > MOST_SEEN:
        return None
    return _address(query, seen=pack_ids(shown))


def _address(query: QueryDict, without: tuple[str, ...] = (), **changed: str) -> str:
    """The query string with some parameters left out and others set; blank ones and the place in the list go."""
    kept = [
        (name, value)
        for name, values in query.lists()
        if name not in {*without, *changed, "seen"}
        for value in values
        if value
    ]
    return f"?{urlencode([*kept, *changed.items()])}"


def _chips(query: QueryDict, form: SearchForm) -> list[Chip]:
    """The authors and books picked, by name; ids that name nothing are left to the search to refuse."""
    picked = form.cleaned_data
    chips = []
    for name, rows in (
        ("author", Author.objects.published().filter(pk__in=picked["author"]) if picked["author"] else ()),
        ("book", Book.objects.published().filter(pk__in=picked["book"]) if picked["book"] else ()),
    ):
        for row in rows:
            left = query.copy()
            left.setlist(name, [value for value in query.getlist(name) if value != str(row.pk)])
            chips.append(Chip(row.label(), _address(left)))
    return chips


def _explained(error: CorrectableSearchError) -> str:
    """What is wrong, in the reader's language."""
    if isinstance(error, NoBookMatches):
        return _("No book of the library matches what you picked. Leave something out:")
    return _("What you picked is not in the library, or not any more. Leave it out:")


def _drops(query: QueryDict, error: CorrectableSearchError) -> list[Chip]:
    """The filters that can be left out, each with the address without it."""
    names = {
        "authorIds": _("the author"),
        "bookIds": _("the book"),
        "deathYearAH": _("the death years"),
        "genres": _("the genres"),
    }
    fields = error.fields if isinstance(error, NoBookMatches) else [error.field.removeprefix("filters.")]
    return [Chip(names[field], _address(query, PARAMETERS[field])) for field in fields]
