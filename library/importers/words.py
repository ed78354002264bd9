"""Where a text may be cut between two of its words: at the end of a sentence, else of a clause, else anywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from .drafts import Span

# A "word" longer than this is counted as several: texts that lost their spaces must be cut too.
LONGEST_WORD = 100
_WORD = re.compile(rf"\S{{1,{LONGEST_WORD}}}\s*")
_CLOSERS = "»”’\"')]}﴾⟩>"
_SENTENCE_ENDS = frozenset(".!?؟…۔")
_CLAUSE_ENDS = frozenset("،,؛;:–—-")

# How good a place is, best first.
SENTENCE, CLAUSE, WORD, INSIDE = range(4)


def count_words(text: str) -> int:
    """Words of ``text``: runs of letters between spaces, those over ``LONGEST_WORD`` code points counted as several."""
    words = len(text.split())
    if len(text) <= LONGEST_WORD // 2 * (words + 1):
        return words
    return sum(1 for _ in _WORD.finditer(text.lstrip()))


def best_cut(text: str, start: int, *, least: int, most: int, goal: int, spans: Sequence[Span] = ()) -> tuple[int, int]:
    """The best place to cut ``text`` after between ``least`` and ``most`` of the words that follow ``start``.

    Sentence and verse ends come before clause ends, those before ends of words, and places inside a span (a verse, a
    quotation of the Quran) last; among equals the one nearest to ``goal`` words.

    Returns:
        The code point at which the rest begins (space stays with what was before), and the words before it. The whole
        text when it has no more than ``least`` words.
    """
    places = [word.end() for word in islice(_WORD.finditer(text, start), most)]
    if len(places) <= least:
        return (places[-1] if places else len(text)), len(places)
    near = [span for span in spans if span.start < places[-1] and span.end > start]
    ranked = [
        (_quality(text, place, near), abs(words - goal), words, place)
        for words, place in enumerate(places[least - 1 :], start=least)
    ]
    *_rank, words, place = min(ranked)
    return place, words


def _quality(text: str, place: int, spans: Sequence[Span]) -> int:
    """How good it is to cut before code point ``place``."""
    quality = WORD
    for span in spans:
        if span.start < place < span.end:
            return INSIDE
        if span.kind == "verse" and span.end <= place and not text[span.end : place].strip():
            quality = SENTENCE
    before = text[max(0, place - 8) : place].rstrip().rstrip(_CLOSERS)[-1:]
    if before in _SENTENCE_ENDS:
        return SENTENCE
    return min(quality, CLAUSE) if before in _CLAUSE_ENDS else quality
