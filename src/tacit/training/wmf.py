"""WMF for any sparse or dense matrix, as a scikit-learn transformer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError as SklearnNotFittedError
from sklearn.utils.validation import validate_data

from tacit.checks import AUTO, is_auto
from tacit.compute.threads import effective_n_threads
from tacit.errors import InputError, NotFittedError
from tacit.factorize.als import factorize
from tacit.factorize.row_solver import FoldIn
from tacit.factorize.spectral import largest_singular_value
from tacit.factorize.wmf_settings import MatrixStatistics, make_rng, resolve_settings
from tacit.training.trainer import FactorizationParameters


class UnfittedMatrixError(NotFittedError, SklearnNotFittedError):
    """WMF was used before ``fit``; scikit-learn expects an exception class of its own."""


@dataclass(eq=False, repr=False)
class WMF(FactorizationParameters, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Weighted matrix factorization: vectors for the rows and columns of a non-negative matrix.

    A zero has weight ``missing_weight``, all other cells have weight 1 (Guo & Diab, ACL 2012). The solver is
    exact; the same seed gives the same bits for any number of threads.

    Parameters
    ----------
    n_components : int or "auto"
        Length of a vector. "auto" chooses this and the next three settings from the data.
    missing_weight : float or "auto"
        Weight of a zero, from 0 to 1.
    regularization : float or "auto"
        Weight of the squared norm of the vectors, from 0.
    n_iter : int or "auto"
        Number of sweeps over rows and columns.
    tol : float
        Stop when a sweep lowers the loss by less than this fraction of it.
    random_state : int, numpy.random.Generator or None
        Seed of the start.
    n_threads : int, optional
        Number of threads; by default all cores.
    callback : callable, optional
        Called as ``callback(sweep, loss)`` after each sweep; True stops the training.

    Attributes
    ----------
    components_ : array
        Vectors of the columns, n_components x columns.
    loss_ : list of float
        The loss after each sweep.
    n_iter_ : int
        Number of completed sweeps.
    settings_ : dict
        The settings that were used, with numbers in place of "auto".

    Examples
    --------
    >>> X = np.array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 0.0, 4.0]])
    >>> wmf = WMF(n_components=2, missing_weight=1.0, regularization=0.1).fit(X)
    >>> (wmf.transform(X) @ wmf.components_).round(1)[:, :2]
    array([[ 2.4,  2.4],
           [ 2.4,  2.4],
           [-0. , -0. ]])
    """

    n_components: int | str = field(default=AUTO, kw_only=False)

    components_: NDArray[Any] = field(init=False)

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the vectors of the columns.

        Parameters
        ----------
        X : array or sparse matrix
            Non-negative matrix, rows x columns.
        y : object, optional
            Ignored.

        Returns
        -------
        WMF
            The transformer itself, fitted.

        Raises
        ------
        InputError
            If a parameter is out of range or X has negative cells.

        Examples
        --------
        >>> WMF(n_components=1).fit(np.eye(3)).components_.shape
        (1, 3)
        """
        requested = self._check_settings()
        rng = make_rng(self.random_state)
        X = self._validate_matrix(X, reset=True)
        singular_value = largest_singular_value(X) if is_auto(self.regularization) else np.inf
        statistics = MatrixStatistics.from_matrices(X)
        self.settings_ = resolve_settings(requested, statistics, singular_value or np.inf)
        start = rng.standard_normal((X.shape[1], self.settings_["n_components"])).astype(X.dtype)
        (P,), self.loss_ = factorize([[X]], [start], **self._solver_options(self.settings_))
        self.components_ = np.ascontiguousarray(P.T)
        self.n_iter_ = len(self.loss_)
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """Compute the vectors of the rows of X, each independent of the other rows.

        Parameters
        ----------
        X : array or sparse matrix
            Non-negative matrix with the columns of the training.

        Returns
        -------
        array
            Rows x n_components.

        Examples
        --------
        >>> WMF(n_components=1).fit(np.eye(3)).transform(np.eye(3)).shape
        (3, 1)
        """
        self._check_fitted()
        X = self._validate_matrix(X, reset=False)
        P = np.ascontiguousarray(self.components_.T, X.dtype)
        options = self.settings_["missing_weight"], self.settings_["regularization"]
        return FoldIn(P, *options, effective_n_threads(self.n_threads))(X)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the names of the output columns: wmf0, wmf1 and so on.

        Parameters
        ----------
        input_features : object
            Ignored; scikit-learn passes it.

        Returns
        -------
        array of str
            One name for each component.

        Examples
        --------
        >>> WMF(n_components=1).fit(np.eye(3)).get_feature_names_out().tolist()
        ['wmf0']
        """
        self._check_fitted()
        return super().get_feature_names_out()

    def _check_fitted(self) -> None:
        if not hasattr(self, "components_"):
            raise UnfittedMatrixError("this WMF is not fitted yet: call fit(X) first")

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        """Declare sparse input, no negative cells, and that float32 stays float32."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _validate_matrix(self, X: Any, reset: bool) -> Any:
        """Return a copy of X in CSR format without repeated cells and stored zeros."""
        dtypes = [np.float64, np.float32]
        X = csr_array(validate_data(self, X, accept_sparse="csr", dtype=dtypes, copy=True, reset=reset))
        X.sum_duplicates()
        if X.nnz and X.data.min() < 0:
            raise InputError(
                f"Negative values in data passed to X in WMF: the smallest is {X.data.min():g}; "
                "give counts or weights from 0"
            )
        X.eliminate_zeros()
        return X
