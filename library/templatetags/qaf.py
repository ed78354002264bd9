"""What every template of the site needs: numerals, numbers in mixed direction, the other language's address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import translate_url
from django.utils.html import format_html
from django.utils.translation import get_language

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

register = template.Library()

EASTERN = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@register.filter
def numerals(value: object) -> str:
    """``value`` as text, its digits those of the interface's language (٠١٢ in Arabic)."""
    text = str(value)
    return text.translate(EASTERN) if (get_language() or "ar").startswith("ar") else text


@register.filter
def number(value: object) -> SafeString:
    """A number, range or page reference that keeps its order in text of either direction."""
    return format_html('<bdi dir="ltr">{}</bdi>', numerals(value))


@register.filter
def thousands(value: int) -> str:
    """A count with its thousands set apart, in the digits of the interface's language."""
    arabic = (get_language() or "ar").startswith("ar")
    return numerals(f"{value:,}".replace(",", "٬" if arabic else ","))


@register.simple_tag(takes_context=True)
def address_in(context: template.Context, language: str) -> str:
    """The address of this page in ``language``; of the home page where it has none (an unknown address)."""
    request = context.get("request")
    if request is None or getattr(request, "resolver_match", None) is None:
        return "/" if language == "ar" else f"/{language}/"
    return translate_url(request.get_full_path(), language)
