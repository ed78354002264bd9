"""How verses, surahs and places in the Quran are called on a page."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext

from library.templatetags.qaf import EASTERN, number, numerals
from quran.data.widths import PAGE_HALF_EMS

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from quran.models import Surah, Verse
    from quran.reading import Leaf
    from quran.verse_keys import VerseRange

register = template.Library()

END_OF_AYAH = "\u06dd"
#: Keeps the sign of a verse's end on the line of its last word.
NO_BREAK = "\u00a0"
#: Shown on screens that are wide enough for the mushaf's lines.
LINE_END = '<br class="line-end">'
#: The text sets signs of pausing, and the signs of a quarter and of prostration, apart by spaces.
_KEPT_TOGETHER = re.compile("(?:\u06de )?[^ ]+(?: [\u06d6-\u06dc\u06e9]+)+|\u06de [^ ]+")


@register.filter
def verse_end(verse: Verse) -> str:
    """The sign of a verse's end with its number, as the mushaf has it."""
    return f"{NO_BREAK}{END_OF_AYAH}{str(verse.number).translate(EASTERN)}"


@register.filter
def verse_text(text: str) -> SafeString:
    """A verse's text, letter for letter, in which no line can begin with a sign of pausing or end with ``۞``."""
    return mark_safe(_KEPT_TOGETHER.sub(r'<span class="together">\g<0></span>', escape(text)))  # noqa: S308 - escaped


@register.filter
def verse_text_in_lines(verse: Verse) -> SafeString:
    """The same with a break at the end of every line that the mushaf ends within the verse."""
    edges = [0, *(at for at in verse.lines if at), len(verse.text)]
    pieces = [verse_text(verse.text[start:end]) for start, end in pairwise(edges)]
    return mark_safe(LINE_END.join(pieces))  # noqa: S308 - escaped by verse_text


@register.filter
def begins_line(verse: Verse) -> bool:
    """Whether the mushaf begins a line with it."""
    return 0 in verse.lines


@register.filter
def half_ems(page: int) -> int:
    """How wide a page of the mushaf is in our type."""
    return PAGE_HALF_EMS[page - 1]


@register.filter
def surah_name(surah: Surah) -> SafeString:
    """The surah's name in the interface's language."""
    return format_html("<bdi>{}</bdi>", surah.label())


@register.filter
def verse_count(surah: Surah) -> str:
    """``286 verses``."""
    count = surah.verse_count
    return ngettext("%(number)s verse", "%(number)s verses", count) % {"number": numerals(count)}


@register.filter
def key(wanted: VerseRange | Verse) -> SafeString:
    """``2:255-257`` in the digits of the interface, in its own order."""
    return number(str(wanted))


@register.filter
def arabic_reference(verse: Verse) -> str:
    """How a verse is cited in Arabic, whatever the interface's language: ``البقرة: ٢٥٥``."""
    return f"{verse.surah.name_ar}: {str(verse.number).translate(EASTERN)}"


@register.filter
def place(leaf: Leaf) -> SafeString:
    """What a leaf is: ``Page 293 of 604``, ``Juz 15``, ``Surah 18``, ``18:10``."""
    if leaf.wanted is not None:
        return key(leaf.wanted)
    sentences = {"page": gettext("Page {number}"), "juz": gettext("Juz {number}"), "surah": gettext("Surah {number}")}
    return format_html(sentences[leaf.kind], number=number(leaf.number))


@register.filter
def short_title(leaf: Leaf) -> str:
    """A leaf's title in plain letters."""
    surahs = gettext(", ").join(surah.label() for surah in leaf.surahs[:3])
    if leaf.wanted is not None:
        return f"{surahs} {numerals(leaf.wanted)}"
    if leaf.kind == "surah":
        return gettext("Surah %(name)s") % {"name": surahs}
    if leaf.kind == "juz":
        return gettext("Juz %(number)s") % {"number": numerals(leaf.number)}
    return gettext("%(surahs)s, page %(number)s of the mushaf") % {"surahs": surahs, "number": numerals(leaf.number)}
