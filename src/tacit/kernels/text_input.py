"""Input of the kernels: texts or a matrix, validated; the default vectorizer."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse, vstack
from sklearn.base import BaseEstimator
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted, validate_data

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
        """Make an unfitted vectorizer; by default the paper's log(1 + tf) log(m / df).

        Returns
        -------
        TextVectorizer
            The vectorizer.
        """
        return TextVectorizer(**(self.vectorizer or TextVectorizer.paper(tf="log1p")).get_params())

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; ``vectorizer__min_df`` etc. also work for the default vectorizer.

        Parameters
        ----------
        **parameters
            The new values.

        Returns
        -------
        TextInputMixin
            The estimator itself.
        """
        if self.vectorizer is None and any(name.startswith("vectorizer__") for name in parameters):
            self.vectorizer = self.make_vectorizer()
        super().set_params(**parameters)
        return self

    def save(self, folder: str | Path) -> None:
        """Write the fitted kernel or classifier to a folder for ``tacit.load``, without the background.

        Parameters
        ----------
        folder : str or Path
            The folder to write.
        """
        from tacit.kernels.serialization import save_estimator

        check_is_fitted(self)
        save_estimator(self, folder)

    @classmethod
    def from_stored(cls, stored: Any, tokenizer: Any = None, encoder: Any = None) -> Self:
        """Restore a kernel or classifier from the contents of a folder.

        Parameters
        ----------
        stored : StoredModel
            The contents of the folder.
        tokenizer : callable, optional
            The custom tokenizer of the vectorizer, which cannot be stored.
        encoder : object, optional
            The encoder of texts of a classifier, which cannot be stored.

        Returns
        -------
        Self
            The fitted kernel or classifier.
        """
        from tacit.kernels.serialization import restore_estimator

        return restore_estimator(cls, stored, tokenizer, encoder)


class KernelInputMixin(TextInputMixin):
    """Converts the input of a kernel to sparse rows."""

    background: Any
    normalize: bool
    vectorizer_: TextVectorizer | None
    n_features_in_: int

    def _fit_vectorizer(self, X: Any) -> Any:
        """Fit the vectorizer if X holds texts, and return the rows of X."""
        self.vectorizer_ = None
        if is_text_collection(X):
            if self.background is not None and not is_text_collection(self.background):
                raise InputError(
                    "X holds texts and background a matrix: give both as texts, or both as matrices"
                )
            more: Sequence[str] = [] if self.background is None else self.background
            self.vectorizer_ = self.make_vectorizer().fit(chain(X, more))
        return self._to_rows(X, reset=True)

    def _stack_documents(self, rows: Any) -> Any:
        """Return the rows of X and of the background, without rows that have no term."""
        documents = rows
        if self.background is not None:
            documents = csr_array(vstack([rows, self._to_rows(self.background, reset=False)], format="csr"))
        has_terms = np.diff(documents.indptr) > 0
        if not has_terms.any():
            raise InputError(
                f"none of the {documents.shape[0]} documents has a term with a weight above 0: give more "
                "documents, a background, or for texts TextVectorizer(min_df=1)"
            )
        return documents if has_terms.all() else documents[has_terms]

    def _to_rows(self, X: Any, reset: bool) -> Any:
        """Convert X to sparse rows, of length 1 if ``normalize``."""
        if self.vectorizer_ is not None:
            rows = to_csr(self.vectorizer_.transform(X))
            self.n_features_in_ = rows.shape[1]
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)
            rows = to_csr(X)
        return normalize(rows, copy=False) if self.normalize else rows
