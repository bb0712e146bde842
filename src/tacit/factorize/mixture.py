"""Annealed expectation-maximization for a mixture of multinomials over sparse rows.

Each component is a distribution over the columns, drawn towards given pseudo-counts; each row belongs to the
components by its posterior, flattened by an exponent that rises to 1, so that a poor start is forgotten.
``mixture_reference`` says the same in a few lines of numpy.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def anneal(indptr, indices, data, shares, pseudo, exponents):  # type: ignore[no-untyped-def]
    """Take a step for every exponent; ``shares`` (rows x components) is the start and is changed.

    Returns the logarithms of the components (columns x components) and of their weights.
    """
    n, k = shares.shape
    logs = np.empty((len(pseudo), k))
    weights = np.empty(k)
    joint = np.empty(k)
    for exponent in exponents:
        estimate(indptr, indices, data, shares, pseudo, logs, weights)
        for i in range(n):
            joint[:] = weights
            for p in range(indptr[i], indptr[i + 1]):
                column, x = indices[p], data[p]
                for c in range(k):
                    joint[c] += x * logs[column, c]
            top, total = joint.max(), 0.0
            for c in range(k):
                joint[c] = np.exp(exponent * (joint[c] - top))
                total += joint[c]
            for c in range(k):
                shares[i, c] = joint[c] / total
    return logs, weights


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def estimate(indptr, indices, data, shares, pseudo, logs, weights):  # type: ignore[no-untyped-def]
    """Fill the logarithms of the components and their weights from the shares."""
    n, k = shares.shape
    for column in range(len(pseudo)):
        for c in range(k):
            logs[column, c] = pseudo[column]
    weights[:] = 1.0
    for i in range(n):
        for c in range(k):
            weights[c] += shares[i, c]
        for p in range(indptr[i], indptr[i + 1]):
            column, x = indices[p], data[p]
            for c in range(k):
                logs[column, c] += x * shares[i, c]
    sums = np.zeros(k)
    for column in range(len(pseudo)):
        for c in range(k):
            sums[c] += logs[column, c]
    shift = np.log(sums)
    for column in range(len(pseudo)):
        for c in range(k):
            logs[column, c] = np.log(logs[column, c]) - shift[c]
    total = np.log(weights.sum())
    for c in range(k):
        weights[c] = np.log(weights[c]) - total
