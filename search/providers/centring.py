"""Taking out what all texts of a kind have in common, so that what is left is what each is about.

Vectors of this model crowd in one corner: all passages resemble each other, all questions do, all English texts do.
The mean vectors of eight kinds of texts span these directions; a share ``factor`` of a vector's part in that span
is removed, from queries and documents alike:

    v  ->  normalise(v - factor * v B' B)        B: an orthonormal basis of the span

One constant for both sides and both languages: no language has to be guessed, and nothing is taken from the library
at hand (docs/decisions/0042-centring.md; subtracting a mean a language, the other way, is in its table).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from search.providers.protocols import Floats

DATA = Path(__file__).resolve().parents[1] / "data"

#: Share of the common directions that is removed; measured on five sets, see the decision.
FACTOR = 0.5


@dataclass(frozen=True, slots=True)
class Centring:
    """An orthonormal ``basis`` (directions, dimension), the ``factor``, and the sha256 of the means they were made
    from.
    """

    basis: Floats
    factor: float
    sha256: str

    @classmethod
    def from_means(cls, means: Floats, factor: float) -> Centring:
        """Span the rows of ``means`` (kinds, dimension)."""
        _, sizes, rows = np.linalg.svd(means.astype(np.float64), full_matrices=False)
        basis = rows[sizes > 1e-6 * sizes[0]]
        return cls(basis.astype(np.float32), factor, hashlib.sha256(means.astype("<f4").tobytes()).hexdigest())

    def whole(self) -> Centring:
        """The centring that takes out all of the common part."""
        return replace(self, factor=1.0)

    def __call__(self, vectors: Floats) -> Floats:
        """Return ``vectors`` (…, dimension) centred and of length 1; a vector of nothing but the common part stays
        what it was.
        """
        unit = _normalise(vectors)
        return _normalise(unit - self.factor * (unit @ self.basis.T) @ self.basis)


@cache
def e5_centring() -> Centring:
    """The centring of multilingual-e5-small, from the data file that ``manage.py compute_means`` writes."""
    kinds = json.loads((DATA / "e5_small_means.json").read_text(encoding="utf-8"))["means"]
    return Centring.from_means(np.array(list(kinds.values()), np.float32), FACTOR)


def _normalise(vectors: npt.NDArray[np.floating[Any]]) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit
