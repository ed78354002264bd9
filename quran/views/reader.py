"""Reading: the list of surahs, pages of the mushaf, juz, surahs, verses, and the passages that quote them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from library.arabic import to_ascii_digits
from library.views.moves import NotInLibrary
from library.views.partial import PARTIAL_HEADERS, wants_partial
from quran import reading
from quran.credits import credits_of
from quran.data.facts import JUZ_STARTS, MUSHAF_PAGES, SURAHS
from quran.models import Surah, Verse
from quran.quoting import passages_quoting
from quran.verse_keys import InvalidVerseKey, VerseRange, parse_verse_key
from quran.verses import QuranNotLoaded

if TYPE_CHECKING:
    from collections.abc import Callable

#: Seconds a page may wait for the online text.
PATIENCE = 5.0
#: What ``?translation=`` may say; without it English readers see the translation and Arabic ones do not.
TRANSLATIONS = ("none", "en")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The surahs and the juz."""
    context = {
        "surahs": list(Surah.objects.with_first_page().in_order()),
        "juz_starts": list(enumerate(JUZ_STARTS, start=1)),
        "last_page": MUSHAF_PAGES,
    }
    return render(request, "quran/home.html", context)


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
def page(request: HttpRequest, number: str) -> HttpResponse:
    """A page of the Madinah mushaf."""
    return _numbered(request, number, MUSHAF_PAGES, reading.open_page, _("The Madinah mushaf has 604 pages."))


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
def juz(request: HttpRequest, number: str) -> HttpResponse:
    """A juz."""
    return _numbered(request, number, reading.JUZ, reading.open_juz, _("The Quran has 30 juz."))


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
def surah(request: HttpRequest, number: str) -> HttpResponse:
    """A surah from beginning to end."""
    return _numbered(request, number, SURAHS, reading.open_surah, _("The Quran has 114 surahs."))


def _numbered(
    request: HttpRequest, number: str, last: int, open_leaf: Callable[[int], reading.Leaf], otherwise: str
) -> HttpResponse:
    """A leaf of a series; digits of any script lead to the address in ASCII ones."""
    wanted = to_ascii_digits(number)
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 5 and 1 <= int(wanted) <= last):
        raise NotInLibrary(otherwise)
    return _answer(request, _opened(open_leaf, int(wanted)))


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
def verses(request: HttpRequest, surah: str, numbers: str) -> HttpResponse:
    """A verse, or a range of them."""
    wanted = _range(surah, numbers)
    return _answer(request, _opened(reading.open_verses, wanted, time.monotonic() + PATIENCE))


@require_safe
@vary_on_headers(*PARTIAL_HEADERS)
def quoted(request: HttpRequest, surah: str, numbers: str) -> HttpResponse:
    """The passages of the library that quote some verses: beside them, or by themselves."""
    wanted = _range(surah, numbers)
    rows = list(Verse.objects.in_range(wanted.surah, wanted.first, wanted.last).with_surah())
    if not rows:
        raise NotInLibrary(_("The Quran is not loaded yet."))
    context = {
        "passages": passages_quoting([row.text for row in rows]),
        "surah": rows[0].surah,
        "wanted": wanted,
        "address": reading.address_of(wanted),
    }
    return render(request, "quran/_quoted.html" if wants_partial(request) else "quran/quoted.html", context)


@require_safe
def go(request: HttpRequest) -> HttpResponse:
    """Where the forms lead: ``?page=`` of the mushaf, ``?juz=``."""
    for name in ("page", "juz"):
        if value := to_ascii_digits(request.GET.get(name, "").strip()):
            return HttpResponseRedirect(reverse(f"quran:{name}", args=[value]))
    return HttpResponseRedirect(reverse("quran:home"))


def _range(surah: str, numbers: str) -> VerseRange:
    """The verses of an address; raises NotInLibrary with the rule that is broken."""
    try:
        return parse_verse_key(f"{surah}:{numbers}", limit=None)
    except InvalidVerseKey:
        raise NotInLibrary(_("There are no verses “%(key)s”.") % {"key": f"{surah}:{numbers}"}) from None


def _opened(open_leaf: Callable[..., reading.Leaf], *wanted: object) -> reading.Leaf:
    try:
        return open_leaf(*wanted)
    except QuranNotLoaded:
        raise NotInLibrary(_("The Quran is not loaded yet.")) from None


def _answer(request: HttpRequest, leaf: reading.Leaf) -> HttpResponse:
    """A leaf as a whole page, or as the part that HTMX swaps in."""
    if request.path != leaf.address:
        query = request.META.get("QUERY_STRING")
        return HttpResponseRedirect(f"{leaf.address}?{query}" if query else leaf.address)
    chosen = request.GET.get("translation")
    translation = chosen if chosen in TRANSLATIONS else _usual_translation()
    # The choice goes along to the neighbours, unless it is what one sees anyway.
    kept = f"?{urlencode({'translation': translation})}" if translation != _usual_translation() else ""
    context = {
        "leaf": leaf,
        "translated": translation == "en",
        "previous": leaf.previous and leaf.previous + kept,
        "next": leaf.next and leaf.next + kept,
        "kept": kept,
        "credits": credits_of(leaf.source, translated=translation == "en", paged=leaf.kind == "page"),
    }
    return render(request, "quran/_leaf_part.html" if wants_partial(request) else "quran/leaf.html", context)


def _usual_translation() -> str:
    return "none" if (get_language() or "ar").startswith("ar") else "en"
