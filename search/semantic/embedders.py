"""Which embedder makes the vectors of a model."""

from __future__ import annotations

from search.providers import choice
from search.providers.protocols import Embedder


def embedder_of(key: str) -> Embedder | None:
    """The embedder of this process whose model is ``key``: the one the settings ask for or the local one; None:
    neither is.

    A model made under other settings, or before a change of spelling, has none.
    """
    return next((each for each in (choice.embedder(), choice.local_embedder()) if each.spec.key == key), None)
