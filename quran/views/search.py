"""The search among verses."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from library.arabic import highlight_ranges
from quran.credits import credits_of
from quran.models import Verse
from quran.reading import address_of
from quran.search import Found, find
from quran.verses import Source

#: Verses shown at a time.
PART = 20

Pieces = list[tuple[str, bool]]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Verses that hold the words of ``?q=``, in Arabic or English; a reference leads to its verses at once."""
    query = request.GET.get("q", "").strip()
    context: dict[str, object] = {"query": query}
    if query:
        found = find(query)
        if found.reference and found.reference.verses:
            return HttpResponseRedirect(address_of(found.reference.verses))
        part = Paginator(found.verses, PART).get_page(request.GET.get("part"))
        context |= {
            "surah": found.surah,
            "credits": credits_of(Source.PACKAGED, translated=True),
            "part": part,
            "hits": [(verse, _pieces(verse, query, found)) for verse in part],
        }
    return render(request, "quran/search.html", context)


def _pieces(verse: Verse, query: str, found: Found) -> Pieces:
    """The text of a verse in pieces, and whether each is to be marked."""
    marks = highlight_ranges(verse.text, query) if found.in_arabic else []
    pieces: Pieces = []
    reached = 0
    for start, end in marks:
        pieces += [(verse.text[reached:start], False), (verse.text[start:end], True)]
        reached = end
    return [*pieces, (verse.text[reached:], False)]
