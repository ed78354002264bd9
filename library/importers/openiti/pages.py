"""Page markers: what they say, and whether their numbers run as a book's do."""

from __future__ import annotations

import re

from ..drafts import PageBreak
from .findings import Tally

PageKey = tuple[str | None, int | None, str]
"""What a marker says: volume, number, suffix."""

VOLUME = r"[0-9A-Z]{1,4}"
NUMBER = r"\d{1,7}"
MARKER_END = r"(?=PageV|ms\d|[^0-9A-Za-z]|$)"
"""A marker may be glued to Arabic letters, to another marker or to a milestone, but not to other Latin letters."""


def page_break(volume: str, number: str, suffix: str, line: int) -> PageBreak:
    """The break that a marker ``PageV<volume>P<number><suffix>`` stands for.

    Volume ``00`` is none; ``01`` is "1"; a letter stays (``0M`` is "M", the introduction's own count; ``W0`` is "W0",
    a witness). Number 0 is a page without a printed number.
    """
    vol = volume.lstrip("0")
    return PageBreak(vol=vol or None, number=int(number) or None, suffix=suffix, closes=True, line=line)


def key_of(page: PageBreak) -> PageKey:
    """What a marker says, for comparing."""
    return page.vol, page.number, page.suffix


class Pagination:
    """The page breaks of a book as they come: their count, and findings about their numbers."""

    def __init__(self, tally: Tally) -> None:
        self.count = 0
        self._tally = tally
        self._seen: set[PageKey] = set()
        self._last: PageBreak | None = None

    def turn(self, page: PageBreak) -> None:
        """Take note of the next break."""
        self.count += 1
        if page.number is None:
            self._tally.add("page-unnumbered", page.line)
            return
        key = key_of(page)
        name = f"{page.line} ({_name(page)})"
        if key in self._seen:
            self._tally.add("page-repeated", page.line, place=name)
        self._seen.add(key)
        last, self._last = self._last, page
        if last is None or last.number is None or last.vol != page.vol:
            return
        step = f"{page.line} ({_name(last)} → {_name(page)})"
        if page.number > last.number + 1:
            self._tally.add("page-jump", page.line, place=step)
        elif page.number < last.number:
            self._tally.add("page-back", page.line, place=step)


def _name(page: PageBreak) -> str:
    return f"{page.vol or '-'}:{page.number}{page.suffix}"


NUMBERED = re.compile(rb"PageV[0-9A-Z]{1,4}P0*[1-9]")
"""A marker with a printed number, in the bytes of a file."""
