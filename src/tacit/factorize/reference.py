"""The whole idea on one screen: weighted matrix factorization as the paper writes it.

Guo & Diab, "Modeling Sentences in the Latent Space", ACL 2012, equations 3 to 5, with texts as rows:

    loss(P, Q) = sum_ij W_ij (p_i . q_j - x_ij)^2 + lambda (|P|^2 + |Q|^2)
    W_ij       = 1 where x_ij != 0, else w_m

With P fixed, each text's vector solves its own weighted ridge regression, and with Q fixed each word's
does: one function, ``solve``, serves both sides. Dense, slow and plain: the tests hold the fast kernels
against it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def weights(X: Array, missing_weight: float) -> Array:
    """W of equation 5: 1 for a word the text uses, w_m for one it does not."""
    return np.where(X != 0, 1.0, missing_weight)


def solve(X: Array, P: Array, missing_weight: float, regularization: float) -> Array:
    """Equation 4: the best vector of each row of X, given a vector for each of its columns.

    >>> solve(np.array([[2.0, 0.0]]), np.array([[1.0], [3.0]]), missing_weight=0.5, regularization=0.5)
    array([[0.333...]])
    """
    W = weights(X, missing_weight)
    shrink = regularization * np.eye(P.shape[1])
    return np.stack(
        [np.linalg.solve((P.T * w) @ P + shrink, P.T @ (w * x)) for x, w in zip(X, W, strict=True)]
    )


def loss(X: Array, P: Array, Q: Array, missing_weight: float, regularization: float) -> float:
    """Equation 3."""
    errors = weights(X, missing_weight) * (Q @ P.T - X) ** 2
    return float(errors.sum() + regularization * ((P**2).sum() + (Q**2).sum()))


def factorize(
    X: Array, P: Array, missing_weight: float, regularization: float, n_iter: int
) -> tuple[Array, Array, list[float]]:
    """Alternate the two sides from a start P; return Q, P and the loss after each sweep."""
    losses = []
    for _ in range(n_iter):
        Q = solve(X, P, missing_weight, regularization)
        P = solve(X.T, Q, missing_weight, regularization)
        losses.append(loss(X, P, Q, missing_weight, regularization))
    return solve(X, P, missing_weight, regularization), P, losses
