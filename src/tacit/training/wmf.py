"""WMF for any sparse or dense matrix, as a scikit-learn transformer."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.factorize.als import Callback, factorize
from tacit.factorize.parameters import generator, largest_singular_value
from tacit.factorize.row_solver import FoldIn
from tacit.factorize.settings import AUTO, PAPER, Number, Statistics, check_given, resolved
from tacit.training.trainer import solver_options


@dataclass(eq=False, repr=False)
class WMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Weighted matrix factorization: vectors for the rows and columns of a non-negative matrix.

    A cell that is zero counts as ``missing_weight``, one that is not as 1 (Guo & Diab, ACL 2012). The
    solver is exact; the same seed gives the same bits for any number of threads.

    Parameters
    ----------
    n_components : the length of a vector.
    missing_weight : the weight of a zero cell, from 0 to 1.
    regularization : the weight of the vectors' squared length, from 0.
    n_iter : the number of sweeps over both sides.
    tol : stop when a sweep lowers the loss by less than this fraction of it.
    random_state : the seed of the start.
    n_threads : None for every core.
    callback : called as ``callback(sweep, loss)`` after each sweep; True stops.

    Attributes
    ----------
    components_ : n_components x columns, the columns' vectors.
    loss_ : the loss after each sweep.
    n_iter_ : the number of sweeps done.
    settings_ : the settings, those that were ``auto`` by the data.

    >>> X = np.array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 0.0, 4.0]])
    >>> wmf = WMF(n_components=2, missing_weight=1.0, regularization=0.1).fit(X)
    >>> (wmf.transform(X) @ wmf.components_).round(1)[:, :2]
    array([[ 2.4,  2.4],
           [ 2.4,  2.4],
           [-0. , -0. ]])
    """

    n_components: int | str = AUTO
    _: KW_ONLY
    missing_weight: Number = AUTO
    regularization: Number = AUTO
    n_iter: int | str = AUTO
    tol: float = 0.0
    random_state: Any = 0
    n_threads: int | None = None
    callback: Callback | None = None

    components_: NDArray[Any] = field(init=False)

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the columns' vectors."""
        given = {name: getattr(self, name) for name in PAPER}
        check_given(self.tol, **given)
        rng = generator(self.random_state)
        X = self._checked(X, reset=True)
        strongest = largest_singular_value(X) if self.regularization == AUTO else np.inf
        self.settings_ = resolved(given, Statistics.of(X), strongest or np.inf)
        start = rng.standard_normal((X.shape[1], self.settings_["n_components"])).astype(X.dtype)
        (P,), self.loss_ = factorize([[X]], [start], **solver_options(self, self.settings_))
        self.components_ = np.ascontiguousarray(P.T)
        self.n_iter_ = len(self.loss_)
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """The vectors of the rows of X, each the same whatever the other rows are."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        fold = FoldIn(
            np.ascontiguousarray(self.components_.T, X.dtype),
            self.settings_["missing_weight"],
            self.settings_["regularization"],
            usable_threads(self.n_threads),
        )
        return fold(X)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        """Sparse input, no negative cells, float32 stays float32."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _checked(self, X: Any, reset: bool) -> Any:
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)
        if not issparse(X):
            X = csr_array(X)
        elif not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        if X.nnz and X.data.min() < 0:
            raise InputError(
                f"Negative values in data passed to X in WMF: the smallest is {X.data.min():g}; "
                "give counts or weights from 0"
            )
        if X.nnz and not X.data.all():
            X = X.copy()
            X.eliminate_zeros()
        return X
