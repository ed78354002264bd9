"""Whose text it is: the line below every verse that is shown."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from quran.verses import Source

#: Names of translations by the Quran Foundation's numbers; another number is named by itself.
TRANSLATION_NAMES = {20: "Saheeh International"}


@dataclass(frozen=True, slots=True)
class Credit:
    """One source, and where it is found (empty: nowhere)."""

    label: str
    url: str


def credits_of(source: Source, *, translated: bool, paged: bool = False) -> list[Credit]:
    """The sources of verses shown with (``translated``) or without English, by pages of the mushaf (``paged``)."""
    if source is Source.QURAN_FOUNDATION:
        found = [Credit(_("Text: Quran Foundation"), "https://quran.foundation/")]
        if translated:
            number = settings.QURAN_FOUNDATION["translation"]
            name = TRANSLATION_NAMES.get(number) or _("translation no. %(number)s") % {"number": number}
            label = _("English: %(name)s, Quran Foundation") % {"name": name}
            found.append(Credit(label, "https://quran.foundation/"))
    else:
        found = [Credit(_("Uthmani text: Tanzil Project"), "https://tanzil.net/")]
        if translated:
            found.append(Credit(_("English: M. Pickthall, 1930"), ""))
    if paged:
        found.append(Credit(_("Pages of the Madinah mushaf: quran-text, CC BY 4.0"), "https://quran.ws/"))
    return found
