"""Cohere's models, used when there is a key: one embedder, one reranker.

The client is the official one over our own HTTP client, which ends every call by its deadline however slowly the
server drips. The official client does not split long lists, does not validate answers, and retries by itself for up
to a minute; so lists are split here, answers are checked, and nothing is retried: a search has no time for it, and
the index worker has attempts of its own.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import httpx
import numpy as np

from library.arabic import FOLD_VERSION
from library.http import client, ends_by
from search.modern_spelling import SPELLING_VERSION, check_text, modern_spelling
from search.providers.protocols import EmbeddingModelSpec, Floats, ProviderFailed, RerankSkipped

if TYPE_CHECKING:
    from cohere import ClientV2

log = logging.getLogger(__name__)
T = TypeVar("T")

#: Texts of one request at most; Cohere's API reference, "embed".
BATCH = 96
#: Of the sizes that embed-v4.0 offers (256, 512, 1024, 1536).
DIMENSION = 1024
#: Seconds for one batch of documents, in the index worker.
BATCH_SECONDS = 60.0
#: Seconds for a query without a budget.
QUERY_SECONDS = 10.0
#: Cohere reads the whole union of 24 and 24 candidates.
RERANKED = 48
#: A difference of .1 in its scores outweighs fused probabilities of 7 to 1. Not measured: it needs a key.
RERANK_TEMPERATURE = 0.05
#: As for the local model: a longer text would be about everything.
PASSAGE_WORDS = 300


class _Cohere:
    """What both have in common: a client a process, calls with a deadline, failures as short reasons."""

    def __init__(self, api_key: str, model: str, base_url: str) -> None:
        self.model = model
        self._api_key, self._base_url = api_key, base_url
        self._clients: dict[int, tuple[ClientV2, httpx.Client]] = {}

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        for _, http in self._clients.values():
            http.close()
        self._clients.clear()

    @property
    def _client(self) -> ClientV2:
        """The client of this process: a forked child must not share its parent's connections."""
        if (found := self._clients.get(os.getpid())) is None:
            from cohere import ClientV2

            http = client()
            made = ClientV2(self._api_key, base_url=self._base_url, httpx_client=http, max_retries=0)
            found = self._clients.setdefault(os.getpid(), (made, http))
        return found[0]

    def _call(self, what: str, seconds: float, ask: Callable[[ClientV2], Any], read: Callable[[Any], T]) -> T:
        """Return what ``read`` finds in the answer to ``ask``; raises ProviderFailed. Logs no header, no body and
        no key.
        """
        from cohere.core.api_error import ApiError

        try:
            with ends_by(time.monotonic() + seconds):
                return read(ask(self._client))
        except ApiError as error:
            reason = f"status {error.status_code}" if (error.status_code or 0) >= 400 else "unreadable answer"
        except httpx.TimeoutException:
            reason = "no answer in time"
        except httpx.HTTPError as error:
            reason = f"not reached ({type(error).__name__})"
        except _BadAnswer as error:
            reason = f"bad answer: {error}"
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            reason = f"unreadable answer ({type(error).__name__})"
        log.warning("cohere %s failed: %s", what, reason)
        raise ProviderFailed(f"cohere: {reason}")


class _BadAnswer(Exception):
    """An answer that parses and cannot be right."""


class CohereEmbedder(_Cohere):
    """``embed-v4.0`` as an ``Embedder``."""

    @cached_property
    def spec(self) -> EmbeddingModelSpec:
        """See ``Embedder``. Cohere's own ``input_type`` takes the place of prefixes."""
        return EmbeddingModelSpec(
            name=self.model,
            dimension=DIMENSION,
            query_prefix="",
            document_prefix="",
            fold_version=FOLD_VERSION,
            spelling_version=SPELLING_VERSION,
            passage_words=PASSAGE_WORDS,
            constants_sha256="",
            factor=0.0,
        )

    @property
    def name(self) -> str:
        """See ``Embedder``."""
        return self.model

    @property
    def dimension(self) -> int:
        """See ``Embedder``."""
        return DIMENSION

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """See ``Embedder``; a minute at most for every 96 texts."""
        spelled = [_spelled(text) for text in texts]
        batches = [spelled[start : start + BATCH] for start in range(0, len(spelled), BATCH)]
        rows = [self._embed(batch, "search_document", BATCH_SECONDS) for batch in batches]
        return np.concatenate(rows) if rows else np.empty((0, DIMENSION), np.float32)

    def embed_query(self, text: str, budget: float | None = None) -> Floats:
        """See ``Embedder``."""
        seconds = QUERY_SECONDS if budget is None else budget
        vector: Floats = self._embed([_spelled(text)], "search_query", seconds)[0]
        return vector

    def _embed(self, texts: list[str], kind: Literal["search_query", "search_document"], seconds: float) -> Floats:
        def ask(cohere: ClientV2) -> Any:
            return cohere.embed(
                model=self.model,
                input_type=kind,
                texts=texts,
                output_dimension=DIMENSION,
                embedding_types=["float"],
                request_options={"max_retries": 0},
            )

        return self._call("embed", seconds, ask, lambda answer: _vectors(answer.embeddings.float_, len(texts)))


class CohereReranker(_Cohere):
    """``rerank-v4.0-pro`` as a ``Reranker``."""

    @property
    def name(self) -> str:
        """See ``Reranker``."""
        return self.model

    @property
    def temperature(self) -> float:
        """See ``Reranker``; its scores go from 0 to 1 and are to decide."""
        return RERANK_TEMPERATURE

    @property
    def yields_to_words(self) -> bool:
        """See ``Reranker``: it reads the words too."""
        return False

    def capacity(self, limit: int) -> int:
        """See ``Reranker``: the whole union."""
        return RERANKED

    def rerank(self, query: str, texts: Sequence[str], budget: float) -> Sequence[float] | RerankSkipped:
        """See ``Reranker``."""
        if not texts:
            return []

        def ask(cohere: ClientV2) -> Any:
            documents = list(texts)
            return cohere.rerank(model=self.model, query=query, documents=documents, request_options={"max_retries": 0})

        try:
            return self._call("rerank", budget, ask, lambda answer: _scores(answer.results, len(texts)))
        except ProviderFailed as failure:
            return RerankSkipped(str(failure))


def _spelled(text: str) -> str:
    check_text(text)
    return modern_spelling(" ".join(text.split(maxsplit=PASSAGE_WORDS)[:PASSAGE_WORDS])) or "-"


def _vectors(rows: Any, count: int) -> Floats:
    """Check the vectors of an answer, and bring them to length 1."""
    if not isinstance(rows, list) or len(rows) != count:
        raise _BadAnswer("another number of vectors")
    vectors = np.array(rows, np.float32)
    if vectors.shape != (count, DIMENSION):
        raise _BadAnswer("vectors of another size")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise _BadAnswer("vectors that are no directions")
    unit: Floats = vectors / lengths
    return unit


def _scores(results: Any, count: int) -> list[float]:
    """Check the scores of an answer, and put them in the order of the texts."""
    if not isinstance(results, list) or len(results) != count:
        raise _BadAnswer("another number of scores")
    scores = [math.nan] * count
    for result in results:
        if not isinstance(result.index, int) or not 0 <= result.index < count:
            raise _BadAnswer("a score for a text that was not sent")
        scores[result.index] = float(result.relevance_score)
    if not all(map(math.isfinite, scores)):
        raise _BadAnswer("scores that are no numbers")
    return scores
