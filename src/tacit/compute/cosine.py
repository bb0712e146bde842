"""The cosine of vectors: 0 where one of them is zero, never NaN."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def unit(vectors: Array) -> Array:
    """The vectors at length 1; a zero vector stays zero.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    shortened: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return shortened


def unit_rows(rows: Any) -> Any:
    """The rows of a sparse matrix at length 1; an empty row stays empty.

    >>> from scipy.sparse import csr_matrix
    >>> unit_rows(csr_matrix([[3.0, 4.0], [0.0, 0.0]])).toarray()
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    from scipy.sparse import diags

    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return (diags(inverse) @ rows).tocsr()


def pairwise(a: Array, b: Array) -> Array:
    """The cosine of each row of ``a`` with the same row of ``b``.

    >>> pairwise(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]])).round(3)
    array([0.707])
    """
    cosines: Array = np.clip(np.einsum("ij,ij->i", unit(a), unit(b)), -1, 1)
    return cosines


def every(a: Array, b: Array) -> Array:
    """The cosine of every row of ``a`` with every row of ``b``, by one BLAS thread: the same bits each time.

    >>> every(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]]))
    array([[1., 0.]])
    """
    with one_blas_thread():
        cosines: Array = np.clip(unit(a) @ unit(b).T, -1, 1)
    return cosines


def one_blas_thread() -> Any:
    """A context in which BLAS has one thread, and so the same bits each time."""
    return _blas().limit(limits=1, user_api="blas")


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
