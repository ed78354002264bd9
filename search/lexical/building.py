"""From texts to a segment: words and stems counted, in memory, without a database."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from library.arabic import STEM_MARK, light_stem, phrase_positions, words
from library.arabic.spelling import has_signs
from search.constants import SEGMENT_SIZE
from search.lexical.blocks import PLACE_BITS, Postings, term_hash

#: PostgreSQL keeps at most so many positions of a lexeme, and none above so much; longer texts lose phrases, not words.
MAX_POSITIONS = 256
LAST_POSITION = 16_383
LONGEST_LENGTH = 65_535
#: Passages built at a time: some 200 MB while they are sorted. Merging, which needs less, makes them full segments.
BUILD_SIZE = 8_192


class Vocabulary(dict[str, int]):
    """Numbers forms as they are first met."""

    def __init__(self) -> None:
        super().__init__()
        self.lexemes: list[bytes] = []
        """Each form as a tsvector begins it."""
        self.odd: set[int] = set()
        """Plain words that do not stand for one position with one form."""

    def __missing__(self, form: str) -> int:
        number = self[form] = len(self)
        self.lexemes.append(form.encode() + b"\0")
        if not _is_plain(form):
            self.odd.add(number)
        return number


@lru_cache(maxsize=1 << 18)
def _is_plain(word: str) -> bool:
    """Whether a text made of this word is one position with this one form."""
    return phrase_positions(word) == [(word,)]


@dataclass
class Run:
    """Consecutive passages of one edition: where they start in the segment, how many, and the first one's number."""

    edition_id: int
    start: int
    first_sequence: int
    count: int = 0


@dataclass(frozen=True)
class Text:
    """One passage's words: the number of each form, and the position each stands at; None: each its own."""

    forms: NDArray[np.int32]
    positions: NDArray[np.int32] | None
    length: int

    def all_positions(self) -> NDArray[np.int32]:
        """The position of each form, from 0."""
        return np.arange(self.length, dtype=np.int32) if self.positions is None else self.positions


@dataclass
class SegmentBuilder:
    """Takes passages in reading order, edition by edition, at most ``BUILD_SIZE``; then all of the segment can be
    read.
    """

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    runs: list[Run] = field(default_factory=list)
    passage_ids: list[bytes] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.passage_ids)

    def add(self, edition_id: int, sequence_number: int, passage_id: UUID, text: str) -> Text:
        """Append a passage, and return its words."""
        run = self.runs[-1] if self.runs else None
        if run is None or run.edition_id != edition_id or run.first_sequence + run.count != sequence_number:
            run = Run(edition_id, len(self), sequence_number)
            self.runs.append(run)
        run.count += 1
        self.passage_ids.append(passage_id.bytes)
        self.texts.append(self._read(text))
        return self.texts[-1]

    def _read(self, text: str) -> Text:
        if not has_signs(text):
            # As below for plain words, which nearly all are, at half of its time.
            plain = words(text)
            forms = np.fromiter(map(self.vocabulary.__getitem__, plain), np.int32, len(plain))
            if not self.vocabulary.odd or self.vocabulary.odd.isdisjoint(forms.tolist()):
                return Text(forms, None, len(plain))
        found = phrase_positions(text)
        forms = np.fromiter(map(self.vocabulary.__getitem__, chain.from_iterable(found)), np.int32)
        counts = np.fromiter(map(len, found), np.int32, len(found))
        return Text(forms, np.repeat(np.arange(len(found), dtype=np.int32), counts), len(found))

    def lengths(self) -> NDArray[np.uint16]:
        """Words of each passage, by place."""
        counts = np.fromiter((text.length for text in self.texts), np.int64, len(self))
        return np.minimum(counts, LONGEST_LENGTH).astype(np.uint16)

    def postings(self) -> Postings:
        """Words and stems of all passages, counted."""
        sizes = np.fromiter((len(text.forms) for text in self.texts), np.int64, len(self))
        places = np.repeat(np.arange(len(self), dtype=np.int32), sizes)
        forms = np.concatenate([text.forms for text in self.texts])
        stems: dict[str, int] = {}
        stem_of = [stems.setdefault(STEM_MARK + light_stem(form), len(stems)) for form in self.vocabulary]
        stem_numbers, stem_places = np.array(stem_of, np.int32)[forms], places
        if any(text.positions is not None for text in self.texts):
            positions = np.concatenate([text.all_positions() for text in self.texts])
            stem_numbers, stem_places = _once_a_position(stem_numbers, places, positions)
        stem_numbers = stem_numbers + np.int32(len(self.vocabulary))
        terms = np.concatenate([forms, stem_numbers])
        hashes = np.fromiter((term_hash(term) for layer in (self.vocabulary, stems) for term in layer), np.uint64)
        return count_terms(terms, np.concatenate([places, stem_places]), hashes)

    def tsvector(self, text: Text) -> bytes:
        """A passage's words in PostgreSQL's binary format.

        The format is that of ``tsvectorsend``: a count, then for each lexeme its zero-terminated text, the number of
        its positions (uint16) and these, ascending from 1 (uint16, weight in the upper two bits), big-endian.
        """
        order = np.argsort(text.forms, kind="stable")
        forms = text.forms[order]
        places = (np.minimum(text.all_positions()[order], LAST_POSITION - 1) + 1).astype(">u2").tobytes()
        starts = np.flatnonzero(np.diff(forms, prepend=-1))
        ends = np.append(starts, len(forms))[1:]
        parts = [len(starts).to_bytes(4, "big")]
        lexemes = self.vocabulary.lexemes
        for form, begin, end in zip(forms[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
            end = min(end, begin + MAX_POSITIONS)
            parts += (lexemes[form], (end - begin).to_bytes(2, "big"), places[2 * begin : 2 * end])
        return b"".join(parts)


def count_terms(terms: NDArray[np.integer], places: NDArray[np.integer], hashes: NDArray[np.uint64]) -> Postings:
    """Occurrences (number of a term, place of a passage), in any order, as postings; ``hashes`` by number of term.

    Sorted where they lie: these arrays are most of what an import needs of memory.
    """
    by_hash = np.argsort(hashes)
    rank = np.empty(len(hashes), np.int64)
    rank[by_hash] = np.arange(len(hashes))
    keys = rank[terms]
    keys <<= PLACE_BITS
    keys |= places
    keys.sort()
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    frequencies = np.diff(starts, append=len(keys))
    unique = keys[starts]
    counts = np.bincount(unique >> PLACE_BITS, minlength=len(hashes))
    present = counts > 0
    return Postings(
        hashes[by_hash][present],
        counts[present],
        (unique & (SEGMENT_SIZE - 1)).astype(np.uint16),
        np.minimum(frequencies, 255).astype(np.uint8),
    )


def _once_a_position(
    stems: NDArray[np.int32], places: NDArray[np.int32], positions: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Forms of one position may share a stem; it counts once there. Forms of a position lie side by side."""
    shared = np.flatnonzero((places[1:] == places[:-1]) & (positions[1:] == positions[:-1])) + 1
    if not len(shared):
        return stems, places
    beside = np.union1d(shared, shared - 1)
    rows = np.unique(np.stack([places[beside], positions[beside], stems[beside]], axis=1), axis=0)
    alone = np.ones(len(stems), bool)
    alone[beside] = False
    return np.concatenate([stems[alone], rows[:, 2]]), np.concatenate([places[alone], rows[:, 0]])
