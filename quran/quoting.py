"""The passages of the library that quote verses, asked of whoever finds phrases (``library.ports.phrase_finder``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from library import ports
from library.arabic import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from library.models import Passage

#: Passages shown.
MOST = 12
#: Words of a phrase that tells a verse from ordinary speech; a shorter verse is one phrase, if it has three words.
WORDS, LEAST_WORDS = 6, 3
#: Phrases looked for at most. Books quote beginnings, so these are the first of each verse.
MOST_PHRASES = 8


def passages_quoting(texts: Sequence[str]) -> list[Passage]:
    """Published passages that quote one of the verses whose texts are given, or a good part of one."""
    found: dict[object, Passage] = {}
    for answer in ports.phrase_finder(phrases(texts), MOST):
        found.update({passage.pk: passage for passage in answer})
    return list(found.values())[:MOST]


def phrases(texts: Sequence[str]) -> list[str]:
    """What to look for: pieces of six words, side by side, as many of each verse as there is room for."""
    pieces = [_pieces(text) for text in texts]
    chosen: list[str] = []
    for rank in range(max(map(len, pieces), default=0)):
        chosen += [row[rank] for row in pieces if rank < len(row)]
    return chosen[:MOST_PHRASES]


def _pieces(text: str) -> list[str]:
    words = tokens(text)
    if len(words) < LEAST_WORDS:
        return []
    starts = range(0, max(len(words) - WORDS, 0) + 1, WORDS)
    return [text[words[start].start : words[min(start + WORDS, len(words)) - 1].end] for start in starts]
