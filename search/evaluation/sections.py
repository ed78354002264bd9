"""Editions in memory: their passages, and which part of which passage belongs to a section."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from library.models import Edition, Passage, Section


@dataclass(frozen=True)
class LoadedPassage:
    """A passage. ``headings`` are the code points ``(from, to)`` of its text that are headings, ascending."""

    id: str
    text: str
    headings: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Part:
    """What a section has of a passage, counted in words that are no heading's."""

    passage: LoadedPassage
    words: int


@dataclass(frozen=True)
class LoadedEdition:
    """An edition, its passages by sequence number, and its headings in reading order."""

    id: int
    book_id: uuid.UUID
    passages: list[LoadedPassage]
    headings: list[Section]

    def sections(self) -> Iterator[tuple[Section, list[Part]]]:
        """Each section with what it has of each passage, from its heading to the next of its level or a higher one."""
        for place, heading in enumerate(self.headings):
            following = self.headings[place + 1 :]
            end = next((later for later in following if later.level <= heading.level), None)
            yield heading, list(self._parts(heading, end))

    def _parts(self, heading: Section, end: Section | None) -> Iterator[Part]:
        last = end.sequence_number if end else len(self.passages) - 1
        for number in range(heading.sequence_number, last + 1):
            passage = self.passages[number]
            begin = heading.at if number == heading.sequence_number else 0
            stop = end.at if end and number == last else len(passage.text)
            if begin < stop:
                yield Part(passage, len(without_headings(passage, begin, stop).split()))


def load(edition: Edition) -> LoadedEdition:
    """Read an edition."""
    rows = Passage.objects.in_edition(edition).values_list("id", "text", "spans")
    passages = [LoadedPassage(str(pk), text, _headings(spans)) for pk, text, spans in rows]
    return LoadedEdition(edition.pk, edition.book_id, passages, list(Section.objects.in_edition(edition)))


def without_headings(passage: LoadedPassage, begin: int = 0, end: int | None = None) -> str:
    """The text from ``begin`` to ``end`` (all of it when None), the headings left out."""
    end = len(passage.text) if end is None else end
    kept: list[str] = []
    for start, stop in passage.headings:
        kept.append(passage.text[begin : min(start, end)] if start > begin else "")
        begin = max(begin, min(stop, end))
    kept.append(passage.text[begin:end])
    return "".join(kept)


def _headings(spans: Sequence[dict[str, Any]]) -> tuple[tuple[int, int], ...]:
    return tuple((span["from"], span["to"]) for span in spans if span["kind"] == "heading")
