"""Project vectors to fewer dimensions with an upper bound on their inner products.

On their principal axes, vectors have most of their length in the first m components. For the others, the
Cauchy-Schwarz inequality bounds the product by the product of the lengths:

    x . y <= x_m . y_m + |x_rest| |y_rest|

The bound is itself an inner product, of the vectors (x_m, |x_rest|). So every pair that reaches a threshold
also reaches it with the projected vectors; pairs that do are then compared by their full vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.compute.blas import one_blas_thread
from tacit.factorize.row_solver import gram_matrix
from tacit.search.kmeans_cells import BLOCK_ROWS, VectorSource
from tacit.types import Array

ROUNDING = 1e-5
"""Rounding error allowed for in comparisons of cosines."""

MAX_PASS_RATE = 0.001
"""Share of random pairs that may pass by the projected vectors: few enough to compare in full."""

_STEP = 8
_SAMPLE = 512
_BATCH = 8192  # rows that are projected together


@dataclass(frozen=True)
class Projection:
    """Rotates vectors to ``axes`` and keeps ``n_kept`` components and the length of the rest.

    Without axes, vectors stay as they are. The product of projected vectors is at least that of the full
    vectors, up to `ROUNDING`.

    >>> vectors = VectorSource(64, lambda rows: np.eye(64, dtype=np.float32)[rows])
    >>> projected = Projection.fit(vectors, 0.5).transform_all(vectors)
    >>> bool((projected @ projected.T >= np.eye(64) - ROUNDING).all())
    True
    """

    axes: Array | None
    n_kept: int

    @classmethod
    def fit(cls, vectors: VectorSource, min_product: float) -> Projection:
        """Choose the smallest number of components that separates pairs with at least ``min_product``."""
        if vectors.n < 2 * _SAMPLE:
            return cls(None, 0)
        rng = np.random.default_rng(0)
        with one_blas_thread():
            sample = np.sort(rng.choice(vectors.n, min(vectors.n, BLOCK_ROWS), replace=False))
            axes = np.linalg.eigh(gram_matrix(vectors.take(sample)))[1][:, ::-1].astype(np.float32)
            pair_sample = np.sort(rng.choice(vectors.n, 2 * _SAMPLE, replace=False))
            rotated = vectors.take(pair_sample) @ axes
            for n_kept in range(_STEP, rotated.shape[1] - _STEP, _STEP):
                short = _truncate(rotated, n_kept)
                if (short[:_SAMPLE] @ short[_SAMPLE:].T >= min_product).mean() <= MAX_PASS_RATE:
                    return cls(np.ascontiguousarray(axes), n_kept)
        return cls(None, 0)

    def transform(self, vectors: Array) -> Array:
        """Project vectors."""
        if self.axes is None:
            return vectors
        with one_blas_thread():
            parts = [
                _truncate(vectors[start : start + _BATCH] @ self.axes, self.n_kept)
                for start in range(0, len(vectors), _BATCH)
            ]
        return np.concatenate(parts) if parts else np.zeros((0, self.n_kept + 1), np.float32)

    def transform_all(self, vectors: VectorSource) -> Array:
        """Project all vectors of a source."""
        starts = range(0, max(vectors.n, 1), BLOCK_ROWS)
        blocks = [np.arange(start, min(start + BLOCK_ROWS, vectors.n)) for start in starts]
        return np.concatenate([self.transform(vectors.take(rows)) for rows in blocks])


def _truncate(rotated: Array, n_kept: int) -> Array:
    """Keep the first components and the length of the rest."""
    rest = np.sqrt(np.einsum("ij,ij->i", rotated[:, n_kept:], rotated[:, n_kept:]))
    return np.concatenate([rotated[:, :n_kept], rest[:, None]], axis=1)
