"""Terms by the semantic proximity matrix S = I + V diag(g) V', of which only what is asked for is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from tacit.checks import whole
from tacit.errors import InputError
from tacit.kernels.directions import Directions

Array = NDArray[np.float64]
_BLOCK = 2000


class TermProximity(ABC):
    """How alike two terms are; mixed into the kernels."""

    directions_: Directions
    vectorizer_: Any
    n_features_in_: int

    @property
    @abstractmethod
    def gain_(self) -> Array:
        """How much each direction adds."""

    def term_similarity(self, a: str | int, b: str | int) -> float:
        """The entry of the proximity matrix for two terms: words, or columns of the matrix.

        It is exp(lambda G) for the exponential and lambda G^ + I for the von Neumann kernel.
        """
        column, other = self._column(a), self._column(b)
        rows = self.directions_.project(_picked([column, other], self.n_features_in_))
        return float(column == other) + float((rows[0] * self.gain_) @ rows[1])

    def related_terms(self, word: str | int, n: int = 10) -> list[tuple[Any, float]]:
        """The terms nearest to one, by the cosine in the proximity matrix, S_ab / sqrt(S_aa S_bb)."""
        whole("n", n, what="how many terms to show")
        column = self._column(word)
        own = self.directions_.project(_picked([column], self.n_features_in_))[0]
        row = self.directions_.expand(self.gain_ * own)
        row[column] += 1
        near = row / np.sqrt(self._term_diagonal() * row[column])
        near[column] = -np.inf
        order = np.argsort(-near, kind="stable")[: min(n, len(near) - 1)]
        return [(self._name(int(place)), float(near[place])) for place in order]

    def _term_diagonal(self) -> Array:
        """S_aa of every term, block by block."""
        n = self.n_features_in_
        parts = []
        for start in range(0, n, _BLOCK):
            rows = self.directions_.project(_picked(range(start, min(start + _BLOCK, n)), n))
            parts.append((rows**2) @ self.gain_)
        return 1 + np.concatenate(parts)

    def _column(self, term: str | int) -> int:
        check_is_fitted(self)
        n = self.n_features_in_
        if isinstance(term, str):
            if self.vectorizer_ is None:
                names = list(getattr(self, "feature_names_in_", []))
                place = names.index(term) if term in names else None
                known = (
                    "a column name"
                    if names
                    else f"a column from 0 to {n - 1}: the kernel was fitted on a matrix"
                )
            else:
                place = self.vectorizer_.vocabulary_.get(self.vectorizer_.term(term))
                known = f"one of the {n} words seen in the texts"
            if place is None:
                raise InputError(f"the term {term!r} is not known: give {known}")
            return int(place)
        if isinstance(term, bool) or not isinstance(term, int | np.integer) or not 0 <= term < n:
            raise InputError(f"the term {term!r} is not known: give a column from 0 to {n - 1}")
        return int(term)

    def _name(self, column: int) -> Any:
        if self.vectorizer_ is not None:
            return self.vectorizer_.words_.surfaces[column]
        names = getattr(self, "feature_names_in_", None)
        return column if names is None else str(names[column])


def _picked(columns: Any, n: int) -> Any:
    """Rows that are one column each."""
    places = np.asarray(list(columns), dtype=np.int64)
    return csr_array((np.ones(len(places)), places, np.arange(len(places) + 1)), shape=(len(places), n))
