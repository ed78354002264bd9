"""Lines that open a section: headings of five levels, biographies, events, entries, and an editor's parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNITS = {
    "BIO_MAN": "biography",
    "BIO_WOM": "biography",
    "BIO_REF": "cross-reference",
    "BIO_NLI": "name-list",
    "CHR_EVE": "event",
    "CHR_RAW": "event",
    "DIC_NIS": "entry",
    "DIC_TOP": "entry",
    "DIC_LEX": "entry",
    "DIC_BIB": "entry",
    "DOX_POS": "doxography",
    "DOX_SEC": "doxography",
}
"""Section kinds of mARkdown's named units (``### $BIO_MAN$``)."""

HEADING = re.compile(
    r"###\s*(?:(?:AUTO|CHECK)\s+)*(?:\|(?P<editorial>[A-Z]{3,})\||(?P<bars>\|{1,9})|\$(?P<unit>[A-Z]{3}_[A-Z]{3})\$|(?P<man>\${1,4})(?![A-Z$])"
    r"|(?P<event>@)(?:\s?RAW\b)?(?![A-Z]))\s*(?:(?:AUTO|CHECK|AUTO_CHECK)\b\s*)*(?P<text>.*)",
    re.DOTALL,
)
ITEM = re.compile(r"(?P<item>\d{1,6})\s*[-–.]\s")
TITLE_WORDS = 10
TITLE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's first line. ``level`` of a unit that is no heading counts from the heading above it."""

    kind: str
    level: int
    text: str
    editorial: bool = False


def read_heading(line: str) -> Heading | None:
    """What a line of ``###`` opens; None when it is no known mark."""
    match = HEADING.fullmatch(line.rstrip())
    if match is None:
        return None
    text = match["text"].strip()
    if match["editorial"] is not None:
        return Heading("editorial", 0, text, editorial=True)
    if match["bars"] is not None:
        return Heading("heading", len(match["bars"]), text)
    if match["event"] is not None:
        return Heading("event", 1, text)
    if match["man"] is not None:
        return Heading("biography" if len(match["man"]) < 3 else "cross-reference", 1, text)
    return Heading(UNITS.get(match["unit"], "entry"), 1, text)


def unit_title(text: str) -> str:
    """The name that a biography or entry begins with; empty when its whole first paragraph is the name.

    What stands before the first colon, else the first ten words.
    """
    match = re.match(rf"(.{{3,{TITLE_LENGTH}}}?)\s*:\s*\S", text)
    if match is not None:
        return match[1]
    words = text.split()
    if len(words) <= TITLE_WORDS + 2:
        return ""
    return " ".join(words[:TITLE_WORDS]) + " …"
