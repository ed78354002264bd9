"""Vectors of passages, kept on disk from one run to the next: a set is embedded once, however often it is measured."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from django.conf import settings

from search.providers.protocols import Embedder, EmbeddingModelSpec, Floats

#: Seconds that a run waits for another one to write.
PATIENCE = 60


class KeptVectors:
    """An ``Embedder`` that asks another one only for passages it has not seen; queries it always asks for, since what
    they take is measured. A file a model, so another make of it begins anew.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        """``folder``: where the files are; ``vectors`` in the variable folder when left out."""
        self._embedder = embedder
        self._folder = folder or Path(settings.VAR_DIR) / "vectors"

    @property
    def spec(self) -> EmbeddingModelSpec:
        """See ``Embedder``."""
        return self._embedder.spec

    @property
    def name(self) -> str:
        """See ``Embedder``."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """See ``Embedder``."""
        return self._embedder.dimension

    def embed_query(self, text: str, budget: float | None = None) -> Floats:
        """See ``Embedder``."""
        return self._embedder.embed_query(text, budget)

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """See ``Embedder``."""
        keys = [blake2b(text.encode(), digest_size=16).digest() for text in texts]
        with self._open() as file:
            kept = self._read(file, keys)
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
            if missing:
                made = self._embedder.embed_documents(list(missing.values()))
                file.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                    [(key, vector.astype("<f4").tobytes()) for key, vector in zip(missing, made, strict=True)],
                )
                kept |= dict(zip(missing, made, strict=True))
        file.close()
        return np.array([kept[key] for key in keys], np.float32).reshape(len(keys), self.dimension)

    def _open(self) -> sqlite3.Connection:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self._folder / f"{self.spec.key}.sqlite", timeout=PATIENCE)
        file.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
        return file

    @staticmethod
    def _read(file: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Floats]:
        marks = ", ".join("?" * len(keys))
        rows = file.execute(f"SELECT text, vector FROM vectors WHERE text IN ({marks})", keys)  # noqa: S608
        return {key: np.frombuffer(vector, "<f4") for key, vector in rows}
