"""The directions in which the columns of a sparse matrix go together: exact, or the leading ones.

K = XX' and G = X'X share their eigenvalues w: K = U diag(w) U', G = V diag(w) V', with V = X'U diag(w)^-1/2.
``centred`` takes the mean row off first, so that G is a covariance; the columns of U then sum to zero, V is
still X'U diag(w)^-1/2, and X stays sparse. BLAS runs on one thread: the same bits for any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread

Array = NDArray[np.float64]

_OVERSAMPLES = 20
_SMALLEST = 1e-13
"""Eigenvalues below this share of the largest are rounding."""


def eigenpairs(X: Any, centred: bool = False) -> tuple[Array, Array]:
    """The eigenvalues of XX', largest first and zeros left out, and their eigenvectors U as columns.

    >>> from scipy.sparse import csr_array
    >>> w, U = eigenpairs(csr_array([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))
    >>> w, np.abs(U)
    (array([9., 4.]), array([[1., 0.], [0., 1.], [0., 0.]]))
    """
    with one_blas_thread():
        return _kept(*np.linalg.eigh(_gram(X, centred)))


def term_eigenpairs(X: Any, centred: bool = False) -> tuple[Array, Array]:
    """The same eigenvalues from the columns' side, X'X, and their eigenvectors V: for more rows than columns.

    >>> from scipy.sparse import csr_array
    >>> term_eigenpairs(csr_array([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))[0]
    array([9., 4.])
    """
    G = (X.T @ X).toarray()
    if centred:
        mean = mean_row(X)
        G -= X.shape[0] * np.outer(mean, mean)
    with one_blas_thread():
        return _kept(*np.linalg.eigh(G))


def leading(
    X: Any, n_components: int, centred: bool = False, n_iter: int = 4, random_state: Any = 0
) -> tuple[Array, Array]:
    """The largest eigenvalues of X'X and their eigenvectors V, by a randomised decomposition.

    Subspace iteration from a random start (Halko, Martinsson & Tropp 2011): ``n_iter`` passes over X and X'
    after the first. Nothing larger than rows x components or columns x components is formed.

    >>> from scipy.sparse import csr_array
    >>> leading(csr_array(np.diag([3.0, 2.0, 1.0])), 2)[0]
    array([9., 4.])
    """
    mean = mean_row(X) if centred else np.zeros(X.shape[1])
    across = X.T.tocsr()
    size = min(n_components + _OVERSAMPLES, *X.shape)
    start = np.random.default_rng(random_state).standard_normal((X.shape[1], size))

    def rows_of(block: Array) -> Array:
        return np.asarray(np.linalg.qr(X @ block - mean @ block)[0])

    def columns_of(block: Array) -> Array:
        return np.asarray(across @ block - np.outer(mean, block.sum(axis=0)))

    with one_blas_thread():
        Q = rows_of(start)
        for _ in range(n_iter):
            Q = rows_of(np.linalg.qr(columns_of(Q))[0])
        V, s, _ = np.linalg.svd(columns_of(Q), full_matrices=False)
    kept = s[:n_components] ** 2 > _SMALLEST * s[0] ** 2
    return (s[:n_components] ** 2)[kept], np.ascontiguousarray(V[:, :n_components][:, kept])


def mean_row(X: Any) -> Array:
    """The mean of the rows of a sparse matrix.

    >>> from scipy.sparse import csr_array
    >>> mean_row(csr_array([[3.0, 0.0], [1.0, 2.0]]))
    array([2., 1.])
    """
    sums: Array = np.asarray(X.sum(axis=0), dtype=np.float64).ravel()
    return sums / float(X.shape[0])


def _gram(X: Any, centred: bool) -> Array:
    K: Array = (X @ X.T).toarray()
    if centred:
        means = K.mean(axis=0)
        K += means.mean() - means - means[:, None]
    return K


def _kept(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Largest first, without the zeros."""
    kept = int(np.count_nonzero(values > max(_SMALLEST * values[-1], 0.0)))
    order = slice(len(values) - kept, None)
    return values[order][::-1].copy(), np.ascontiguousarray(vectors[:, order][:, ::-1])
