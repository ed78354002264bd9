"""Finding what an address names; what was renamed, merged or moved answers with its new address."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from library.models import Author, Book, Edition, Redirect

P = ParamSpec("P")


class NotInLibrary(Http404):
    """Nothing is found at an address; the message, in the reader's language, says what was looked for."""


class Moved(Exception):
    """The address names something by an old name; ``now`` holds the arguments that are different in its new address."""

    def __init__(self, **now: object) -> None:
        super().__init__(now)
        self.now = now


View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def for_readers(view: View[P]) -> View[P]:
    """Answer with a permanent redirect to the same view for ``Moved``, query string kept, and with our 404 page.

    Django would show its own page for developers in place of ours where DEBUG is on, as it is with ``make run``.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Moved as moved:
            match = request.resolver_match
            if match is None:
                raise
            address = reverse(match.view_name, kwargs={**match.kwargs, **moved.now})
            query = request.META.get("QUERY_STRING")
            return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
        except NotInLibrary as missing:
            return not_found(request, missing)

    return answer


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 404 page, in the reader's language; it says what was looked for where one of our views knows."""
    message = str(exception) if isinstance(exception, NotInLibrary) else ""
    return render(request, "404.html", {"message": message}, status=404)


def get_author(slug: str) -> Author:
    """A published author; raises NotInLibrary, or Moved for an old slug."""
    author = Author.objects.published().filter(slug=slug).first()
    if author is None:
        _raise_moved(Redirect.Kind.AUTHOR_SLUG, slug)
        raise NotInLibrary(_("There is no such author in the library."))
    return author


def get_book(slug: str) -> Book:
    """A published book with author and genre; raises NotInLibrary, or Moved for an old slug."""
    book = Book.objects.published().with_catalogue().filter(slug=slug).first()
    if book is None:
        _raise_moved(Redirect.Kind.BOOK_SLUG, slug)
        raise NotInLibrary(_("There is no such book in the library."))
    return book


def get_edition(slug: str, version: int) -> Edition:
    """A published edition with its book, author and genre; raises NotInLibrary.

    Raises Moved when the slug is an old one of its book, or that of a book it was moved from, and when the edition was
    merged into another.
    """
    edition = Edition.objects.published().with_catalogue().filter(pk=version).first()
    if edition is None:
        successors = Redirect.objects.successors(Redirect.Kind.EDITION, [str(version)])
        if str(version) in successors:
            raise Moved(version=int(successors[str(version)]))
        raise NotInLibrary(_("There is no such edition in the library."))
    if edition.book.slug != slug:
        renamed = Redirect.objects.successors(Redirect.Kind.BOOK_SLUG, [slug])
        if slug in renamed or Book.objects.filter(slug=slug).exists():
            raise Moved(slug=edition.book.slug)
        raise NotInLibrary(_("There is no such book in the library."))
    return edition


def _raise_moved(kind: Redirect.Kind, slug: str) -> None:
    """Raise Moved when a slug was redirected."""
    successors = Redirect.objects.successors(kind, [slug])
    if slug in successors:
        raise Moved(slug=successors[slug])
