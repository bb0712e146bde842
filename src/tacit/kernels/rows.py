"""What the kernels take, texts or a matrix of texts x terms, as checked sparse rows of length 1."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from tacit.errors import InputError

logger = logging.getLogger("tacit.kernels")


def are_texts(X: Any) -> bool:
    """Whether X is a collection of texts, rather than a matrix.

    >>> are_texts(["a cat", "a dog"]), are_texts(np.ones((2, 3)))
    (True, False)
    """
    if isinstance(X, str | bytes):
        raise InputError("one text was given where a list of texts is expected: put it in a list, [text]")
    if issparse(X) or hasattr(X, "iloc") or getattr(X, "ndim", 1) != 1:
        return False
    first = next(iter(X), None) if hasattr(X, "__len__") else None
    return isinstance(first, str)


def sparse_rows(X: Any) -> Any:
    """A checked matrix as CSR in float64, without stored zeros and duplicates."""
    rows = csr_array(X, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows


def lengths(X: Any) -> NDArray[np.float64]:
    """The length of each row."""
    return np.sqrt(np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel())


def scaled(X: Any, scale: NDArray[np.float64]) -> Any:
    """The rows times a number each."""
    X = X.copy()
    X.data *= np.repeat(scale, np.diff(X.indptr))
    return X


def unit(X: Any) -> Any:
    """The rows at length 1; an empty row stays empty.

    >>> unit(csr_array([[3.0, 4.0], [0.0, 0.0]])).toarray()
    array([[0.6, 0.8], [0. , 0. ]])
    """
    return scaled(X, inverse(lengths(X)))


def inverse(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One over each value; 0 where it is 0."""
    return np.divide(1, values, out=np.zeros_like(values), where=values > 0)


def refuse_empty(X: Any, texts: Any = None) -> None:
    """Raise an error that names the first document without a term."""
    empty = np.flatnonzero(np.diff(X.indptr) == 0)
    if len(empty):
        first = int(empty[0])
        shown = f" ({texts[first]!r:.40})" if texts is not None else ""
        more = f", and {len(empty) - 1} more" if len(empty) > 1 else ""
        remedy = "drop it, or lower min_df" if texts is not None else "drop its row"
        raise InputError(
            f"document {first + 1} of {X.shape[0]}{shown}{more} is empty: "
            f"no term in it weighs anything; {remedy}"
        )


def report_empty(X: Any) -> None:
    """Log how many new documents have no known term."""
    empty = int(np.count_nonzero(np.diff(X.indptr) == 0))
    if empty:
        logger.warning("%d of %d texts have no known term: their similarity is 0", empty, X.shape[0])
