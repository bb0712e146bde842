"""The method in plain numpy: Aldarmaki & Diab, SemEval 2016, with texts as rows, for any number of languages.

    loss = sum_l sum_j has_jl sum_i W_ij (p_li . q_j - x_lij)^2 + lambda (|Q|^2 + sum_l |P_l|^2)      (4)

with ``has_jl`` 1 where row j has language l: a language that a row lacks is not in the sum at all. b-WMF
alternates the three equations (5); x-WMF uses the last of them once, with Q folded in from a pivot language
(2). ``translation`` is IBM model 1 (Brown et al. 1993) by EM as it is written down, a dictionary of counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.reference import solve, weights

Array = NDArray[np.float64]


def text_vectors(
    X: Sequence[Array],
    has: NDArray[np.bool_],
    P: Sequence[Array],
    missing_weight: float,
    regularization: float,
) -> Array:
    """The first of equations (5): a row's vector from all the languages it has.

    >>> ones = np.ones((1, 1))
    >>> text_vectors([2 * ones, 2 * ones], np.array([[True, False]]), [ones, ones], 0.1, 1.0)
    array([[1.]])
    """
    found = []
    for j, mask in enumerate(has):
        A = regularization * np.eye(P[0].shape[1])
        b = np.zeros(P[0].shape[1])
        for language in np.flatnonzero(mask).tolist():
            w = weights(X[language][j], missing_weight)
            A += (P[language].T * w) @ P[language]
            b += P[language].T @ (w * X[language][j])
        found.append(np.linalg.solve(A, b))
    return np.stack(found)


def word_vectors(
    X: Array, has: NDArray[np.bool_], Q: Array, missing_weight: float, regularization: float
) -> Array:
    """The last two of equations (5): a language's words, over the rows that have the language."""
    return solve(X[has].T, Q[has], missing_weight, regularization)


def loss(
    X: Sequence[Array],
    has: NDArray[np.bool_],
    P: Sequence[Array],
    Q: Array,
    missing_weight: float,
    regularization: float,
) -> float:
    """Equation (4)."""
    total = regularization * float((Q**2).sum())
    for language, rows in enumerate(X):
        errors = weights(rows, missing_weight) * (Q @ P[language].T - rows) ** 2
        total += float(errors[has[:, language]].sum() + regularization * (P[language] ** 2).sum())
    return total


def translation(pairs: Sequence[tuple[list[int], list[int]]], n_iter: int) -> dict[tuple[int, int], float]:
    """IBM model 1: t(f|e) for the words e of the first texts, of which -1 is the NULL word.

    >>> table = translation([([0, 1], [5, 6]), ([0], [5])], 20)
    >>> table[0, 5] > 0.9, table[1, 6] > 0.9
    (True, True)
    """
    t: dict[tuple[int, int], float] = {}
    for es, fs in pairs:
        t |= {(e, f): 1.0 for e in (-1, *es) for f in fs}
    for _ in range(n_iter):
        count = dict.fromkeys(t, 0.0)
        for es, fs in pairs:
            for f in fs:
                total = sum(t[e, f] for e in (-1, *es))
                for e in (-1, *es):
                    count[e, f] += t[e, f] / total
        of: dict[int, float] = {}
        for (e, _), value in count.items():
            of[e] = of.get(e, 0.0) + value
        t = {(e, f): value / of[e] for (e, f), value in count.items()}
    return t
