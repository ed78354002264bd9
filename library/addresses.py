"""Where things are read: the addresses of pages, passages, headings and notes of an edition.

``/books/<slug>/<version>/<vol>/<page>/`` opens the first page of that number (no volume is ``-``), ``?n=2`` the next;
unnumbered pages live at ``/books/<slug>/<version>/p/<ordinal>/``, and passages in reading order at ``…/t/<number>/``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from library.arabic import to_ascii_digits
from library.drawing import block_anchor, passage_anchor

if TYPE_CHECKING:
    from library.models import Edition, Page, Passage, Section

NO_VOLUME = "-"
# Seven digits: more than any book has pages, less than a database integer holds.
_VOLUME = re.compile(r"\w{1,50}")
_PAGE = re.compile(r"(?P<number>[0-9]{1,7})(?P<suffix>[^\W\d_]{0,10})")


@dataclass(frozen=True, slots=True)
class PageName:
    """How a page is called: its volume, number and suffix. ``P012A`` of no volume is (None, 12, "A")."""

    vol: str | None
    number: int
    suffix: str = ""

    @classmethod
    def parse(cls, vol: str, page: str) -> PageName | None:
        """The name in two parts of an address or a form, digits of any script; None for nonsense."""
        match = _PAGE.fullmatch(to_ascii_digits(page.strip()))
        vol = to_ascii_digits(vol.strip()) or NO_VOLUME
        if not match or not (vol == NO_VOLUME or _VOLUME.fullmatch(vol)):
            return None
        if vol.isascii() and vol.isdecimal():
            vol = str(int(vol))
        return cls(None if vol == NO_VOLUME else vol, int(match["number"]), match["suffix"])

    @property
    def label(self) -> str:
        """Number and suffix, as printed."""
        return f"{self.number}{self.suffix}"


def page_address(edition: Edition, *, vol: str | None, number: int | None, suffix: str, ordinal: int, nth: int) -> str:
    """The address of a page; wants the edition's book loaded."""
    slug, version = edition.book.slug, edition.pk
    if number is None:
        return reverse("library:page_by_ordinal", args=[slug, version, ordinal])
    address = reverse("library:page", args=[slug, version, vol or NO_VOLUME, f"{number}{suffix}"])
    return f"{address}?n={nth}" if nth > 1 else address


def address_of_page(edition: Edition, page: Page) -> str:
    """The address of a page that was read ``with_nth``."""
    return page_address(
        edition, vol=page.vol, number=page.number, suffix=page.suffix, ordinal=page.ordinal, nth=page.nth
    )


def address_of_passage(edition: Edition, passage: Passage | int) -> str:
    """The address of a passage in reading order (its sequence number will do)."""
    number = passage if isinstance(passage, int) else passage.sequence_number
    return reverse("library:passage_in_order", args=[edition.book.slug, edition.pk, number])


def address_of_section(edition: Edition, section: Section) -> str:
    """The address of a heading, on its page where the section was read ``with_pages`` and there is one."""
    page = getattr(section, "page", None)
    leaf = page_address(edition, **page) if page else address_of_passage(edition, section.sequence_number)
    return f"{leaf}#{block_anchor(section.sequence_number, section.at)}"


def passage_on(address: str, sequence_number: int) -> str:
    """A page's address, with the passage marked on it."""
    return f"{address}#{passage_anchor(sequence_number)}"
