"""What a query says: its words, and the phrases that must stand in a passage.

- a quoted part is a phrase; several must all be there, unless ``or`` (``أو``, ``|``) stands between them;
- backslashes before quotes are what programs leave behind, and mean nothing;
- a leading ``-`` or ``--``, an ellipsis and other punctuation mean nothing: folding drops them;
- a long text is pasted, not composed: its quotation marks are the author's, so it has no phrases;
- no word is obligatory outside quotes: ranking sees to the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from library.arabic import QueryWord, query_words, tsquery_phrase

#: A query of more words is a pasted text.
PASTED = 40

_ESCAPES = re.compile(r"\\+(?=[\"“”„])")
_QUOTED = re.compile(r"[\"“”„]([^\"“”„]*)[\"“”„]")
_OR = re.compile(r"\s*(?:\bor\b|(?<!\S)أو(?!\S)|(?<!\S)او(?!\S)|\|)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Query:
    """A parsed query. ``text`` is what was asked, without what only connected phrases."""

    text: str
    words: tuple[QueryWord, ...]
    tsquery: str
    """What must stand in a passage, in PostgreSQL's notation; empty: nothing must."""


def parse(text: str) -> Query:
    """Read a query; any string is one, and one without a letter or digit has no words."""
    text = _ESCAPES.sub("", text)
    groups, plain = _phrases(text)
    words = tuple(query_words(plain))
    if groups and len(words) > PASTED:
        return Query(text, tuple(query_words(text)), "")
    return Query(plain, words, " & ".join(groups))


def _phrases(text: str) -> tuple[list[str], str]:
    """The groups of phrases that must be there, and the text with quotation marks and connecting words left out."""
    groups: list[list[str]] = []
    kept: list[str] = []
    end = 0
    joined = False
    for match in _QUOTED.finditer(text):
        between = text[end : match.start()]
        joined = bool(groups) and bool(_OR.fullmatch(between))
        kept += [" " if joined else between, match[1]]
        end = match.end()
        phrase = tsquery_phrase(match[1])
        if not phrase:
            continue
        if joined:
            groups[-1].append(f"({phrase})")
        else:
            groups.append([f"({phrase})"])
    kept.append(text[end:])
    return [f"({' | '.join(group)})" for group in groups], " ".join(kept)
