"""Reference of the semantic kernels in dense numpy, written from the formulas of the paper.

Kandola, Shawe-Taylor & Cristianini, "Learning Semantic Similarity", NIPS 2002. With texts as rows,

    K = X X'   (texts x texts)          G = X' X   (terms x terms)

the von Neumann kernel solves the recurrences  K^ = lambda X G^ X' + K,  G^ = lambda X' K^ X + G  for
lambda < 1 / |K|, and the exponential kernel lets similarity spread over paths of every length t with weight
lambda^t / t!. Both replace the inner product a.b of two texts by a'Sb: S is the semantic proximity of terms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def von_neumann(K: Array, strength: float) -> Array:
    """Proposition 1: K (I - lambda K)^-1.

    >>> von_neumann(np.array([[2.0]]), 0.25)
    array([[4.]])
    """
    return np.asarray(K @ np.linalg.inv(np.eye(len(K)) - strength * K))


def exponential(K: Array, strength: float) -> Array:
    """Definition 4: K exp(lambda K).

    >>> exponential(np.array([[2.0]]), 0.5)
    array([[5.43656366]])
    """
    from scipy.linalg import expm

    return np.asarray(K @ expm(strength * K))


def von_neumann_proximity(G: Array, strength: float) -> Array:
    """S = lambda G^ + I, with which X S X' is the von Neumann kernel."""
    return strength * von_neumann(G, strength) + np.eye(len(G))


def exponential_proximity(G: Array, strength: float) -> Array:
    """Proposition 3: S = exp(lambda G)."""
    from scipy.linalg import expm

    return np.asarray(expm(strength * G))


def alignment(K: Array, y: Array) -> float:
    """Equation 3: y'Ky / (m |K|), for labels of 1 and -1.

    >>> alignment(np.ones((4, 4)), np.array([1.0, 1.0, 1.0, -1.0]))
    0.25
    """
    return float(y @ K @ y / (len(y) * np.linalg.norm(K)))
