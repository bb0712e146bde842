"""What the kernels take: texts, or a matrix of texts x terms."""

from __future__ import annotations

import logging
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator

from tacit.checks import no_single_text
from tacit.text.vectorizer import TextVectorizer

logger = logging.getLogger("tacit.kernels")


def are_texts(X: Any) -> bool:
    """Whether X is a collection of texts, rather than a matrix.

    >>> are_texts(["a cat", "a dog"]), are_texts(np.ones((2, 3)))
    (True, False)
    """
    no_single_text(X)
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


def count_empty(X: Any) -> int:
    """How many rows have no term; that their similarity is 0 is logged."""
    empty = int(np.count_nonzero(np.diff(X.indptr) == 0))
    if empty:
        logger.warning("%d of %d texts have no known term: their similarity is 0", empty, X.shape[0])
    return empty


class ReadsTexts(BaseEstimator):
    """A parameter ``vectorizer`` that may be None, for the usual one."""

    vectorizer: TextVectorizer | None

    def new_vectorizer(self) -> TextVectorizer:
        """The vectorizer given or the usual one, the paper's log(1 + tf) log(m / df), before it is fitted."""
        return TextVectorizer(**(self.vectorizer or TextVectorizer.paper(tf="log1p")).get_params())

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; ``vectorizer__min_df`` and the like reach into the usual vectorizer too."""
        if self.vectorizer is None and any(name.startswith("vectorizer__") for name in parameters):
            self.vectorizer = self.new_vectorizer()
        super().set_params(**parameters)
        return self
