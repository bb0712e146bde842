"""Interleaved NMF (Van de Cruys & Apidianaki 2011) in plain numpy (test oracle).

"Latent Semantic Word Sense Induction and Disambiguation", ACL 2011, equations 2 and 3 and the order of
section 3.2. Three matrices share their factors:

    A (words x features)          ~ W H
    B (words x context words)     ~ V G,  V copied from W
    C (context words x features)  ~ U F,  U copied from the transpose of G; H is copied from F
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def update_right(A: Array, W: Array, H: Array) -> Array:
    """Update H for A ~ W H by equation 2.

    >>> update_right(np.array([[2.0, 4.0]]), np.ones((1, 1)), np.ones((1, 2)))
    array([[2., 4.]])
    """
    return H * (W.T @ (A / (W @ H))) / W.sum(axis=0)[:, None]


def update_left(A: Array, W: Array, H: Array) -> Array:
    """Update W for A ~ W H by equation 3."""
    return update_right(A.T, H.T, W.T).T


def divergence(A: Array, WH: Array) -> float:
    """Compute the generalized Kullback-Leibler divergence, the objective."""
    is_nonzero = A > 0
    return float((A[is_nonzero] * np.log(A[is_nonzero] / WH[is_nonzero])).sum() - A.sum() + WH.sum())


def normalize_sums(vectors: Array) -> Array:
    """Scale the vector of each item (row) to sum to 1."""
    return vectors / np.maximum(vectors.sum(axis=1, keepdims=True), 1e-12)


def interleave(
    A: Array, B: Array, C: Array, W: Array, H: Array, G: Array, n_iter: int
) -> tuple[Array, Array, Array]:
    """Run the interleaved updates from a start; return W, H and G."""
    for _ in range(n_iter):
        W = normalize_sums(update_left(A, W, H))
        G = normalize_sums(update_right(B, W, G).T).T
        H = normalize_sums(update_right(C, G.T, H).T).T
    return W, H, G
