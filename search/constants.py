"""Every number that ranking depends on, in one place; changed only by `evaluate_search` over all sets at once."""

from __future__ import annotations

from dataclasses import dataclass

#: How many passages each arm offers (the contract's "24 semantic + 24 BM25").
CANDIDATES = 24

#: BM25's saturation and length normalisation (Robertson and Zaragoza 2009). Tuned together with the layers' weights on
#: eight judged sets (docs/decisions/0060-two-layers.md); the nearer k1 is to 0, the more it counts that a passage holds
#: another word of the query, and the less that it holds one of them again.
K1 = 0.6
B = 0.75

#: What a match of the exact word and of its stem are worth. An exact word has its stem's part too, so it always counts
#: more than a kindred one: half as much again, and the exact form is the rarer.
WORD_WEIGHT = 0.5
STEM_WEIGHT = 1.0

#: Passages a segment holds at most: places in it are uint16.
SEGMENT_SIZE = 65_536

#: So many segments of a size are merged into one.
MERGE_AT = 8

#: At most so many words of a query are scored, the rarest first.
MAX_WORDS = 32


@dataclass(frozen=True)
class Weights:
    """What BM25 is run with. A layer of weight 0 is not read."""

    k1: float = K1
    b: float = B
    word: float = WORD_WEIGHT
    stem: float = STEM_WEIGHT
