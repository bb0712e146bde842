"""Input of the kernels: texts or a matrix, validated; the default vectorizer."""

from __future__ import annotations

import logging
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator

from tacit.checks import check_not_single_text
from tacit.errors import InputError
from tacit.text.vectorizer import TextVectorizer

logger = logging.getLogger("tacit.kernels")


def is_text_collection(X: Any) -> bool:
    """Return whether X is a collection of texts rather than a matrix.

    >>> is_text_collection(["a cat", "a dog"]), is_text_collection(np.ones((2, 3)))
    (True, False)
    """
    check_not_single_text(X)
    if issparse(X) or hasattr(X, "iloc") or getattr(X, "ndim", 1) != 1:
        return False
    first = next(iter(X), None) if hasattr(X, "__len__") else None
    return isinstance(first, str)


def to_csr(X: Any) -> Any:
    """Convert a validated matrix to CSR in float64, without stored zeros and duplicates."""
    rows = csr_array(X, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows


def count_empty_rows(X: Any) -> int:
    """Count the rows without a term, and log that their similarity is 0."""
    empty = int(np.count_nonzero(np.diff(X.indptr) == 0))
    if empty:
        logger.warning("%d of %d texts have no known term: their similarity is 0", empty, X.shape[0])
    return empty


def check_texts(X: Any) -> list[str]:
    """Return a collection of texts as a list.

    >>> check_texts(("a", "b"))
    ['a', 'b']
    >>> check_texts([1.0])
    Traceback (most recent call last):
    tacit.errors.InputError: text 1 is a float: give a list of texts
    """
    check_not_single_text(X)
    texts = list(X)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise InputError(f"text {number} is a {type(text).__name__}: give a list of texts")
    return texts


class TextInputMixin(BaseEstimator):
    """An estimator with a parameter ``vectorizer``, None for the default vectorizer."""

    vectorizer: TextVectorizer | None

    def make_vectorizer(self) -> TextVectorizer:
        """Make an unfitted vectorizer; by default the paper's log(1 + tf) log(m / df)."""
        return TextVectorizer(**(self.vectorizer or TextVectorizer.paper(tf="log1p")).get_params())

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; ``vectorizer__min_df`` etc. also work for the default vectorizer."""
        if self.vectorizer is None and any(name.startswith("vectorizer__") for name in parameters):
            self.vectorizer = self.make_vectorizer()
        super().set_params(**parameters)
        return self
