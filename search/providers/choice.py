"""Which embedder and which reranker the settings ask for; one of each a process."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from search.providers.cohere import CohereEmbedder, CohereReranker
from search.providers.local_e5 import LocalE5
from search.providers.local_rerank import LocalReranker
from search.providers.protocols import Embedder, Reranker


@cache
def local_embedder() -> LocalE5:
    """The embedder that needs no key; the local reranker uses its network even where Cohere embeds."""
    return LocalE5(settings.EMBEDDER_FOLDER, settings.EMBEDDER_THREADS)


@cache
def embedder() -> Embedder:
    """Cohere's where there is a key, the local one otherwise; loads nothing."""
    if settings.COHERE_API_KEY:
        return CohereEmbedder(settings.COHERE_API_KEY, settings.COHERE_EMBED_MODEL, settings.COHERE_BASE_URL)
    return local_embedder()


@cache
def reranker() -> Reranker | None:
    """Cohere's where there is a key, the local one otherwise; None where the setting turns reranking off."""
    if not settings.RERANKER:
        return None
    if settings.COHERE_API_KEY:
        return CohereReranker(settings.COHERE_API_KEY, settings.COHERE_RERANK_MODEL, settings.COHERE_BASE_URL)
    return LocalReranker(local_embedder())
