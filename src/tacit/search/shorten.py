"""Fewer components for a join, without losing a pair.

Turned to their principal axes, vectors have most of their length in the first m components. For the rest,
Cauchy-Schwarz bounds the product by the product of lengths:

    x . y <= x_m . y_m + |x_rest| |y_rest|

which is itself an inner product, of the vectors (x_m, |x_rest|). A pair of unit vectors that passes a
threshold by x . y passes it by the short ones too; those that pass are then multiplied in full.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import one_blas_thread
from tacit.compute.tiles import jit
from tacit.factorize.als import gram_of

Array = NDArray[Any]

ROUNDING = 1e-5
MOST_PASSING = 0.001
"""The share of random pairs that may pass by the short vectors: looking at them in full costs little then."""

_STEP = 8
_SAMPLE = 512


def shortened(vectors: Array, least: float) -> Array:
    """Vectors of as few components as will do, whose products are never below the full ones by ROUNDING.

    >>> short = shortened(np.eye(64, dtype=np.float32), 0.5)
    >>> bool((short @ short.T >= np.eye(64) - ROUNDING).all())
    True
    """
    K = vectors.shape[1]
    if len(vectors) < 2 * _SAMPLE:
        return vectors
    with one_blas_thread():
        axes = np.linalg.eigh(gram_of(vectors))[1][:, ::-1].astype(np.float32)
        rng = np.random.default_rng(0)
        few = vectors[np.sort(rng.choice(len(vectors), 2 * _SAMPLE, replace=False))] @ axes
        for m in range(_STEP, K - _STEP, _STEP):
            short = _cut(few, m)
            if (short[:_SAMPLE] @ short[_SAMPLE:].T >= least).mean() <= MOST_PASSING:
                blocks = (vectors[i : i + 8192] @ axes for i in range(0, len(vectors), 8192))
                return np.concatenate([_cut(block, m) for block in blocks])
    return vectors


def _cut(turned: Array, m: int) -> Array:
    """The first m components and the length of the rest."""
    rest = np.sqrt(np.einsum("ij,ij->i", turned[:, m:], turned[:, m:]))
    return np.concatenate([turned[:, :m], rest[:, None]], axis=1)


@jit
def full_products(vectors, left, right):  # type: ignore[no-untyped-def]
    """The inner product of row left[i] with row right[i]."""
    found = np.empty(len(left), np.float32)
    for i in range(len(left)):
        total = np.float32(0)
        for k in range(vectors.shape[1]):
            total += vectors[left[i], k] * vectors[right[i], k]
        found[i] = total
    return found
