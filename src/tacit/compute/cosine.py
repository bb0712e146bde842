"""Row normalization and cosine similarity; a zero vector has cosine 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.compute.threads import one_blas_thread
from tacit.compute.tiles import jit_reassoc
from tacit.types import Array


def normalize_rows(vectors: Array) -> Array:
    """Scale each row of an array to unit length; zero rows stay zero.

    >>> normalize_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)


def normalize_sparse_rows(X: Any) -> Any:
    """Scale each row of a sparse matrix to unit length; empty rows stay empty.

    >>> from scipy.sparse import csr_matrix
    >>> normalize_sparse_rows(csr_matrix([[3.0, 4.0], [0.0, 0.0]])).toarray()
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    from scipy.sparse import diags

    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    return (diags(inverse) @ X).tocsr()


def paired_cosines(vectors: Array, left: Array, right: Array) -> Array:
    """Compute the cosine of row ``left[i]`` with row ``right[i]`` for each i.

    >>> paired_cosines(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0]), np.array([1])).round(3)
    array([0.707])
    """
    cosines = np.zeros(len(left), vectors.dtype)
    _paired_cosines_kernel(vectors, left.astype(np.int64), right.astype(np.int64), cosines)
    return np.clip(cosines, -1, 1)


@jit_reassoc
def _paired_cosines_kernel(vectors, left, right, out):  # type: ignore[no-untyped-def]
    """Write the cosine of each pair of rows to ``out``; pairs with a zero row are not written."""
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        ab = aa = bb = vectors.dtype.type(0)
        for k in range(vectors.shape[1]):
            ab += vectors[a, k] * vectors[b, k]
            aa += vectors[a, k] * vectors[a, k]
            bb += vectors[b, k] * vectors[b, k]
        if aa > 0 and bb > 0:
            out[pair] = ab / (np.sqrt(aa) * np.sqrt(bb))


def cosine_matrix(a: Array, b: Array) -> Array:
    """Compute the cosine of every row of ``a`` with every row of ``b``, reproducibly on one BLAS thread.

    >>> cosine_matrix(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]]))
    array([[1., 0.]])
    """
    with one_blas_thread():
        cosines: Array = np.clip(normalize_rows(a) @ normalize_rows(b).T, -1, 1)
    return cosines
