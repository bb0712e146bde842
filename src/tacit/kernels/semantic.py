"""The semantic kernels as scikit-learn transformers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, vstack
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted, validate_data

from tacit.checks import choice, number, whole
from tacit.compute.blas import one_blas_thread
from tacit.errors import InputError
from tacit.kernels.directions import Directions, find_directions
from tacit.kernels.families import FAMILIES, Family
from tacit.kernels.inputs import ReadsTexts, are_texts, count_empty, sparse_rows
from tacit.kernels.lambda_search import ClosedCurve, CosineCurve, Curve, EigenCurve, LineSearch, search
from tacit.kernels.target_alignment import MODES, one_vs_rest, prior
from tacit.kernels.terms import TermProximity
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[np.float64]

_MOST_LABELS = 2000
"""Alignment is estimated from at most so many labelled texts."""


class SemanticKernel(TermProximity, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ReadsTexts):
    """k(a, b) = a'Sb, where S tells how terms go together: what the kernels share.

    S = I + V diag(g) V', with V the directions in which the documents' terms co-occur; it is never formed.

    Parameters
    ----------
    lambda_ : how far similarity spreads: a number from 0, "auto" for the family's usual one in units of
        1 / |K|^power, or "alignment" to choose it by the labels.
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
    vectorizer : for texts; by default ``TextVectorizer.paper(tf="log1p")``, log(1 + tf) log(m / df).
    random_state : the seed of the decomposition with ``n_components``.

    Attributes
    ----------
    chosen_lambda_ : the lambda in use; ``lambda_bound_`` ends its legal range.
    search_ : what the line search found, or None.
    gain_ : g, how much each direction adds.
    n_empty_ : how many of the fitted documents have no term; they are like nothing, themselves included.
    """

    family = "exponential"

    def __init__(
        self,
        lambda_: float | str = "auto",
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
    directions_: Directions
    search_: LineSearch | None
    vectorizer_: TextVectorizer | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how terms go together from X and the background; choose lambda by the labels if asked to."""
        self._check_parameters()
        if self.lambda_ == "alignment":
            if y is None:
                raise InputError("lambda_='alignment' needs labels: fit(X, y)", parameter="lambda_")
            one_vs_rest(y)
        rows = self._learnt_rows(X)
        self.n_empty_ = count_empty(rows)
        documents = self._documents(rows)
        directions = find_directions(documents, self.n_components, self.centred, self.random_state)
        if not len(directions.values):
            raise InputError("all documents are the same: there is nothing to learn; give other documents")
        self._place(rows, directions)
        self.search_ = self.line_search(y) if self.lambda_ == "alignment" else None
        if self.search_ is not None:
            self.search_.warn(self.alignment_mode)
            return self.set_lambda(self.search_.lambda_)
        if self.lambda_ == "auto":
            return self.set_lambda(self._family.usual, relative=True)
        return self.set_lambda(float(self.lambda_), self.relative)

    def transform(self, X: Any) -> Array:
        """The kernel between the rows of X and the fitted ones, for ``SVC(kernel="precomputed")``.

        A text without a known term has similarity 0 with all; how many there are is logged.
        """
        rows, coordinates = self.placed(X)
        with one_blas_thread():
            K = (coordinates * self.gain_) @ self._coordinates.T
        K += (rows @ self._rows.T).toarray()
        if self.cosine:
            K *= _inverse_length(self._diagonal(rows, coordinates))[:, None] * self._scale
        return K

    def features(self, X: Any) -> Any:
        """Sparse rows whose inner products are the kernel: [a, sqrt(g) aV], for linear models at scale."""
        return self.joined(*self.placed(X))

    @property
    def fitted(self) -> tuple[Any, Array]:
        """The fitted rows and their coordinates."""
        return self._rows, self._coordinates

    def placed(self, X: Any) -> tuple[Any, Array]:
        """The rows of X and their coordinates, neither of which depends on lambda."""
        check_is_fitted(self)
        rows = self._checked(X, reset=False)
        count_empty(rows)
        return rows, self.directions_.project(rows)

    def joined(self, rows: Any, coordinates: Array) -> Any:
        """Features at the present lambda."""
        found = csr_array(hstack([rows, csr_array(coordinates * np.sqrt(self.gain_))], format="csr"))
        return normalize(found, copy=False) if self.cosine else found

    def coordinates(self, X: Any) -> Array:
        """The rows of X along the directions, X V: latent semantic analysis."""
        return self.placed(X)[1]

    def line_search(self, y: Any) -> LineSearch:
        """The lambda at which the kernel of the fitted rows aligns best with their labels."""
        check_is_fitted(self, "directions_")
        labels = np.asarray(y)
        if len(labels) != self._rows.shape[0]:
            raise InputError(f"{len(labels)} labels for {self._rows.shape[0]} documents: give one each")
        bound, points = self._family.searched / self.unit_, 12 if self.cosine else 33
        if self._are_own and not self.cosine and self.alignment_mode == "uncentred":
            values = self.directions_.values
            U = self._coordinates / np.sqrt(values)
            curve: Curve = EigenCurve(values, U, self._x, self._family, one_vs_rest(labels))
            return search(curve, bound, prior(labels), points)
        some = _sample(len(labels))
        rows, Z, signs = self._rows[some], self._coordinates[some], one_vs_rest(labels[some])
        make = CosineCurve if self.cosine else ClosedCurve
        curve = make((rows @ rows.T).toarray(), Z, self._x, self._family, signs, self.alignment_mode)
        return search(curve, bound, prior(labels[some]), points)

    def set_lambda(self, value: float, relative: bool = False) -> Self:
        """The same decomposition with another lambda: nothing is learnt again."""
        check_is_fitted(self, "directions_")
        self.chosen_lambda_ = self._family.check(value / (self.unit_ if relative else 1.0), self.unit_)
        self._scale = _inverse_length(self._diagonal(self._rows, self._coordinates))
        return self

    def save(self, folder: str | Path) -> None:
        """Write the fitted kernel to a folder, which ``tacit.load`` reads; the background is not in it."""
        from tacit.kernels.serialization import save_kernel

        check_is_fitted(self)
        save_kernel(self, folder)

    @classmethod
    def from_stored(cls, stored: Any, tokenizer: Any = None) -> Self:
        """Build a kernel again from what a folder holds."""
        from tacit.kernels.serialization import restore_kernel

        return restore_kernel(cls, stored, tokenizer)

    @property
    def unit_(self) -> float:
        """|K|^power, by which a relative lambda is divided."""
        return float(self._x[0])

    @property
    def gain_(self) -> Array:
        """g, how much each direction adds to the inner product."""
        return self._family.gain(self._x, self.chosen_lambda_)

    @property
    def _family(self) -> Family:
        return FAMILIES[self.family]

    @property
    def _n_features_out(self) -> int:
        return int(self._rows.shape[0])

    def _check_parameters(self) -> None:
        """Refuse what is out of its range; lambda's bound is known after the decomposition."""
        if self.lambda_ not in ("auto", "alignment"):
            number("lambda_", self.lambda_, what="or 'auto' or 'alignment'")
        number("power", self.power, most=1, above=True, what="1 is the paper's kernel")
        choice("alignment_mode", self.alignment_mode, MODES)
        if self.n_components is not None:
            whole("n_components", self.n_components, what="or None for every direction")

    def _place(self, rows: Any, directions: Directions) -> None:
        """Take rows as the fitted ones."""
        self.directions_, self._rows = directions, rows
        self._x = directions.values**self.power
        self.lambda_bound_ = self._family.legal / self.unit_
        # Where the fitted rows are all that was learnt from, their coordinates are U diag(w)^1/2.
        self._are_own = directions.documents is rows and not self.centred
        self._coordinates = (
            directions.basis * directions.values if self._are_own else directions.project(rows)
        )

    def _diagonal(self, rows: Any, coordinates: Array) -> Array:
        own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        return own + (coordinates**2) @ self.gain_

    def _learnt_rows(self, X: Any) -> Any:
        """The rows of X, after the words are learnt where X holds texts."""
        self.vectorizer_ = None
        if are_texts(X):
            if self.background is not None and not are_texts(self.background):
                raise InputError(
                    "X holds texts and background a matrix: give both as texts, or both as matrices"
                )
            more: Sequence[str] = [] if self.background is None else self.background
            self.vectorizer_ = self.new_vectorizer().fit(chain(X, more))
        return self._checked(X, reset=True)

    def _documents(self, rows: Any) -> Any:
        """What is learnt from: the rows and the background's, without those that have no term."""
        found = rows
        if self.background is not None:
            found = csr_array(vstack([rows, self._checked(self.background, reset=False)], format="csr"))
        told = np.diff(found.indptr) > 0
        if not told.any():
            raise InputError(
                f"none of the {found.shape[0]} documents has a term that weighs anything: give more "
                "documents, a background, or for texts TextVectorizer(min_df=1)"
            )
        return found if told.all() else found[told]

    def _checked(self, X: Any, reset: bool) -> Any:
        """Sparse rows, of length 1 if ``normalize``."""
        if self.vectorizer_ is not None:
            rows = sparse_rows(self.vectorizer_.transform(X))
            self.n_features_in_ = rows.shape[1]
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)
            rows = sparse_rows(X)
        return normalize(rows, copy=False) if self.normalize else rows

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called: the parameter ``lambda_`` ends like a fitted attribute."""
        return hasattr(self, "directions_")

    def __sklearn_tags__(self) -> Any:
        """Sparse input; labels are needed only to choose lambda."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class ExponentialKernel(SemanticKernel):
    """The exponential kernel, K exp(lambda K): paths over t texts count lambda^t / t! (Kandola et al. 2002).

    Its parameters are those of :class:`SemanticKernel`.

    >>> texts = ["heart attack", "heart disease", "cardiac disease", "cardiac arrest", "stock prices"]
    >>> words = TextVectorizer.paper(min_df=1, tf="log1p")
    >>> kernel = ExponentialKernel(lambda_=1.0, vectorizer=words).fit(texts)
    >>> kernel.transform(["attack"]).round(2)
    array([[0.91, 0.28, 0.07, 0.01, 0.  ]])
    >>> [word for word, _ in kernel.related_terms("heart", n=2)]
    ['disease', 'attack']
    """

    family = "exponential"


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

    family = "vonneumann"


def _inverse_length(squares: Array) -> Array:
    """One over the length, 0 where it is 0."""
    return np.divide(1, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)


def _sample(n: int) -> NDArray[np.int64]:
    """All places, or as many as are aligned, the same ones each time."""
    if n <= _MOST_LABELS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).permutation(n)[:_MOST_LABELS])
