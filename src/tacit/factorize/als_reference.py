"""Equations of WMF (Guo & Diab 2012) and b-WMF (Aldarmaki & Diab 2016) in plain numpy (test oracle).

Guo & Diab, "Modeling Sentences in the Latent Space", ACL 2012, equations 3 to 5, with texts as rows:

    loss(P, Q) = sum_ij W_ij (p_i . q_j - x_ij)^2 + lambda (|P|^2 + |Q|^2)
    W_ij       = 1 where x_ij != 0, else w_m

With P fixed, each text's vector solves its own weighted ridge regression, and with Q fixed each word's vector
does: one function, ``solve``, serves both.

b-WMF (Aldarmaki & Diab, SemEval 2016), for any number of languages l:

    loss = sum_l sum_j has_jl sum_i W_ij (p_li . q_j - x_lij)^2 + lambda (|Q|^2 + sum_l |P_l|^2)      (4)

with ``has_jl`` 1 where row j has language l. b-WMF alternates the three equations (5); x-WMF uses the last of
them once, with Q folded in from a pivot language (2).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def weights(X: Array, missing_weight: float) -> Array:
    """Compute W of equation 5: 1 for a word that the text uses, w_m for all others."""
    return np.where(X != 0, 1.0, missing_weight)


def solve(X: Array, P: Array, missing_weight: float, regularization: float) -> Array:
    """Solve equation 4: the best vector of each row of X, given a vector for each of its columns.

    >>> solve(np.array([[2.0, 0.0]]), np.array([[1.0], [3.0]]), missing_weight=0.5, regularization=0.5)
    array([[0.333...]])
    """
    W = weights(X, missing_weight)
    ridge = regularization * np.eye(P.shape[1])
    return np.stack(
        [np.linalg.solve((P.T * w) @ P + ridge, P.T @ (w * x)) for x, w in zip(X, W, strict=True)]
    )


def loss(X: Array, P: Array, Q: Array, missing_weight: float, regularization: float) -> float:
    """Compute the loss of equation 3."""
    errors = weights(X, missing_weight) * (Q @ P.T - X) ** 2
    return float(errors.sum() + regularization * ((P**2).sum() + (Q**2).sum()))


def factorize(
    X: Array, P: Array, missing_weight: float, regularization: float, n_iter: int
) -> tuple[Array, Array, list[float]]:
    """Alternate the two half-sweeps from a start P; return Q, P and the loss after each sweep."""
    losses = []
    for _ in range(n_iter):
        Q = solve(X, P, missing_weight, regularization)
        P = solve(X.T, Q, missing_weight, regularization)
        losses.append(loss(X, P, Q, missing_weight, regularization))
    return solve(X, P, missing_weight, regularization), P, losses


def solve_texts(
    X: Sequence[Array], has_text: NDArray[np.bool_], P: Sequence[Array], missing_weight: float,
    regularization: float,
) -> Array:  # fmt: skip
    """Solve the first of equations (5): the vector of each row from all languages that it has.

    >>> ones = np.ones((1, 1))
    >>> solve_texts([2 * ones, 2 * ones], np.array([[True, False]]), [ones, ones], 0.1, 1.0)
    array([[1.]])
    """
    vectors = []
    for j, mask in enumerate(has_text):
        A = regularization * np.eye(P[0].shape[1])
        b = np.zeros(P[0].shape[1])
        for language in np.flatnonzero(mask).tolist():
            w = weights(X[language][j], missing_weight)
            A += (P[language].T * w) @ P[language]
            b += P[language].T @ (w * X[language][j])
        vectors.append(np.linalg.solve(A, b))
    return np.stack(vectors)


def solve_words(
    X: Array, has_text: NDArray[np.bool_], Q: Array, missing_weight: float, regularization: float
) -> Array:
    """Solve the last two of equations (5): the words of a language, over the rows that have the language."""
    return solve(X[has_text].T, Q[has_text], missing_weight, regularization)


def multilingual_loss(
    X: Sequence[Array], has_text: NDArray[np.bool_], P: Sequence[Array], Q: Array, missing_weight: float,
    regularization: float,
) -> float:  # fmt: skip
    """Compute the loss of equation (4)."""
    total = regularization * float((Q**2).sum())
    for language, rows in enumerate(X):
        errors = weights(rows, missing_weight) * (Q @ P[language].T - rows) ** 2
        total += float(errors[has_text[:, language]].sum() + regularization * (P[language] ** 2).sum())
    return total
