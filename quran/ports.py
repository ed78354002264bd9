"""What the Quran plugs into the library's ports, besides the links of ``quran.quotations``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from library.ports import SearchTab
from quran.reading import address_of
from quran.references import parse_reference

if TYPE_CHECKING:
    from django.http import HttpRequest


def search_tab(request: HttpRequest, query: str) -> SearchTab:
    """The tab that sends a query to the verses."""
    address = reverse("quran:search")
    return SearchTab("quran", _("Quran"), f"{address}?{urlencode({'q': query})}" if query else address)


def address_in_query(query: str) -> str | None:
    """The verses that a query names outright: ``2:255``, ``سورة الكهف 10``. A name alone may be meant as a word."""
    reference = parse_reference(query, only_certain=True)
    if reference is None:
        return None
    if reference.verses is not None:
        return address_of(reference.verses)
    return reverse("quran:surah", args=[reference.surah])
