"""The byte layout of one posting row, written in one place and read in one place.

Sparse: the places as little-endian uint16, ascending, then as many uint8 frequencies (255 stands for more).
Dense, where at least a quarter of the segment's passages hold the term: one uint8 frequency a place, 0 where absent. It
takes a third of the room for the commonest words and is scored without scattering.
Which of the two follows from the row's and the segment's counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.uint16]
Frequencies = NDArray[np.uint8]

PLACE = np.dtype("<u2")
FREQUENCY = np.dtype("u1")


def is_dense(passage_count: int, segment_count: int) -> bool:
    """Whether a term in ``passage_count`` of a segment's ``segment_count`` passages is laid out densely."""
    return passage_count * 4 >= segment_count


def encode(places: NDArray[Any], frequencies: NDArray[Any], segment_count: int) -> bytes:
    """The bytes of a posting row; ``places`` ascend, ``frequencies`` beside them."""
    tf = np.minimum(frequencies, 255).astype(FREQUENCY)
    if is_dense(len(places), segment_count):
        dense = np.zeros(segment_count, FREQUENCY)
        dense[places] = tf
        return dense.tobytes()
    return places.astype(PLACE).tobytes() + tf.tobytes()


def decode(data: bytes, passage_count: int, segment_count: int) -> tuple[Places, Frequencies]:
    """The places and frequencies of a posting row, whichever way it is laid out."""
    if is_dense(passage_count, segment_count):
        dense = np.frombuffer(data, FREQUENCY)
        places = np.flatnonzero(dense).astype(PLACE)
        return places, dense[places]
    return (
        np.frombuffer(data, PLACE, passage_count),
        np.frombuffer(data, FREQUENCY, passage_count, 2 * passage_count),
    )
