"""Semantic kernels as scikit-learn transformers."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from tacit.checks import check_choice, check_float, check_int
from tacit.compute.threads import one_blas_thread
from tacit.errors import InputError
from tacit.kernels import alignment
from tacit.kernels.alignment import LambdaSearchResult, one_vs_rest_signs
from tacit.kernels.spectrum import FAMILIES, EigenBasis, KernelFamily, decompose_terms
from tacit.kernels.term_similarity import TermSimilarityMixin
from tacit.kernels.text_input import KernelInputMixin, count_empty_rows
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class SemanticKernel(
    TermSimilarityMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelInputMixin
):
    """The kernel k(a, b) = a'Sb, where S holds the similarity of terms; base class of the kernels.

    S = I + V diag(g) V', with V the eigenvectors of the co-occurrence of terms; S is never formed. The
    parameters are those of ``ExponentialKernel``.
    """

    family = "exponential"

    lambda_: float | str = "auto"
    _: KW_ONLY
    relative: bool = False
    power: float = 1.0
    centred: bool = False
    normalize: bool = True
    cosine: bool = True
    n_components: int | None = None
    background: Any = None
    alignment_mode: str = "uncentred"
    vectorizer: TextVectorizer | None = None
    random_state: Any = 0

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decompose the co-occurrence of terms in X and the background, and set lambda.

        Parameters
        ----------
        X : sequence of str or matrix of shape (n_documents, n_terms)
            The documents.
        y : array-like of shape (n_documents,), optional
            Labels, required if ``lambda_="alignment"``.

        Returns
        -------
        SemanticKernel
            The kernel itself.

        Raises
        ------
        InputError
            If a parameter is out of range, labels are missing, or the documents have no terms.
        """
        self._check_parameters()
        if self.lambda_ == "alignment":
            if y is None:
                raise InputError("lambda_='alignment' needs labels: fit(X, y)", parameter="lambda_")
            one_vs_rest_signs(y)  # validates the labels first
        rows = self._fit_vectorizer(X)
        self.n_empty_ = count_empty_rows(rows)
        documents = self._stack_documents(rows)
        basis = decompose_terms(documents, self.n_components, self.centred, self.random_state)
        if not len(basis.eigenvalues):
            raise InputError("all documents are the same: there is nothing to learn; give other documents")
        self._set_decomposition(rows, basis)
        self.lambda_search_ = self.line_search(y) if self.lambda_ == "alignment" else None
        if self.lambda_search_ is not None:
            self.lambda_search_.warn_if_unreliable(self.alignment_mode)
            return self.set_lambda(self.lambda_search_.lambda_)
        if self.lambda_ == "auto":
            return self.set_lambda(self._family.default_lambda, relative=True)
        return self.set_lambda(float(self.lambda_), self.relative)

    def transform(self, X: Any) -> Array:
        """Compute the kernel matrix of documents with the fitted documents.

        Parameters
        ----------
        X : sequence of str or matrix
            Documents, of the same kind as in ``fit``.

        Returns
        -------
        ndarray of shape (n_documents, n_fitted)
            The kernel matrix, for ``SVC(kernel="precomputed")``.
        """
        rows, coordinates = self.project(X)
        with one_blas_thread():
            K = (coordinates * self.gain_) @ self._coordinates.T
        K += (rows @ self._rows.T).toarray()
        if self.cosine:
            K *= _inverse_norms(self._diagonal(rows, coordinates))[:, None] * self._scale
        return K

    def features(self, X: Any) -> Any:
        """Compute explicit features [a, sqrt(g) aV], whose inner products are the kernel.

        Parameters
        ----------
        X : sequence of str or matrix
            Documents, of the same kind as in ``fit``.

        Returns
        -------
        csr_array
            A row per document, for linear models.
        """
        return self.explicit_features(*self.project(X))

    @property
    def fitted_rows(self) -> tuple[Any, Array]:
        """The fitted rows and their coordinates."""
        return self._rows, self._coordinates

    def project(self, X: Any) -> tuple[Any, Array]:
        """Convert documents to term weights and coordinates, neither of which depends on lambda.

        Parameters
        ----------
        X : sequence of str or matrix
            Documents, of the same kind as in ``fit``.

        Returns
        -------
        rows : csr_array
            The term weights.
        coordinates : ndarray
            The coordinates in the eigenbasis.
        """
        check_is_fitted(self)
        rows = self._to_rows(X, reset=False)
        count_empty_rows(rows)
        return rows, self.basis_.project(rows)

    def explicit_features(self, rows: Any, coordinates: Array) -> Any:
        """Compute explicit features at the current lambda.

        Parameters
        ----------
        rows : csr_array
            Term weights of documents.
        coordinates : ndarray
            Their coordinates in the eigenbasis.

        Returns
        -------
        csr_array
            A row per document.
        """
        features = csr_array(hstack([rows, csr_array(coordinates * np.sqrt(self.gain_))], format="csr"))
        return normalize(features, copy=False) if self.cosine else features

    def coordinates(self, X: Any) -> Array:
        """Compute the coordinates X V of documents: latent semantic analysis.

        Parameters
        ----------
        X : sequence of str or matrix
            Documents, of the same kind as in ``fit``.

        Returns
        -------
        ndarray of shape (n_documents, n_components)
            The coordinates.
        """
        return self.project(X)[1]

    def line_search(self, y: Any) -> LambdaSearchResult:
        """Search for the lambda at which the kernel aligns best with labels.

        Parameters
        ----------
        y : array-like of shape (n_fitted,)
            A label for each fitted document.

        Returns
        -------
        LambdaSearchResult
            The best lambda and its alignment.
        """
        check_is_fitted(self, "basis_")
        labels = np.asarray(y)
        if len(labels) != self._rows.shape[0]:
            raise InputError(f"{len(labels)} labels for {self._rows.shape[0]} documents: give one label each")
        family, x = self._family, self._powered_eigenvalues
        bound, n_points = family.max_searched_lambda / self.lambda_scale_, 12 if self.cosine else 33
        if self._basis_is_fitted_rows and not self.cosine and self.alignment_mode == "uncentred":
            w = self.basis_.eigenvalues
            U, signs = self._coordinates / np.sqrt(w), one_vs_rest_signs(labels)
            spectral = alignment.spectral_alignment(w, U, x, family, signs)
            return alignment.search_lambda(spectral, bound, alignment.prior_alignment(labels), n_points)
        sample = alignment.sample_indices(len(labels))
        rows, Z, signs = self._rows[sample], self._coordinates[sample], one_vs_rest_signs(labels[sample])
        C = (rows @ rows.T).toarray()
        dense = alignment.dense_alignment(C, Z, x, family, signs, self.alignment_mode, self.cosine)
        prior = alignment.prior_alignment(labels[sample])
        return alignment.search_lambda(dense, bound, prior, n_points)

    def set_lambda(self, value: float, relative: bool = False) -> Self:
        """Set lambda without another decomposition.

        Parameters
        ----------
        value : float
            The new lambda.
        relative : bool
            Whether it is in units of 1 / |K|^power.

        Returns
        -------
        SemanticKernel
            The kernel itself.
        """
        check_is_fitted(self, "basis_")
        scale = self.lambda_scale_
        self.chosen_lambda_ = self._family.check_lambda(value / scale if relative else value, scale)
        self._scale = _inverse_norms(self._diagonal(self._rows, self._coordinates))
        return self

    @property
    def lambda_scale_(self) -> float:
        """|K|^power, by which a relative lambda is divided."""
        return float(self._powered_eigenvalues[0])

    @property
    def gain_(self) -> Array:
        """g, how much each component adds to the inner product."""
        return self._family.gain(self._powered_eigenvalues, self.chosen_lambda_)

    @property
    def _family(self) -> KernelFamily:
        return FAMILIES[self.family]

    @property
    def _n_features_out(self) -> int:
        return int(self._rows.shape[0])

    def _check_parameters(self) -> None:
        """Check the ranges of the parameters; the bound of lambda is known after the decomposition."""
        if self.lambda_ not in ("auto", "alignment"):
            check_float("lambda_", self.lambda_, note="or 'auto' or 'alignment'")
        check_float("power", self.power, max_value=1, exclusive_min=True, note="1 is the paper's kernel")
        check_choice("alignment_mode", self.alignment_mode, alignment.ALIGNMENT_MODES)
        if self.n_components is not None:
            check_int("n_components", self.n_components, note="or None for all components")

    def _set_decomposition(self, rows: Any, basis: EigenBasis) -> None:
        """Store the fitted rows and the eigenbasis, and compute the coordinates of the rows."""
        self.basis_, self._rows = basis, rows
        self._powered_eigenvalues = basis.eigenvalues**self.power
        self.lambda_bound_ = self._family.max_lambda / self.lambda_scale_
        # If the basis comes from the fitted rows alone, their coordinates are U diag(w)^1/2.
        self._basis_is_fitted_rows = basis.documents is rows and not self.centred
        self._coordinates = (
            basis.basis * basis.eigenvalues if self._basis_is_fitted_rows else basis.project(rows)
        )

    def _diagonal(self, rows: Any, coordinates: Array) -> Array:
        lexical = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        return lexical + (coordinates**2) @ self.gain_

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether ``fit`` has been called; ``lambda_`` is a parameter despite its name."""
        return hasattr(self, "basis_")

    def __sklearn_tags__(self) -> Any:
        """Declare sparse and text input."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


def _inverse_norms(squares: Array) -> Array:
    """Return 1 / sqrt of each value, 0 for 0."""
    return np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
