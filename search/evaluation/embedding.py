"""All passages of a scratch database embedded, by the index worker's own code."""

from __future__ import annotations

from tqdm import tqdm

from library.models import Passage
from search.evaluation.kept_vectors import KeptVectors
from search.providers.protocols import EmbedderUnavailable, ProviderFailed
from search.semantic.filling import embed_next, ensure_configured, finish_next
from search.semantic.models import EmbeddingBatch


class NotEmbedded(Exception):
    """Not every passage has a vector; the message says why."""


def embed_everything(*, show_progress: bool = False) -> None:
    """Give every passage its vector under the model that the settings ask for, and switch that model on.

    Raises:
        NotEmbedded: there is no embedder here, or it failed.
    """
    try:
        ensure_configured()
        with tqdm(
            total=Passage.objects.count(), unit=" vectors", leave=False, disable=None if show_progress else True
        ) as bar:
            while done := embed_next(KeptVectors):
                bar.update(done)
    except (EmbedderUnavailable, ProviderFailed) as reason:
        raise NotEmbedded(str(reason)) from reason
    failed = EmbeddingBatch.objects.first()
    if failed is not None:
        raise NotEmbedded(failed.error or "some passages were not embedded")
    while finish_next():
        pass
