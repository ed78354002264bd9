"""What must not be lost: an OpenITI file less its markup, by a few blunt expressions that know nothing of the reader.

Both sides are compared without white space. ``plain_source(path)`` is the file; ``draft_text(draft)`` what a reader
made of it, text and notes in the order of the source's lines. Stored rows hold the notes apart from the text, so that
their order differs: compare ``letters()`` of both, or the text alone where the book has no notes.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from library.importers.drafts import BookDraft, NoteBlock, TextBlock

PAGE = r"PageV[0-9A-Z]{1,4}P\d+[A-Za-z]?"

MARKUP = (
    # The tail of notes and the pages named in it.
    (re.compile(r"^#####ENDNOTES#$", re.MULTILINE), ""),
    (re.compile(r"^(### \|EDITOR\|\n)Endnotes$", re.MULTILINE), r"\1"),
    (re.compile(rf"^{PAGE}:$", re.MULTILINE), ""),
    # A page marker, and a paragraph mark right before or after it in mid-line.
    (re.compile(rf"(?<=[^\n#])#[ ]?(?={PAGE})"), ""),
    (re.compile(rf"{PAGE}[ ]*(?:#[ ])?"), ""),
    (re.compile(r"(?<![A-Za-z])ms[A-Z]?\d+(?:-\d+)?"), ""),
    # What begins a line.
    (re.compile(r"^### \|[A-Z]{3,}\|", re.MULTILINE), ""),
    (
        re.compile(
            r"^### (?:\|+|\$[A-Z]{3}_[A-Z]{3}\$|\$+(?= )|@(?: RAW)?)[ ]*(?:(?:AUTO|CHECK)\b[ ]*)*", re.MULTILINE
        ),
        "",
    ),
    (re.compile(r"^# (?:~~|\|(?!\|))", re.MULTILINE), ""),
    (re.compile(r"^(?:~~|#(?=\s|$))", re.MULTILINE), ""),
    # Within a line.
    (re.compile(r"%~%|@Q[BE]@|@[A-Z]{2,}@?\d*(?= )|\$RWY\$|(?<=\()¬|_{5,}"), ""),
    (re.compile(r"</?(?:a|span)\b[^<>]*>"), ""),
    (re.compile(r"\s+"), ""),
)


def plain_source(path: Path) -> str:
    """The letters of a file: header and markup gone, white space too."""
    text = path.read_text(encoding="utf-8-sig").split("#META#Header#End#", 1)[1]
    # An HTML tag may run over a line's end.
    text = re.sub(r"<a\b[^<>]*>", "", text)
    for markup, instead in MARKUP:
        text = markup.sub(instead, text)
    return text


def draft_text(draft: BookDraft) -> str:
    """The letters that a reader kept, in the order of the source; consumes the draft's blocks."""
    kept: list[tuple[int, str]] = []
    for block in draft.blocks:
        if isinstance(block, TextBlock):
            kept.append((block.line, block.text))
        elif isinstance(block, NoteBlock):
            kept.append((block.line, block.mark + block.text))
    return re.sub(r"\s+", "", "".join(text for _, text in sorted(kept, key=lambda item: item[0])))


def letters(text: str) -> Counter[str]:
    """How often each letter occurs, white space apart."""
    return Counter(re.sub(r"\s+", "", text))
