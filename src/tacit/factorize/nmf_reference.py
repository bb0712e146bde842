"""Interleaved non-negative factorization as the paper writes it, on one screen.

Van de Cruys & Apidianaki, "Latent Semantic Word Sense Induction and Disambiguation", ACL 2011, equations 2
and 3 and the order of section 3.2. Three matrices share their factors:

    A (words x features)          ~ W H
    B (words x context words)     ~ V G,  V copied from W
    C (context words x features)  ~ U F,  U copied from the transpose of G; H is copied from F

Dense, slow and plain: the tests hold the fast kernel against it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def update_right(A: Array, W: Array, H: Array) -> Array:
    """Equation 2: a better H for A ~ W H.

    >>> update_right(np.array([[2.0, 4.0]]), np.ones((1, 1)), np.ones((1, 2)))
    array([[2., 4.]])
    """
    better: Array = H * (W.T @ (A / (W @ H))) / W.sum(axis=0)[:, None]
    return better


def update_left(A: Array, W: Array, H: Array) -> Array:
    """Equation 3: a better W for A ~ W H."""
    return update_right(A.T, H.T, W.T).T


def divergence(A: Array, WH: Array) -> float:
    """The generalised Kullback-Leibler divergence, the objective."""
    there = A > 0
    return float((A[there] * np.log(A[there] / WH[there])).sum() - A.sum() + WH.sum())


def by_item(vectors: Array) -> Array:
    """Each item's vector over the dimensions sums to 1: rows are items."""
    shares: Array = vectors / np.maximum(vectors.sum(axis=1, keepdims=True), 1e-12)
    return shares


def by_dimension(vectors: Array) -> Array:
    """Each dimension's values over the items sum to 1: rows are items."""
    shares: Array = vectors / np.maximum(vectors.sum(axis=0, keepdims=True), 1e-12)
    return shares


def plain(vectors: Array) -> Array:
    """Nothing is changed."""
    return vectors


NORMS = {"item": by_item, "dimension": by_dimension, "none": plain}


def interleave(
    A: Array, B: Array, C: Array, W: Array, H: Array, G: Array, n_iter: int, normalize: str
) -> tuple[Array, Array, Array]:
    """Run the interleaved updates from a start; returns W, H and G."""
    norm = NORMS[normalize]
    for _ in range(n_iter):
        W = norm(update_left(A, W, H))
        G = norm(update_right(B, W, G).T).T
        H = norm(update_right(C, G.T, H).T).T
    return W, H, G
