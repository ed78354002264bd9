"""What the index worker does. Each task does one piece and says so in a line; ``""``: there was nothing to do."""

from __future__ import annotations

from collections.abc import Callable

from search.lexical.indexing import index_next_missing
from search.lexical.merging import merge_once


def merge_segments() -> str:
    """Merge segments once."""
    merged = merge_once()
    return f"merged {merged} segments" if merged else ""


def index_missing() -> str:
    """Index editions that are not, or were under an older folding."""
    passages = index_next_missing()
    return f"indexed {passages} passages" if passages else ""


#: In the order in which they are tried, round and round.
tasks: list[Callable[[], str]] = [index_missing, merge_segments]
