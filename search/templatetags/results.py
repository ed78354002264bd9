"""How a passage found is placed in its book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext

from library.templatetags.qaf import number

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from library.models import Passage

register = template.Library()


@register.filter
def passage_place(passage: Passage) -> SafeString:
    """Volume and page, number of the hadith or entry, else the place in reading order.

    Only pages numbered by print are called printed. Wants the passage's edition loaded.
    """
    if passage.item:
        return format_html(gettext("no. {item}"), item=number(passage.item))
    numbered = [page for page in passage.pages if page["page"] is not None]
    if not numbered:
        return format_html(gettext("passage {number}"), number=number(passage.sequence_number + 1))
    first, last = numbered[0], numbered[-1]
    with_volume = first["vol"] is not None and len(passage.edition.volumes) > 1
    pages = f"{first['page']}"
    if (first["vol"], first["page"]) != (last["vol"], last["page"]) and first["vol"] == last["vol"]:
        pages += f"–{last['page']}"
    label = number(f"{first['vol']}/{pages}" if with_volume else pages)
    if passage.edition.has_printed_pages:
        return format_html(gettext("printed page {page}"), page=label)
    return format_html(gettext("page {page}"), page=label)
