"""The semantic kernels as scikit-learn transformers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, vstack
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from tacit.errors import InputError
from tacit.factorize.spectral import one_thread
from tacit.kernels.alignment import one_vs_rest, prior
from tacit.kernels.curve import ClosedCurve, CosineCurve, Curve, EigenCurve
from tacit.kernels.families import EXPONENTIAL, VON_NEUMANN, Family
from tacit.kernels.line_search import LineSearch, search
from tacit.kernels.parameters import check_parameters
from tacit.kernels.rows import are_texts, inverse, refuse_empty, report_empty, scaled, sparse_rows, unit
from tacit.kernels.space import DocumentSpace, Space, make_space
from tacit.kernels.terms import TermProximity
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[np.float64]

_MOST_LABELS = 2000
"""Alignment is estimated from at most so many labelled texts."""


class SemanticKernel(TermProximity, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """k(a, b) = a'Sb, where S tells how terms go together: what the two kernels share.

    S = I + V diag(g) V', with V the directions in which the documents' terms co-occur; it is never formed.

    Parameters
    ----------
    lambda_ : how far similarity spreads: a number from 0, or "alignment" to choose it by the labels.
    relative : ``lambda_`` is in units of 1 / |K|^power, so that one value suits collections of any size.
    power : flattens the spectrum of co-occurrence, from 0 to 1; 1 is the paper's kernel.
    centred : learn from the covariance of terms, in place of their raw co-occurrence.
    normalize : bring the rows of X to length 1 first.
    cosine : divide the kernel to a diagonal of ones.
    n_components : keep so many directions, and the lexical part whole; by default every direction up to
        4,000 documents (or terms), above that 300.
    background : unlabelled documents, of the same kind as X, that count for co-occurrence but are not fitted
        rows. With the documents to be classified later in it, the kernel is transductive.
    alignment_mode : "uncentred" (the paper's), "centred" or "balanced".
    vectorizer : for texts; by default ``TextVectorizer(tf="log1p")``, the paper's log(1 + tf) log(m / df).
    random_state : the seed of the decomposition with ``n_components``.

    Attributes
    ----------
    chosen_lambda_ : the lambda in use; ``lambda_bound_`` ends its legal range.
    search_ : what the line search found, or None.
    gain_ : g, how much each direction adds.
    """

    family: ClassVar[Family]

    def __init__(
        self,
        lambda_: float | str = 1.0,
        *,
        relative: bool = False,
        power: float = 1.0,
        centred: bool = False,
        normalize: bool = True,
        cosine: bool = True,
        n_components: int | None = None,
        background: Any = None,
        alignment_mode: str = "uncentred",
        vectorizer: TextVectorizer | None = None,
        random_state: Any = 0,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        self.lambda_ = lambda_
        self.relative = relative
        self.power = power
        self.centred = centred
        self.normalize = normalize
        self.cosine = cosine
        self.n_components = n_components
        self.background = background
        self.alignment_mode = alignment_mode
        self.vectorizer = vectorizer
        self.random_state = random_state

    chosen_lambda_: float
    lambda_bound_: float
    space_: Space
    search_: LineSearch | None
    vectorizer_: TextVectorizer | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how terms go together from X and the background; choose lambda by the labels if asked to."""
        check_parameters(self)
        if self._by_alignment:
            if y is None:
                raise InputError("lambda_='alignment' needs labels: fit(X, y)")
            one_vs_rest(y)
        rows, known = self._learn(X)
        self.space_ = make_space(known, self.n_components, self.centred, self.random_state)
        if not len(self.space_.values):
            raise InputError("all documents are the same: there is nothing to learn; give other documents")
        self._x = self.space_.values**self.power
        self.lambda_bound_ = self.family.bound(self._x[0])
        self._rows = rows
        own = self.space_.own() if isinstance(self.space_, DocumentSpace) else None
        alone = own is not None and self.background is None and not self.centred
        self._coordinates = own if alone and own is not None else self.space_.project(rows)
        self._is_diagonal = alone and not self.cosine and self.alignment_mode == "uncentred"
        self.search_ = self.line_search(y) if self._by_alignment else None
        if self.search_ is not None:
            self.search_.warn(self.alignment_mode)
            self._set_lambda(self.search_.lambda_)
        else:
            self._set_lambda(float(self.lambda_) / (self._x[0] if self.relative else 1.0))
        return self

    def transform(self, X: Any) -> Array:
        """The kernel between the rows of X and the fitted ones, for ``SVC(kernel="precomputed")``.

        A text without a known term has similarity 0 with all; how many there are is logged.
        """
        rows = self._new_rows(X)
        coordinates = self.space_.project(rows)
        with one_thread():
            K = (coordinates * self.gain_) @ self._coordinates.T
        K += (rows @ self._rows.T).toarray()
        if self.cosine:
            K *= inverse(np.sqrt(self._diagonal(rows, coordinates)))[:, None] * self._scale
        return K

    def features(self, X: Any) -> Any:
        """Sparse rows whose inner products are the kernel: [a, sqrt(g) aV], for linear models at scale."""
        rows = self._new_rows(X)
        coordinates = self.space_.project(rows)
        scale = inverse(np.sqrt(self._diagonal(rows, coordinates))) if self.cosine else np.ones(rows.shape[0])
        coordinates *= np.sqrt(self.gain_) * scale[:, None]
        return csr_array(hstack([scaled(rows, scale), csr_array(coordinates)], format="csr"))

    def line_search(self, y: Any) -> LineSearch:
        """The lambda at which the kernel of the fitted rows aligns best with their labels."""
        check_is_fitted(self, "space_")
        labels = np.asarray(y)
        if len(labels) != self._rows.shape[0]:
            raise InputError(f"{len(labels)} labels for {self._rows.shape[0]} documents: give one each")
        bound, points = self.family.search_bound(self._x[0]), 12 if self.cosine else 33
        if self._is_diagonal:
            curve: Curve = EigenCurve(
                self.space_.values,
                self._coordinates / np.sqrt(self.space_.values),
                self._x,
                self.family,
                one_vs_rest(labels),
            )
            return search(curve, bound, prior(labels), points)
        some = _sample(len(labels))
        rows, Z, signs = self._rows[some], self._coordinates[some], one_vs_rest(labels[some])
        make = CosineCurve if self.cosine else ClosedCurve
        curve = make((rows @ rows.T).toarray(), Z, self._x, self.family, signs, self.alignment_mode)
        return search(curve, bound, prior(labels[some]), points)

    def set_lambda(self, value: float, relative: bool = False) -> Self:
        """The same decomposition with another lambda: nothing is learnt again."""
        check_is_fitted(self, "space_")
        self._set_lambda(value / (self._x[0] if relative else 1.0))
        return self

    def coordinates(self, X: Any) -> Array:
        """The rows of X along the directions, X V: latent semantic analysis."""
        return self.space_.project(self._new_rows(X))

    @property
    def unit_(self) -> float:
        """|K|^power, by which a relative lambda is divided."""
        return float(self._x[0])

    @property
    def gain_(self) -> Array:
        """g, how much each direction adds to the inner product."""
        return self.family.gain(self._x, self.chosen_lambda_)

    @property
    def _by_alignment(self) -> bool:
        return isinstance(self.lambda_, str)

    @property
    def _n_features_out(self) -> int:
        return int(self._rows.shape[0])

    def _set_lambda(self, value: float) -> None:
        self.chosen_lambda_ = self.family.check(value, self._x[0])
        self._scale = inverse(np.sqrt(self._diagonal(self._rows, self._coordinates)))

    def _diagonal(self, rows: Any, coordinates: Array) -> Array:
        own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        return own + (coordinates**2) @ self.gain_

    def _learn(self, X: Any) -> tuple[Any, Any]:
        """The rows of X, and those with the background's."""
        self.vectorizer_ = None
        texts = X if are_texts(X) else None
        if texts is not None:
            self._learn_words(texts)
        rows = self._checked(X, reset=True)
        refuse_empty(rows, texts)
        if self.background is None:
            return rows, rows
        more = self._checked(self.background, reset=False)
        return rows, csr_array(vstack([rows, more[np.diff(more.indptr) > 0]], format="csr"))

    def _learn_words(self, texts: Sequence[str]) -> None:
        if self.background is not None and not are_texts(self.background):
            raise InputError("X holds texts and background a matrix: give both as texts, or both as matrices")
        given = (self.vectorizer or TextVectorizer(tf="log1p")).get_params()
        more = [] if self.background is None else self.background
        self.vectorizer_ = TextVectorizer(**given).fit(chain(texts, more))

    def _new_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        rows = self._checked(X, reset=False)
        report_empty(rows)
        return rows

    def _checked(self, X: Any, reset: bool) -> Any:
        """Sparse rows, of length 1 if ``normalize``."""
        if self.vectorizer_ is not None:
            X = self.vectorizer_.transform(X)
            rows = sparse_rows(X)
            self.n_features_in_ = rows.shape[1]
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)
            rows = sparse_rows(X)
        return unit(rows) if self.normalize else rows

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called: the parameter ``lambda_`` ends like a fitted attribute."""
        return hasattr(self, "chosen_lambda_") or hasattr(self, "space_")

    def __sklearn_tags__(self) -> Any:
        """Sparse input; labels are needed only to choose lambda."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class ExponentialKernel(SemanticKernel):
    """The exponential kernel, K exp(lambda K): paths over t texts count lambda^t / t! (Kandola et al. 2002).

    Its parameters are those of :class:`SemanticKernel`.

    >>> texts = ["heart attack", "heart disease", "cardiac disease", "cardiac arrest", "stock prices"]
    >>> kernel = ExponentialKernel(lambda_=1.0, vectorizer=TextVectorizer(min_df=1, tf="log1p")).fit(texts)
    >>> kernel.transform(["attack"]).round(2)
    array([[0.91, 0.28, 0.07, 0.01, 0.  ]])
    >>> [word for word, _ in kernel.related_terms("heart", n=2)]
    ['disease', 'attack']
    """

    family = EXPONENTIAL


class VonNeumannKernel(SemanticKernel):
    """The von Neumann kernel, K (I - lambda K)^-1, for lambda below 1 / |K| (Kandola et al. 2002).

    Its parameters are those of :class:`SemanticKernel`.

    >>> X = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    >>> VonNeumannKernel(0.3).fit(X).transform(X).round(2)
    array([[1.  , 0.62, 0.2 ],
           [0.62, 1.  , 0.81],
           [0.2 , 0.81, 1.  ]])
    >>> VonNeumannKernel(2.0).fit(X)
    Traceback (most recent call last):
    tacit.errors.InputError: lambda_=2 is outside the legal range of the von Neumann kernel here: give ...
    """

    family = VON_NEUMANN


def _sample(n: int) -> NDArray[np.int64]:
    """All places, or as many as are aligned, the same ones each time."""
    if n <= _MOST_LABELS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).permutation(n)[:_MOST_LABELS])
