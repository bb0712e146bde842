"""Similarity of terms under a fitted kernel, without forming the term matrix S = I + V diag(g) V'."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import eye_array
from sklearn.utils.validation import check_is_fitted

from tacit.checks import check_int
from tacit.errors import InputError
from tacit.kernels.spectrum import EigenBasis

Array = NDArray[np.float64]
_BLOCK = 2000


class TermSimilarityMixin(ABC):
    """Similarity of terms, for the kernels."""

    basis_: EigenBasis
    vectorizer_: Any
    n_features_in_: int

    @property
    @abstractmethod
    def gain_(self) -> Array:
        """How much each component adds."""

    def term_similarity(self, a: str | int, b: str | int) -> float:
        """Compute the similarity of two terms, an entry of S.

        S is exp(lambda G) for the exponential and lambda G^ + I for the von Neumann kernel.

        Parameters
        ----------
        a : str or int
            A word, or a column of the fitted matrix.
        b : str or int
            The other word or column.

        Returns
        -------
        float
            The similarity.

        Raises
        ------
        InputError
            If a term is not known.
        """
        column, other = self._term_column(a), self._term_column(b)
        rows = self.basis_.project(eye_array(self.n_features_in_, format="csr")[[column, other]])
        return float(column == other) + float((rows[0] * self.gain_) @ rows[1])

    def related_terms(self, word: str | int, n: int = 10) -> list[tuple[Any, float]]:
        """Find the terms that are most similar to a term, by cosine S_ab / sqrt(S_aa S_bb).

        Parameters
        ----------
        word : str or int
            A word, or a column of the fitted matrix.
        n : int
            The number of terms.

        Returns
        -------
        list of tuple
            The terms with their cosines, most similar first.

        Raises
        ------
        InputError
            If the term is not known.
        """
        check_int("n", n, note="how many terms to show")
        column = self._term_column(word)
        coordinates = self.basis_.project(eye_array(self.n_features_in_, format="csr")[[column]])[0]
        row = self.basis_.back_project(self.gain_ * coordinates)
        row[column] += 1
        cosines = row / np.sqrt(self._term_diagonal() * row[column])
        cosines[column] = -np.inf
        order = np.argsort(-cosines, kind="stable")[: min(n, len(cosines) - 1)]
        return [(self._term_name(int(index)), float(cosines[index])) for index in order]

    def _term_diagonal(self) -> Array:
        """Return S_aa of every term, computed in blocks."""
        n = self.n_features_in_
        terms = eye_array(n, format="csr")
        blocks = (terms[start : start + _BLOCK] for start in range(0, n, _BLOCK))
        return 1 + np.concatenate([self.basis_.project(block) ** 2 @ self.gain_ for block in blocks])

    def _term_column(self, term: str | int) -> int:
        """Return the column of a word, of a column name, or of a column."""
        check_is_fitted(self)
        n = self.n_features_in_
        expected = f"a column from 0 to {n - 1}"
        if not isinstance(term, str):
            is_column = isinstance(term, int | np.integer) and not isinstance(term, bool) and 0 <= term < n
            column = term if is_column else None
        elif self.vectorizer_ is not None:
            column = self.vectorizer_.vocabulary_.get(self.vectorizer_.normalize_word(term))
            expected = f"one of the {n} words seen in the texts"
        else:
            names = list(getattr(self, "feature_names_in_", []))
            column = names.index(term) if term in names else None
            expected = "a column name" if names else f"{expected}: the kernel was fitted on a matrix"
        if column is None:
            raise InputError(f"the term {term!r} is not known: give {expected}")
        return int(column)

    def _term_name(self, column: int) -> Any:
        """Return the word, the name of the column, or the column."""
        if self.vectorizer_ is not None:
            return self.vectorizer_.words_.surface_forms[column]
        names = getattr(self, "feature_names_in_", None)
        return column if names is None else str(names[column])
