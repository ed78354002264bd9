"""Notices above a page: that it is not the one asked for, or how a place was kept across editions.

They travel in the query string (``?from=2:500``, ``?kept=section``), so that a page with a notice is an address like
any other, and no session is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from library.addresses import PageName
from library.places import Counterpart, Kept
from library.templatetags.qaf import number as drawn_number

if TYPE_CHECKING:
    from django.http import QueryDict


def with_query(address: str, **query: str) -> str:
    """An address with more in its query string; a fragment stays at its end."""
    address, mark, fragment = address.partition("#")
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}{urlencode(query, safe=':')}{mark}{fragment}"


def asked(address: str, name: PageName) -> str:
    """The address of the page that stands in for one that was asked for and is not there."""
    label = name.label if name.vol is None else f"{name.vol}:{name.label}"
    return with_query(address, **{"from": label})


def asked_again(address: str, nth: int) -> str:
    """The same for the ``nth`` page of a number that fewer pages carry."""
    return with_query(address, **{"from": f"again:{nth}"})


def asked_in_order(address: str, ordinal: int) -> str:
    """The same for a page or passage that was asked for by its place in the order."""
    return with_query(address, **{"from": f"order:{ordinal}"})


def kept(counterpart: Counterpart) -> str:
    """The address of a place in another edition."""
    return with_query(counterpart.address, kept=counterpart.kept.value)


def notice(query: QueryDict) -> SafeString | str:
    """The notice that a query string asks for; empty when it asks for none, or for nothing known."""
    match query.get("kept"):
        case Kept.PAGE.value:
            return _("The same page of this edition.")
        case Kept.WORDS.value:
            return _("The same words in this edition; its pages are not those of the other.")
        case Kept.SECTION.value:
            return _("The same heading in this edition; its pages are not those of the other.")
        case Kept.PROPORTION.value:
            return _("About the same place in this edition: neither its pages nor its headings match the other’s.")
    return _asked_notice(query.get("from", ""))


def _asked_notice(value: str) -> SafeString | str:
    """What ``from`` says."""
    vol, colon, page = value.rpartition(":")
    if vol == "order" and page.isascii() and page.isdecimal():
        return _("This edition does not reach so far; this is the end of it.")
    if vol == "again" and page.isascii() and page.isdecimal():
        return _("This number stands on fewer pages of this edition; this is the first of them.")
    name = PageName.parse(vol if colon else "", page)
    if name is None:
        return ""
    if name.vol is None:
        sentence = _("There is no page {page} in this edition; this is the nearest.")
    else:
        sentence = _("There is no page {page} in volume {vol} of this edition; this is the nearest.")
    return format_html(sentence, page=drawn_number(name.label), vol=drawn_number(name.vol))
