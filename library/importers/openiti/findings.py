"""Counting what a curator should see: one finding a kind and book, however often it occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..drafts import FindingDraft

PLACES_NAMED = 10
EXCERPT = 200

MESSAGES = {
    "empty-heading": "Headings without words; no section was made of them.",
    "editorial-marker": "Marks of an editor's part (PARATEXT, EDITOR); their text is kept as paragraphs.",
    "leftover-markup": "Signs left in the text that look like markup.",
    "odd-page-marker": "Page markers that cannot be read; kept as text.",
    "unmarked-line": "Lines without a paragraph mark; each was taken as a paragraph.",
    "unknown-line": "Lines that begin with an unknown mark; kept as paragraphs.",
    "html-dropped": "HTML tags that were dropped; their text is kept.",
    "tag-dropped": "Named tags that were dropped; their text is kept.",
    "stray-paragraph-mark": "Paragraph marks (#) beside a page marker in mid-line; dropped, the sentence runs on.",
    "quran-unbalanced": "Quran tags without their other half.",
    "page-in-text": "Page numbers written into the text itself ([ص: 4]); kept as text.",
    "page-repeated": "Page numbers that occur again.",
    "page-jump": "Page numbers that leave some out.",
    "page-back": "Page numbers that go back.",
    "page-unnumbered": "Page markers of number 0: pages without a printed number.",
    "rule-without-notes": "Rules of underscores with no footnote under them; dropped.",
    "note-page-mark": "Page markers in the notes at the end; they name the page of a note and close none.",
    "notes-tail": "Notes at the end whose page cannot be told; kept as a section of notes.",
    "notes-placed": "Notes at the end that were brought to pages by their marks and the words they explain.",
    "paragraph-cut": "Paragraphs of over a million letters; cut.",
}


@dataclass(slots=True)
class _Kind:
    count: int = 0
    line: int = 0
    excerpt: str = ""
    places: list[str] = field(default_factory=list)


class Tally:
    """What was met so far, by kind."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}

    def add(self, code: str, line: int, excerpt: str = "", place: str = "", count: int = 1) -> None:
        """Count ``code`` at ``line`` of the source; ``place`` says it better than a line number where given."""
        kind = self._kinds.setdefault(code, _Kind(line=line, excerpt=excerpt.strip()[:EXCERPT]))
        kind.count += count
        if len(kind.places) < PLACES_NAMED:
            kind.places.append(place or str(line))

    def count(self, code: str) -> int:
        """How many of a kind were met."""
        return self._kinds[code].count if code in self._kinds else 0

    def findings(self) -> Iterator[FindingDraft]:
        """One finding a kind, in order of first occurrence."""
        for code, kind in self._kinds.items():
            more = ", …" if kind.count > len(kind.places) else ""
            message = f"{MESSAGES[code]} {kind.count} in all; lines: {', '.join(kind.places)}{more}"
            yield FindingDraft(code, message, kind.line, kind.excerpt, kind.count)
