"""The loaded model: tokenizer, word table and onnxruntime session."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import numpy as np
import onnxruntime

from search.providers.local_e5.graph import cached_graph
from search.providers.local_e5.tokenizer import E5Tokenizer
from search.providers.local_e5.weights import Weights, dequantise, find_file
from search.providers.protocols import Floats

log = logging.getLogger(__name__)


class E5Network:
    """Computes token states of one text at a time. Threads may share it; results do not depend on how many threads
    there are.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Load the model, keeping its graph in ``folder``; raises EmbedderUnavailable."""
        started = time.perf_counter()
        weights = Weights(find_file())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Waiting threads sleep: on a small machine a spinning one takes a core from the web server.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        graph = str(cached_graph(weights, folder))
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._words = weights.blocks("emb.word", weights.rows)
        self.tokenizer = E5Tokenizer(weights.vocabulary, weights.positions)
        log.info("embedder loaded in %.1f s", time.perf_counter() - started)

    def states(self, ids: list[int]) -> Floats:
        """Return the last hidden state of each token of ``ids``, shape (tokens, 384)."""
        states: Floats = self._session.run(["tokens"], {"words": dequantise(self._words[ids])})[0]
        return states

    def mean(self, text: str) -> Floats:
        """Return the mean state of the tokens of ``text`` (its prefix included), shape (384,); raises ValueError as
        ``check_text``.
        """
        mean: Floats = self.states(self.tokenizer.ids(text)).mean(axis=0, dtype=np.float64).astype(np.float32)
        return mean
