"""Eigenpairs and the largest singular value of a sparse matrix.

K = XX' and G = X'X share their eigenvalues w: K = U diag(w) U', G = V diag(w) V', with V = X'U diag(w)^-1/2.
``centered`` subtracts the mean row first, so that G is a covariance; the columns of U then sum to zero, V is
still X'U diag(w)^-1/2, and X stays sparse. BLAS runs on one thread: the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import one_blas_thread

Array = NDArray[np.float64]

_OVERSAMPLES = 20
_EIGENVALUE_TOLERANCE = 1e-13  # smaller eigenvalues, as a share of the largest, are rounding errors
_POWER_ITERATIONS = 20


def row_eigenpairs(X: Any, centered: bool = False) -> tuple[Array, Array]:
    """Compute the non-zero eigenvalues of XX', largest first, and their eigenvectors U as columns.

    >>> from scipy.sparse import csr_array
    >>> w, U = row_eigenpairs(csr_array([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))
    >>> w, np.abs(U)
    (array([9., 4.]), array([[1., 0.], [0., 1.], [0., 0.]]))
    """
    K: Array = (X @ X.T).toarray()
    if centered:
        means = K.mean(axis=0)
        K += means.mean() - means - means[:, None]
    with one_blas_thread():
        return _drop_zero_eigenvalues(*np.linalg.eigh(K))


def column_eigenpairs(X: Any, centered: bool = False) -> tuple[Array, Array]:
    """Compute the same eigenvalues from X'X, and its eigenvectors V: faster for more rows than columns.

    >>> from scipy.sparse import csr_array
    >>> column_eigenpairs(csr_array([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))[0]
    array([9., 4.])
    """
    G = (X.T @ X).toarray()
    if centered:
        mean = mean_row(X)
        G -= X.shape[0] * np.outer(mean, mean)
    with one_blas_thread():
        return _drop_zero_eigenvalues(*np.linalg.eigh(G))


def randomized_eigenpairs(
    X: Any, n_components: int, centered: bool = False, n_iter: int = 4, random_state: Any = 0
) -> tuple[Array, Array]:
    """Compute the largest eigenvalues of X'X and their eigenvectors V by randomized subspace iteration.

    Halko, Martinsson & Tropp 2011: a random start, then ``n_iter`` more passes over X and X'. No array larger
    than rows x components or columns x components is formed.

    >>> from scipy.sparse import csr_array
    >>> randomized_eigenpairs(csr_array(np.diag([3.0, 2.0, 1.0])), 2)[0]
    array([9., 4.])
    """
    mean = mean_row(X) if centered else np.zeros(X.shape[1])
    X_transposed = X.T.tocsr()
    size = min(n_components + _OVERSAMPLES, *X.shape)
    start = np.random.default_rng(random_state).standard_normal((X.shape[1], size))

    def range_basis(block: Array) -> Array:
        return np.asarray(np.linalg.qr(X @ block - mean @ block)[0])

    def multiply_transposed(block: Array) -> Array:
        return np.asarray(X_transposed @ block - np.outer(mean, block.sum(axis=0)))

    with one_blas_thread():
        Q = range_basis(start)
        for _ in range(n_iter):
            Q = range_basis(np.linalg.qr(multiply_transposed(Q))[0])
        V, s, _ = np.linalg.svd(multiply_transposed(Q), full_matrices=False)
    is_nonzero = s[:n_components] ** 2 > _EIGENVALUE_TOLERANCE * s[0] ** 2
    return (s[:n_components] ** 2)[is_nonzero], np.ascontiguousarray(V[:, :n_components][:, is_nonzero])


def mean_row(X: Any) -> Array:
    """Compute the mean of the rows of a sparse matrix.

    >>> from scipy.sparse import csr_array
    >>> mean_row(csr_array([[3.0, 0.0], [1.0, 2.0]]))
    array([2., 1.])
    """
    sums: Array = np.asarray(X.sum(axis=0), dtype=np.float64).ravel()
    return sums / float(X.shape[0])


def _drop_zero_eigenvalues(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Reverse the order to largest first, and drop zero eigenvalues."""
    n_nonzero = int(np.count_nonzero(values > max(_EIGENVALUE_TOLERANCE * values[-1], 0.0)))
    order = slice(len(values) - n_nonzero, None)
    return values[order][::-1].copy(), np.ascontiguousarray(vectors[:, order][:, ::-1])


def largest_singular_value(X: Any) -> float:
    """Estimate the largest singular value of a non-negative matrix by power iteration.

    >>> round(largest_singular_value(np.array([[3.0, 0.0], [0.0, 4.0]])), 3)
    4.0
    """

    def apply_gram(vector: Any) -> tuple[Any, float]:
        product = X @ vector
        return X.T @ product, float(np.linalg.norm(product))

    return power_iteration(apply_gram, X.shape[1])


def power_iteration(apply_gram: Callable[[Any], tuple[Any, float]], n: int) -> float:
    """Estimate the largest singular value from a function that returns X'Xv and the norm of Xv.

    It starts from ones, which are not orthogonal to the first singular vector of a non-negative X.
    """
    vector = np.ones(n)
    singular_value = 0.0
    for _ in range(_POWER_ITERATIONS):
        vector, singular_value = apply_gram(vector / np.linalg.norm(vector))
        if not vector.any():
            break
    return singular_value
