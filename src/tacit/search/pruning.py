"""Fewer components for a join, without losing a pair.

Turned to their principal axes, vectors have most of their length in the first m components. For the rest,
Cauchy-Schwarz bounds the product by the product of lengths:

    x . y <= x_m . y_m + |x_rest| |y_rest|

which is itself an inner product, of the vectors (x_m, |x_rest|). A pair of unit vectors that passes a
threshold by x . y passes it by the short ones too; those that pass are then multiplied in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.factorize.row_solver import gram_of
from tacit.search.kmeans_cells import Vectors

Array = NDArray[Any]

ROUNDING = 1e-5
MOST_PASSING = 0.001
"""The share of random pairs that may pass by the short vectors: looking at them in full costs little then."""

_STEP = 8
_SAMPLE = 512
_BLOCK = 1 << 16  # rows that are turned together


@dataclass(frozen=True)
class Projection:
    """Turns vectors to ``axes`` and keeps ``m`` components and the length of the rest; or leaves them.

    The products of short vectors are never below the full ones by ROUNDING.

    >>> vectors = Vectors(64, lambda rows: np.eye(64, dtype=np.float32)[rows])
    >>> short = Projection.of(vectors, 0.5).all(vectors)
    >>> bool((short @ short.T >= np.eye(64) - ROUNDING).all())
    True
    """

    axes: Array | None
    m: int

    @classmethod
    def of(cls, vectors: Vectors, least: float) -> Projection:
        """As few components as will do for pairs with a product of ``least`` or more."""
        if vectors.n < 2 * _SAMPLE:
            return cls(None, 0)
        rng = np.random.default_rng(0)
        with one_blas_thread():
            seen = np.sort(rng.choice(vectors.n, min(vectors.n, _BLOCK), replace=False))
            axes = np.linalg.eigh(gram_of(vectors.taken(seen)))[1][:, ::-1].astype(np.float32)
            few = vectors.taken(np.sort(rng.choice(vectors.n, 2 * _SAMPLE, replace=False))) @ axes
            for m in range(_STEP, few.shape[1] - _STEP, _STEP):
                short = _cut(few, m)
                if (short[:_SAMPLE] @ short[_SAMPLE:].T >= least).mean() <= MOST_PASSING:
                    return cls(np.ascontiguousarray(axes), m)
        return cls(None, 0)

    def cut(self, vectors: Array) -> Array:
        """Short vectors for these."""
        if self.axes is None:
            return vectors
        with one_blas_thread():
            parts = [_cut(vectors[at : at + 8192] @ self.axes, self.m) for at in range(0, len(vectors), 8192)]
        return np.concatenate(parts) if parts else np.zeros((0, self.m + 1), np.float32)

    def all(self, vectors: Vectors) -> Array:
        """Short vectors for all there are."""
        blocks = [np.arange(at, min(at + _BLOCK, vectors.n)) for at in range(0, max(vectors.n, 1), _BLOCK)]
        return np.concatenate([self.cut(vectors.taken(rows)) for rows in blocks])


def _cut(turned: Array, m: int) -> Array:
    """The first m components and the length of the rest."""
    rest = np.sqrt(np.einsum("ij,ij->i", turned[:, m:], turned[:, m:]))
    return np.concatenate([turned[:, :m], rest[:, None]], axis=1)
