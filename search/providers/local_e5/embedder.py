"""multilingual-e5-small as an ``Embedder``: spelled as today, read by the network, centred. Needs no key and no
network.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from library.arabic import FOLD_VERSION
from search.modern_spelling import SPELLING_VERSION, check_text, modern_spelling
from search.providers.centring import Centring, e5_centring
from search.providers.local_e5.process import NetworkOfProcess
from search.providers.protocols import EmbeddingModelSpec, Floats

if TYPE_CHECKING:
    from search.providers.local_e5.network import E5Network

NAME = "multilingual-e5-small"
DIMENSION = 384
#: The model was trained with these before its texts (Wang et al., 2024).
QUERY_PREFIX = "query: "
DOCUMENT_PREFIX = "passage: "
#: Longer texts are cut: they become hubs that answer everything. A passage of the library has at most 300 words,
#: about 510 tokens.
PASSAGE_WORDS = 300


class LocalE5:
    """The local embedder. Constructing it loads nothing; the first text does."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """``folder`` keeps the graph; ``threads`` work on one text (vectors are the same for any number)."""
        self._network = NetworkOfProcess(folder, threads)

    @property
    def network(self) -> E5Network:
        """The loaded network of this process; raises EmbedderUnavailable."""
        return self._network()

    @cached_property
    def centring(self) -> Centring:
        """What is taken out of its vectors."""
        return e5_centring()

    @cached_property
    def spec(self) -> EmbeddingModelSpec:
        """See ``Embedder``."""
        return EmbeddingModelSpec(
            name=NAME,
            dimension=DIMENSION,
            query_prefix=QUERY_PREFIX,
            document_prefix=DOCUMENT_PREFIX,
            fold_version=FOLD_VERSION,
            spelling_version=SPELLING_VERSION,
            passage_words=PASSAGE_WORDS,
            constants_sha256=self.centring.sha256,
            factor=self.centring.factor,
        )

    @property
    def name(self) -> str:
        """See ``Embedder``."""
        return NAME

    @property
    def dimension(self) -> int:
        """See ``Embedder``."""
        return DIMENSION

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """See ``Embedder``. One text after the other, none padded, so a vector depends on nothing but its text."""
        # Row by row: a product of matrices rounds differently with their number of rows.
        rows = [self.centring(row) for row in self.uncentred(texts, DOCUMENT_PREFIX)]
        return np.array(rows, np.float32).reshape(len(rows), DIMENSION)

    def embed_query(self, text: str, budget: float | None = None) -> Floats:
        """See ``Embedder``. Takes some milliseconds; ``budget`` is there for embedders that wait for others."""
        return self.centring(self.uncentred([text], QUERY_PREFIX)[0])

    def uncentred(self, texts: Sequence[str], prefix: str) -> Floats:
        """Return the plain mean states of ``texts``, shape (texts, 384): what the centring's constants are made
        from.
        """
        rows = [self.network.mean(prefix + spelled(text)) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), DIMENSION)


def spelled(text: str) -> str:
    """Return the first 300 words of ``text`` as they are embedded; raises ValueError for a NUL or a lone surrogate."""
    check_text(text)
    return modern_spelling(" ".join(text.split(maxsplit=PASSAGE_WORDS)[:PASSAGE_WORDS]))
