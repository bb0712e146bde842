"""The small dense matrices of a half-sweep, in float64 and without BLAS, so that their bits never vary."""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import jit


@jit
def lower_factor(A):  # type: ignore[no-untyped-def]
    """L with L L' = A; a pivot that is not positive leaves NaN.

    >>> lower_factor(np.array([[4.0, 0.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            value = A[i, j]
            for k in range(j):
                value -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(value) if i == j else value / L[j, j]
    return L


@jit
def lower_inverse(L):  # type: ignore[no-untyped-def]
    """L^-1 for a lower triangular L.

    >>> lower_inverse(np.array([[2.0, 0.0], [1.0, 2.0]]))
    array([[ 0.5 ,  0.  ],
           [-0.25,  0.5 ]])
    """
    n = len(L)
    inverse = np.zeros((n, n))
    for j in range(n):
        inverse[j, j] = 1 / L[j, j]
        for i in range(j + 1, n):
            value = 0.0
            for k in range(j, i):
                value -= L[i, k] * inverse[k, j]
            inverse[i, j] = value / L[i, i]
    return inverse


@jit
def matmul(A, B):  # type: ignore[no-untyped-def]
    """A @ B.

    >>> matmul(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    product = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            for j in range(B.shape[1]):
                product[i, j] += A[i, k] * B[k, j]
    return product
