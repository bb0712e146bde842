"""Term frequency, inverse document frequency and length normalization.

A weighting scheme is one entry in one of the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice
from tacit.text.counting_kernels import count_terms
from tacit.text.token_ids import TokenizedTexts
from tacit.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TF_SCHEMES: dict[str, Callable[[Array, Array], Array]] = {
    "raw": lambda count, n_tokens: count,
    "log": lambda count, n_tokens: 1 + np.log(count),
    "log1p": lambda count, n_tokens: np.log1p(count),
    "damped": lambda count, n_tokens: count**0.75,
    "share": lambda count, n_tokens: count / n_tokens,
}
"""Functions of the count of a term in a text, and of the number of tokens of the text."""

IDF_SCHEMES: dict[str, Callable[[Array, int], Array]] = {
    "plain": lambda df, n_texts: np.log(n_texts / df),
    "smooth": lambda df, n_texts: np.log((1 + n_texts) / (1 + df)) + 1,
    "positive": lambda df, n_texts: np.log1p(n_texts / df),
    "none": lambda df, n_texts: np.ones(len(df)),
}
"""Functions of the document frequency of a term and the number of texts."""

LENGTH_SCHEMES: dict[str, Callable[[Array, float, int], Array]] = {
    "keep": lambda norm, rms_norm, n_texts: np.ones(len(norm)),
    "damped": lambda norm, rms_norm, n_texts: (rms_norm / norm) ** (0.75 / (1 + n_texts / 50_000)),
    "equal": lambda norm, rms_norm, n_texts: rms_norm / norm,
}
"""Functions of the norms of rows, the root mean square of the norms of the training texts, and the number of
training texts: the more training texts, the less "damped" scales long texts down."""


@dataclass(frozen=True)
class TfidfRows:
    """The arrays of a CSR matrix of weights, with the numbers of known and unknown tokens of each text."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float32]
    shape: tuple[int, int]
    n_known: NDArray[np.int64]
    n_unknown: NDArray[np.int64]

    def to_scipy(self) -> csr_matrix:
        """Return the matrix, which shares the arrays if their types allow that."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), self.shape)


def compute_tfidf(
    tokenized: TokenizedTexts, columns: NDArray[np.int32], idf: NDArray[np.float64], tf: str
) -> TfidfRows:
    """Count the tokens of each text by column and weight the counts; zero weights are not stored."""
    indptr, indices, data, n_unknown = count_terms(tokenized.ids, tokenized.lengths, columns, len(idf))
    n_tokens = np.repeat(tokenized.lengths, np.diff(indptr))
    weights = (apply_tf(data, n_tokens, tf) * idf[indices]).astype(np.float32)
    if not weights.all():
        is_stored = weights != 0
        indptr = np.concatenate([[0], np.cumsum(is_stored)])[indptr]
        indices, weights = indices[is_stored], weights[is_stored]
    shape = len(tokenized.lengths), len(idf)
    return TfidfRows(indptr, indices, weights, shape, tokenized.lengths - n_unknown, n_unknown)


def sum_squared_norms(rows: TfidfRows) -> tuple[float, int]:
    """Return the sum of the squared norms of rows, and the number of rows that are not empty."""
    n_filled = int(np.count_nonzero(np.diff(rows.indptr)))
    return float(np.square(rows.data, dtype=np.float64).sum()), n_filled


def rms_norm(sum_of_squares: float, n_rows: int) -> float:
    """Return the root mean square of the norms of ``n_rows`` rows; 1 if it is 0."""
    return float(np.sqrt(sum_of_squares / max(n_rows, 1))) or 1.0


def apply_tf(count: Array, n_tokens: Array, tf: str) -> Array:
    """Return the term frequency weights of counts in texts of ``n_tokens`` tokens.

    >>> apply_tf(np.array([1.0, 2.0]), np.array([4, 4]), "log")
    array([1.        , 1.69314718])
    >>> apply_tf(np.array([1.0, 2.0]), np.array([4, 4]), "share")
    array([0.25, 0.5 ])
    """
    return TF_SCHEMES[check_choice("tf", tf, TF_SCHEMES)](count, n_tokens)


def compute_idf(df: Array, n_texts: int, idf: str) -> Array:
    """Return the inverse document frequency weights of terms.

    >>> compute_idf(np.array([1, 10]), 10, "plain")
    array([2.30258509, 0.        ])
    """
    return IDF_SCHEMES[check_choice("idf", idf, IDF_SCHEMES)](df.astype(np.float64), n_texts)


def compute_row_scale(norms: Array, rms_norm: float, n_texts: int, scheme: str) -> Array:
    """Return the factors that rows of these norms are multiplied by, so that long texts weigh less.

    >>> compute_row_scale(np.array([1.0, 4.0]), 2.0, 100, "equal")
    array([2. , 0.5])
    """
    return LENGTH_SCHEMES[check_choice("length", scheme, LENGTH_SCHEMES)](norms, rms_norm, n_texts)
