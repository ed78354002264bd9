"""Blocks into passages: about 200 words each, cut where a reader would pause.

A passage never runs across a level-1 heading or into another hadith or entry (``TextBlock.item``). Within that, cuts
are made at paragraph ends, else at verse or sentence ends; a heading stays with what follows it. Nothing is lost or
added: the passages' texts, joined, are the blocks' texts, each ended by a newline (blocks of white space only are
dropped).

Cuts depend on nothing but the text near them, so that a change on one page moves few of them (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .drafts import Span, TextBlock
from .words import best_cut, count_words

TARGET_WORDS = 200
# Raise when the rules below cut any text differently: every book is then read again at its next import.
CUTTING_VERSION = 1


@dataclass(frozen=True, slots=True)
class CuttingRules:
    """How long passages are, in words."""

    target: int = TARGET_WORDS

    @property
    def least(self) -> int:
        """No cut is made before so many words, unless a level-1 heading or an item forces it."""
        return self.target // 2

    @property
    def most(self) -> int:
        """No passage has more (issue: at most 300 for 200)."""
        return self.target * 3 // 2

    def __str__(self) -> str:
        return f"v{CUTTING_VERSION}:{self.target}"


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage as the stored row will have it, but for its id, pages and notes.

    ``start`` is the code point of the whole book's text at which it begins.
    """

    start: int
    text: str
    spans: list[dict[str, Any]]
    item: str
    words: int


@dataclass(slots=True)
class _Run:
    """The part of a block from code point ``start`` on that no passage has yet. ``offset`` is the block's place."""

    block: TextBlock
    offset: int
    words: int
    start: int = 0

    @property
    def is_heading(self) -> bool:
        return self.block.kind == "heading"

    @property
    def opens_section(self) -> bool:
        return self.start == 0 and _opens_section(self.block)

    def take(self, end: int, words: int) -> _Run:
        """Split off what comes before code point ``end`` and keep the rest."""
        head = _Run(self.block, self.offset, words, self.start)
        self.start, self.words = end, self.words - words
        return head


class Cutter:
    """Takes blocks one by one and gives out passages as soon as they are settled; holds a passage and a block."""

    def __init__(self, rules: CuttingRules | None = None) -> None:
        self.rules = rules or CuttingRules()
        self.length = 0
        """Code points taken so far, newlines included: where the next block begins."""
        self._runs: list[_Run] = []
        self._words = 0
        self._item = ""

    def feed(self, block: TextBlock) -> Iterator[CutPassage]:
        """Take a block (with at least one visible character) and give out what it settles."""
        if self._begins_anew(block):
            yield from self.finish()
        if block.item or _opens_section(block):
            self._item = block.item
        run = _Run(block, self.length, count_words(block.text))
        self.length += len(block.text) + 1
        self._runs.append(run)
        self._words += run.words
        while self._words > self.rules.most:
            yield self._cut()

    def finish(self) -> Iterator[CutPassage]:
        """Give out what is left."""
        if self._runs:
            ends = [len(run.block.text) for run in self._runs]
            yield self._passage(self._runs, ends)
            self._runs, self._words = [], 0

    def _begins_anew(self, block: TextBlock) -> bool:
        """Whether a passage must begin here; an item takes along the headings that stand right before it."""
        if not self._runs:
            return False
        if _opens_section(block) and (block.level <= 1 or self._item):
            return True
        return bool(block.item) and not all(run.is_heading for run in self._runs)

    def _cut(self) -> CutPassage:
        """Part a passage from the front of what is held, which is longer than a passage may be."""
        count = self._best_boundary()
        if count:
            taken, self._runs = self._runs[:count], self._runs[count:]
            ends = [len(run.block.text) for run in taken]
        else:
            taken, ends = self._divide()
        self._words -= sum(run.words for run in taken)
        return self._passage(taken, ends)

    def _best_boundary(self) -> int:
        """How many whole runs make the best passage; 0 when no paragraph or verse ends at a fitting place."""
        rules, runs, before = self.rules, self._runs, 0
        best: tuple[int, int, int] | None = None
        for count, run in enumerate(runs[:-1], start=1):
            before += run.words
            if before > rules.most:
                break
            if before < rules.least or run.is_heading:
                continue
            following = runs[count]
            inside_poem = run.block.kind == "verse" == following.block.kind
            distance = abs(before - rules.target)
            if following.opens_section:
                distance -= rules.target // 4
            elif run.block.text.rstrip().endswith(":"):
                distance += rules.target // 4
            rank = (int(inside_poem), distance, count)
            if best is None or rank < best:
                best = rank
        return best[2] if best else 0

    def _divide(self) -> tuple[list[_Run], list[int]]:
        """Cut within the block that is too long: what comes before the cut, and where each part of it ends."""
        rules, runs, before, index = self.rules, self._runs, 0, 0
        while before + runs[index].words < rules.least or (
            runs[index].is_heading and before + runs[index].words < rules.most
        ):
            before += runs[index].words
            index += 1
        run = runs[index]
        end, words = best_cut(
            run.block.text,
            run.start,
            least=max(1, rules.least - before),
            most=rules.most - before,
            goal=max(1, rules.target - before),
            spans=[span for span in run.block.spans if span.end > run.start],
        )
        ends = [len(earlier.block.text) for earlier in runs[:index]]
        if end >= len(run.block.text):
            taken, self._runs = runs[: index + 1], runs[index + 1 :]
            return taken, [*ends, len(run.block.text)]
        taken, self._runs = [*runs[:index], run.take(end, words)], runs[index:]
        return taken, [*ends, end]

    def _passage(self, runs: list[_Run], ends: list[int]) -> CutPassage:
        """Put a passage together from runs, each up to its end."""
        parts: list[str] = []
        spans: list[dict[str, Any]] = []
        at = 0
        for run, end in zip(runs, ends, strict=True):
            text = run.block.text[run.start : end]
            spans += _spans(run, end, at)
            if end == len(run.block.text):
                text += "\n"
            parts.append(text)
            at += len(text)
        start = runs[0].offset + runs[0].start
        return CutPassage(start, "".join(parts), spans, self._item, sum(run.words for run in runs))


def _opens_section(block: TextBlock) -> bool:
    return block.kind == "heading" or bool(block.title)


def _spans(run: _Run, end: int, at: int) -> Iterator[dict[str, Any]]:
    """The stored spans of a run up to ``end`` that begins at ``at`` of its passage: the block's, then those in it."""
    block, shift = run.block, at - run.start
    whole: dict[str, Any] = {"kind": block.kind, "from": at, "to": end + shift, "mark": ""}
    if block.kind == "heading":
        whole["level"] = block.level
    yield whole
    for span in sorted(block.spans, key=_place):
        first, last = max(span.start, run.start), min(span.end, end)
        empty = span.start == span.end and (run.start <= span.start < end or span.start == end == len(block.text))
        if first < last or empty:
            yield {"kind": span.kind, "from": first + shift, "to": last + shift, "mark": span.mark}


def _place(span: Span) -> tuple[int, int]:
    """Reading order, outer spans first."""
    return span.start, -span.end
