"""From texts to the arrays of a segment: words and stems counted, in memory, without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from library.arabic import STEM_MARK, light_stem, phrase_positions
from search.constants import SEGMENT_SIZE
from search.lexical.postings import encode

#: Bits of a key that hold the passage's place in its segment; the term's number stands above them.
PLACE_BITS = 16
#: PostgreSQL keeps at most so many positions of a lexeme, and none above so much; longer texts lose phrases, not words.
MAX_POSITIONS = 255
LAST_POSITION = 16_383
LONGEST_LENGTH = 65_535


class Vocabulary(dict[str, int]):
    """Numbers terms as they are first asked for."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


@dataclass
class Run:
    """Consecutive passages of one edition: where they start in the segment, how many, and the first one's number."""

    edition_id: int
    start: int
    first_sequence: int
    count: int = 0


@dataclass
class Text:
    """One passage's words: the number of each form, and the position each stands at."""

    forms: NDArray[np.int32]
    positions: NDArray[np.int32]
    length: int


@dataclass
class SegmentBuilder:
    """Takes passages in reading order, edition by edition, until full; then ``postings`` and the arrays are read."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    runs: list[Run] = field(default_factory=list)
    passage_ids: list[bytes] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.passage_ids)

    @property
    def is_full(self) -> bool:
        """Whether no passage fits in any more."""
        return len(self) >= SEGMENT_SIZE

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
        found = phrase_positions(text)
        number = self.vocabulary
        forms = np.fromiter((number[form] for alternatives in found for form in alternatives), np.int32)
        if len(forms) == len(found):
            positions = np.arange(len(found), dtype=np.int32)
        else:
            counts = np.fromiter((len(alternatives) for alternatives in found), np.int32, len(found))
            positions = np.repeat(np.arange(len(found), dtype=np.int32), counts)
        return Text(forms, positions, len(found))

    def lengths(self) -> NDArray[np.uint16]:
        """Words of each passage, by place."""
        counts = np.fromiter((text.length for text in self.texts), np.int64, len(self))
        return np.minimum(counts, LONGEST_LENGTH).astype(np.uint16)

    def postings(self) -> Iterator[tuple[str, int, bytes]]:
        """Each term with the number of its passages and its row, in the order of the index: words, then stems."""
        forms, places, positions = self._flat()
        stems = Vocabulary()
        stem_of = np.fromiter((stems[STEM_MARK + light_stem(word)] for word in self.vocabulary), np.int64)
        layers = (
            (list(self.vocabulary), _keys(forms, places)),
            (list(stems), _keys(*_once_a_position(stem_of[forms], places, positions))),
        )
        for terms, keys in layers:
            yield from self._rows(terms, keys)

    def _rows(self, terms: list[str], keys: NDArray[np.int64]) -> Iterator[tuple[str, int, bytes]]:
        unique, frequencies = np.unique(keys, return_counts=True)
        numbers = unique >> PLACE_BITS
        places = unique & (SEGMENT_SIZE - 1)
        first = np.searchsorted(numbers, np.arange(len(terms) + 1))
        bounds = first.tolist()
        for number in sorted(range(len(terms)), key=terms.__getitem__):
            begin, end = bounds[number], bounds[number + 1]
            row = encode(places[begin:end], frequencies[begin:end], len(self))
            yield terms[number], end - begin, row

    def _flat(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """All forms of all passages in reading order, with the place and position of each."""
        sizes = np.fromiter((len(text.forms) for text in self.texts), np.int64, len(self))
        places = np.repeat(np.arange(len(self)), sizes)
        return (
            np.concatenate([text.forms for text in self.texts]),
            places,
            np.concatenate([text.positions for text in self.texts]),
        )

    def lexemes(self) -> Iterator[bytes]:
        """Each passage's tsvector in PostgreSQL's binary format, by place.

        The format is that of ``tsvectorsend``: a count, then for each lexeme its zero-terminated text, the number of
        its positions (uint16) and these, ascending from 1 (uint16, weight in the upper two bits), big-endian.
        """
        heads = [word.encode() + b"\0" for word in self.vocabulary]
        for text in self.texts:
            order = np.argsort(text.forms, kind="stable")
            forms = text.forms[order]
            places = (np.minimum(text.positions[order], LAST_POSITION - 1) + 1).astype(">u2").tobytes()
            starts = np.flatnonzero(np.diff(forms, prepend=-1))
            ends = np.append(starts[1:], len(forms))
            parts = [len(starts).to_bytes(4, "big")]
            for form, begin, end in zip(forms[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
                end = min(end, begin + MAX_POSITIONS)
                parts += (heads[form], (end - begin).to_bytes(2, "big"), places[2 * begin : 2 * end])
            yield b"".join(parts)


def _keys(terms: NDArray[np.integer], places: NDArray[np.int64]) -> NDArray[np.int64]:
    return (terms.astype(np.int64) << PLACE_BITS) | places


def _once_a_position(
    stems: NDArray[np.int64], places: NDArray[np.int64], positions: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Forms of one position may share a stem; it counts once there. Forms of a position lie side by side."""
    shared = np.flatnonzero((places[1:] == places[:-1]) & (positions[1:] == positions[:-1])) + 1
    if not len(shared):
        return stems, places
    beside = np.union1d(shared, shared - 1)
    rows = np.stack([places[beside], positions[beside], stems[beside]], axis=1)
    unique = np.unique(rows, axis=0)
    alone = np.ones(len(stems), bool)
    alone[beside] = False
    return np.concatenate([stems[alone], unique[:, 2]]), np.concatenate([places[alone], unique[:, 0]])
