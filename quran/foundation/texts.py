"""What is made of the service's texts: translations without markup and notes, verses as they came or not at all."""

from __future__ import annotations

import html.parser
from collections import Counter
from itertools import pairwise

from library.arabic import fold

#: How much of two spellings of one verse must agree, as the share of their pairs of letters (Dice). The spelling of the
#: King Fahd Complex agrees fully with the packaged one in 6,235 verses, by .96 in one (2:72); of the 6,235 pairs of
#: neighbouring verses five reach .9 (75:34, 78:4, 82:17, 94:5 and 102:3, which all but repeat themselves).
LEAST_AGREEMENT = 0.9


class _Plain(html.parser.HTMLParser):
    """Collects text outside of ``<sup>``; tags part words only where a browser would break the line."""

    _BREAKS = frozenset({"p", "br", "div", "li"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "sup":
            self._depth += 1
        elif tag in self._BREAKS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "sup":
            self._depth = max(self._depth - 1, 0)
        elif tag in self._BREAKS:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._depth:
            self.parts.append(data)


def plain_translation(text: str) -> str:
    """A translation without HTML and without the numbers of its notes (``<sup foot_note=…>1</sup>``)."""
    parser = _Plain()
    parser.feed(text)
    parser.close()
    return " ".join("".join(parser.parts).split())


def is_same_verse(text: str, packaged: str) -> bool:
    """Whether ``text`` is the verse whose packaged text is given, in whatever spelling."""
    mine, other = _pairs(text), _pairs(packaged)
    total = mine.total() + other.total()
    return total > 0 and 2 * (mine & other).total() / total >= LEAST_AGREEMENT


def _pairs(text: str) -> Counter[str]:
    letters = fold(text).replace(" ", "")
    return Counter(map("".join, pairwise(letters)))
