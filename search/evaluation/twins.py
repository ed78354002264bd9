"""Where words of one edition stand in another: by the runs of words both have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from library.arabic import tokens, words
from search.evaluation.sections import LoadedPassage

#: Words that ask.
ASKED_WORDS = 30

#: Words in a row that two editions must share before any of them counts.
RUN = 6


def beginning(text: str) -> str:
    """The first thirty words of a text, as they are written; empty when it has fewer."""
    found = tokens(text)
    return text[found[0].start : found[ASKED_WORDS - 1].end] if len(found) >= ASKED_WORDS else ""


class Aligner:
    """The runs of words of an edition, by the passages they begin and end in."""

    def __init__(self, passages: Sequence[LoadedPassage]) -> None:
        self._owners: list[str] = []
        self._runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        stream: list[str] = []
        for passage in passages:
            folded = words(passage.text)
            stream += folded
            self._owners += [passage.id] * len(folded)
        for start in range(len(stream) - RUN + 1):
            self._runs[tuple(stream[start : start + RUN])].append(start)

    def passages_with(self, text: str) -> list[str]:
        """The ids of the passages where a text stands: one that shares half its words or more, in runs, and those that
        share what that one has not, a third of the words each. None where two passages have as good a claim.
        """
        asked = words(text)
        held: dict[str, set[int]] = defaultdict(set)
        for start in range(len(asked) - RUN + 1):
            for place in self._runs.get(tuple(asked[start : start + RUN]), ()):
                for offset in range(RUN):
                    held[self._owners[place + offset]].add(start + offset)
        found: list[str] = []
        covered: set[int] = set()
        while held:
            first, *rest = sorted(held, key=lambda passage: len(held[passage] - covered), reverse=True)
            added = len(held[first] - covered)
            if added < len(asked) / (3 if found else 2):
                break
            if rest and len(held[rest[0]] - covered) == added:
                return []
            found.append(first)
            covered |= held.pop(first)
        return found
