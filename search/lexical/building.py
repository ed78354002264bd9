"""From texts to a segment: words and stems counted, in memory, without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
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
BUILD_SIZE = 16_384


class Vocabulary(dict[str, int]):
    """Numbers forms as they are first met, and remembers which plain words are not one position with one form."""

    def __init__(self) -> None:
        super().__init__()
        self.odd: set[int] = set()

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        if not _is_plain(word):
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
    """Takes passages in reading order, edition by edition, until full; then everything of the segment can be read."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    runs: list[Run] = field(default_factory=list)
    passage_ids: list[bytes] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.passage_ids)

    @property
    def is_full(self) -> bool:
        """Whether no passage fits in any more."""
        return len(self) >= BUILD_SIZE

    def add(self, edition_id: int, sequence_number: int, passage_id: UUID, text: str) -> None:
        """Append a passage."""
        run = self.runs[-1] if self.runs else None
        if run is None or run.edition_id != edition_id or run.first_sequence + run.count != sequence_number:
            run = Run(edition_id, len(self), sequence_number)
            self.runs.append(run)
        run.count += 1
        self.passage_ids.append(passage_id.bytes)
        self.texts.append(self._read(text))

    def _read(self, text: str) -> Text:
        """As ``phrase_positions``, but for plain words, which nearly all are, at a third of its time."""
        if not has_signs(text):
            plain = words(text)
            forms = np.fromiter(map(self.vocabulary.__getitem__, plain), np.int32, len(plain))
            if self.vocabulary.odd.isdisjoint(forms.tolist()):
                return Text(forms, None, len(plain))
        found = phrase_positions(text)
        forms = np.fromiter((self.vocabulary[form] for alternatives in found for form in alternatives), np.int32)
        counts = np.fromiter(map(len, found), np.int32, len(found))
        return Text(forms, np.repeat(np.arange(len(found), dtype=np.int32), counts), len(found))

    def lengths(self) -> NDArray[np.uint16]:
        """Words of each passage, by place."""
        counts = np.fromiter((text.length for text in self.texts), np.int64, len(self))
        return np.minimum(counts, LONGEST_LENGTH).astype(np.uint16)

    def postings(self) -> Postings:
        """Words and stems of all passages, counted."""
        sizes = np.fromiter((len(text.forms) for text in self.texts), np.int64, len(self))
        places = np.repeat(np.arange(len(self)), sizes)
        forms = np.concatenate([text.forms for text in self.texts])
        stems: dict[str, int] = {}
        stem_of = [stems.setdefault(STEM_MARK + light_stem(form), len(stems)) for form in self.vocabulary]
        stem_numbers, stem_places = np.array(stem_of, np.int64)[forms], places
        if any(text.positions is not None for text in self.texts):
            positions = np.concatenate([text.all_positions() for text in self.texts])
            stem_numbers, stem_places = _once_a_position(stem_numbers, places, positions)
        terms = np.concatenate([forms, stem_numbers + len(self.vocabulary)])
        hashes = np.fromiter((term_hash(term) for layer in (self.vocabulary, stems) for term in layer), np.uint64)
        return count_terms(terms, np.concatenate([places, stem_places]), hashes)

    def lexemes(self) -> Iterator[bytes]:
        """Each passage's tsvector in PostgreSQL's binary format, by place.

        The format is that of ``tsvectorsend``: a count, then for each lexeme its zero-terminated text, the number of
        its positions (uint16) and these, ascending from 1 (uint16, weight in the upper two bits), big-endian.
        """
        heads = [form.encode() + b"\0" for form in self.vocabulary]
        for text in self.texts:
            order = np.argsort(text.forms, kind="stable")
            forms = text.forms[order]
            places = (np.minimum(text.all_positions()[order], LAST_POSITION - 1) + 1).astype(">u2").tobytes()
            starts = np.flatnonzero(np.diff(forms, prepend=-1))
            ends = np.append(starts, len(forms))[1:]
            parts = [len(starts).to_bytes(4, "big")]
            for form, begin, end in zip(forms[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
                end = min(end, begin + MAX_POSITIONS)
                parts += (heads[form], (end - begin).to_bytes(2, "big"), places[2 * begin : 2 * end])
            yield b"".join(parts)


def count_terms(terms: NDArray[np.integer], places: NDArray[np.int64], hashes: NDArray[np.uint64]) -> Postings:
    """Occurrences (number of a term, place of a passage), in any order, as postings; ``hashes`` by number of term."""
    by_hash = np.argsort(hashes)
    rank = np.empty(len(hashes), np.int64)
    rank[by_hash] = np.arange(len(hashes))
    keys = (rank[terms] << PLACE_BITS) | places
    unique, frequencies = np.unique(keys, return_counts=True)
    counts = np.bincount(unique >> PLACE_BITS, minlength=len(hashes))
    present = counts > 0
    return Postings(
        hashes[by_hash][present],
        counts[present],
        (unique & (SEGMENT_SIZE - 1)).astype(np.uint16),
        np.minimum(frequencies, 255).astype(np.uint8),
    )


def _once_a_position(
    stems: NDArray[np.int64], places: NDArray[np.int64], positions: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Forms of one position may share a stem; it counts once there. Forms of a position lie side by side."""
    shared = np.flatnonzero((places[1:] == places[:-1]) & (positions[1:] == positions[:-1])) + 1
    if not len(shared):
        return stems, places
    beside = np.union1d(shared, shared - 1)
    rows = np.unique(np.stack([places[beside], positions[beside], stems[beside]], axis=1), axis=0)
    alone = np.ones(len(stems), bool)
    alone[beside] = False
    return np.concatenate([stems[alone], rows[:, 2]]), np.concatenate([places[alone], rows[:, 0]])
