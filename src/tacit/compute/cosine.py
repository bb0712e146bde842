"""The cosine of vectors: 0 where one of them is zero, never NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.compute.tiles import jit_dots

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


def pairwise(vectors: Array, left: Array, right: Array) -> Array:
    """The cosine of row ``left[i]`` with row ``right[i]``.

    >>> pairwise(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0]), np.array([1])).round(3)
    array([0.707])
    """
    found = np.zeros(len(left), vectors.dtype)
    fill_cosines(vectors, left.astype(np.int64), right.astype(np.int64), found)
    return np.clip(found, -1, 1)


@jit_dots
def fill_cosines(vectors, left, right, found):  # type: ignore[no-untyped-def]
    """Write the cosine of each pair of rows, where neither is zero."""
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        product = own = other = vectors.dtype.type(0)
        for k in range(vectors.shape[1]):
            product += vectors[a, k] * vectors[b, k]
            own += vectors[a, k] * vectors[a, k]
            other += vectors[b, k] * vectors[b, k]
        if own > 0 and other > 0:
            found[pair] = product / (np.sqrt(own) * np.sqrt(other))


def every(a: Array, b: Array) -> Array:
    """The cosine of every row of ``a`` with every row of ``b``, by one BLAS thread: the same bits each time.

    >>> every(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]]))
    array([[1., 0.]])
    """
    with one_blas_thread():
        cosines: Array = np.clip(unit(a) @ unit(b).T, -1, 1)
    return cosines
