"""What the index worker does. Each task does one piece and says so in a line; ``""``: there was nothing to do."""

from __future__ import annotations

import logging
from collections.abc import Callable

from search.lexical.indexing import index_next_missing
from search.lexical.merging import merge_once
from search.providers.protocols import EmbedderUnavailable, ProviderFailed
from search.semantic.filling import embed_next, ensure_configured, finish_next

log = logging.getLogger(__name__)


def merge_segments() -> str:
    """Merge segments once."""
    merged = merge_once()
    return f"merged {merged} segments" if merged else ""


def index_missing() -> str:
    """Index editions that are not, or were under an older folding."""
    passages = index_next_missing()
    return f"indexed {passages} passages" if passages else ""


class EmbedPassages:
    """Embed a batch of passages; the first time, make the model that the settings ask for.

    Where there is no embedder it is not asked again: a machine does not grow one.
    """

    def __init__(self) -> None:
        self._unavailable = False

    def __call__(self) -> str:
        """See ``tasks``."""
        if self._unavailable:
            return ""
        try:
            if made := ensure_configured():
                return f"made the embedding model {made.key}"
            passages = embed_next()
        except EmbedderUnavailable as reason:
            self._unavailable = True
            log.warning("passages are not embedded here: %s", reason)
            return ""
        except ProviderFailed as reason:
            log.warning("passages are not embedded now: %s", reason)
            return ""
        return f"embedded {passages} passages" if passages else ""


#: In the order in which they are tried, round and round.
tasks: list[Callable[[], str]] = [index_missing, merge_segments, EmbedPassages(), finish_next]
