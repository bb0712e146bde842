"""Text classifier for few labels: a semantic kernel and a linear SVM.

The defaults were chosen on the training parts of three collections (see the guide): the covariance of terms,
its spectrum flattened to the power 1/4, lambda = 8 in units of 1 / |K|^(1/4), C = 1, 200 components, and the
whole lexical part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import normalize
from sklearn.utils import InputTags
from sklearn.utils.validation import check_is_fitted

from tacit.checks import check_choice, check_float, format_count
from tacit.errors import InputError
from tacit.kernels import svm
from tacit.kernels.alignment import one_vs_rest_signs
from tacit.kernels.semantic import SemanticKernel
from tacit.kernels.spectrum import FAMILIES
from tacit.kernels.text_input import TextInputMixin, check_texts
from tacit.models.encoders import StaticEncoder
from tacit.models.outside import Outside, WordTable, as_encoder
from tacit.text.token_ids import tokenize_texts
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[np.float64]

_N_COMPONENTS = {"lexical": 1, "latent": 100}
"""The number of components of the kernels that are not a family."""

_PREFERRED_LAMBDA = {"exponential": 8.0, "vonneumann": 0.8}
"""The lambda with few labels, unless another is better by more than a standard error of cross-validation."""

FEW_LABELS = 200
"""The number of labelled texts from which the best lambda and C of cross-validation are taken."""

LONG_TEXT = 40
"""The mean number of words from which labelled texts are long."""

KERNELS = (*FAMILIES, *_N_COMPONENTS)


def choose_min_df(texts: Sequence[str], n_background: int) -> int:
    """Return the lowest document frequency of words to keep, for labelled texts.

    Few short texts have few words twice. Of long texts enough words remain, and of a larger background too.

    >>> choose_min_df(["a cat", "a dog"], 0), choose_min_df(["a cat", "a dog"], 1000)
    (1, 2)
    """
    n_words = sum(len(text.split()) for text in texts)
    return 2 if n_background > len(texts) or n_words > LONG_TEXT * len(texts) else 1


@dataclass(eq=False, repr=False)
class TextClassifier(ClassifierMixin, TextInputMixin):
    """Classify texts from few labelled texts, with the help of unlabelled ones.

    Parameters
    ----------
    kernel : str
        A kernel family ("exponential", "vonneumann"), "lexical" (words alone) or "latent" (LSA with 100
        components).
    lambda_ : float or str
        Strength of the semantic part, in units of 1 / |K|^power; "cv" to choose it by cross-validation on the
        labels (below 200 labels 8, or .8 for "vonneumann", unless others are clearly better), or
        "alignment" (balanced).
    C : float or str
        The cost parameter of the SVM, or "cv" (below 200 labels 1, unless others are clearly better).
    background : sequence of str, optional
        Unlabelled texts that count for co-occurrence: similar texts, or those to be classified.
    vectorizer : TextVectorizer, optional
        Converts texts to weights, as for ``ExponentialKernel``. The default one keeps words of a single text
        unless the labelled texts are long or fewer than the background.
    power : float
        Flattens the spectrum of co-occurrence, from 0 to 1.
    centred : bool
        Use the covariance of terms instead of their raw co-occurrence.
    n_components : int, optional
        The number of components beside the lexical part; None for all up to 4,000 texts, above that 300.
    random_state : int
        Random seed of the decomposition with ``n_components``.
    encoder : object, str or Path, optional
        An encoder whose vectors are used as well, or its folder; see ``TextModel.with_encoder``.
    callback : callable, optional
        Called as ``callback(lambda, C, accuracy)`` after each cross-validation.

    Attributes
    ----------
    classes_ : numpy.ndarray
        The labels, sorted.
    chosen_lambda_ : float
        The lambda in use.
    chosen_C_ : float
        The C in use.
    kernel_ : SemanticKernel
        The fitted kernel.

    Examples
    --------
    >>> texts = ["weak heart", "heart and blood", "stocks fell", "stocks and bonds"]
    >>> more = ["blood in the veins", "veins and arteries", "bonds pay interest", "interest on loans"] * 2
    >>> model = TextClassifier(lambda_=6.0, C=1.0, background=more)
    >>> model.fit(texts, ["body", "body", "money", "money"]).predict(["arteries", "loans"])
    array(['body', 'money'], dtype='<U5')
    >>> bool(model.predict_proba(["arteries"])[0, 0] > 0.5)
    True
    """

    kernel: str = "exponential"
    _: KW_ONLY
    lambda_: float | str = "cv"
    C: float | str = "cv"
    background: Sequence[str] | None = None
    vectorizer: TextVectorizer | None = None
    power: float = 0.25
    centred: bool = True
    n_components: int | None = 200
    random_state: int = 0
    encoder: Any = None
    callback: svm.CrossValidationCallback | None = None

    def fit(self, X: Sequence[str], y: Any) -> Self:
        """Fit the kernel on all texts, and the SVM on the labels.

        Texts without a known word are allowed; they only count for the class prior.

        Parameters
        ----------
        X : sequence of str
            The labelled texts.
        y : array-like of shape (n_texts,)
            A label for each text.

        Returns
        -------
        TextClassifier
            The classifier itself.
        """
        X, labels = check_texts(X), np.asarray(y)
        one_vs_rest_signs(labels)  # validates the labels before the kernel is fitted
        if len(labels) != len(X):
            counts = f"{format_count(len(labels), 'label')} for {format_count(len(X), 'text')}"
            raise InputError(f"{counts}: give one label for each text")
        self.fit_kernel(X)
        if self.kernel_.n_empty_ == len(X):
            raise InputError(
                f"no word of {format_count(len(X), 'text')} has a weight above 0: give more texts, a "
                "background, or TextVectorizer(min_df=1)"
            )
        self.chosen_lambda_, self.chosen_C_ = self._select_hyperparameters(labels)
        features = self._features_at(self.chosen_lambda_)
        self.classes_, indices = np.unique(labels, return_inverse=True)
        decisions = svm.cross_val_decisions(self.chosen_C_, features, labels)
        self.inverse_temperature_ = 1.0
        if decisions is not None:
            self.inverse_temperature_ = svm.fit_inverse_temperature(decisions, indices)
        linear_svc = svm.make_linear_svc(self.chosen_C_).fit(features, labels)
        self.coef_, self.intercept_ = linear_svc.coef_, linear_svc.intercept_
        return self

    def fit_kernel(self, X: Sequence[str]) -> Self:
        """Fit the kernel, the part of ``fit`` that needs no labels.

        Parameters
        ----------
        X : sequence of str
            The texts.

        Returns
        -------
        TextClassifier
            The classifier itself.
        """
        self._check_parameters()
        self.outside_, self.n_outside_dimensions_ = None, None
        if self.encoder is not None:
            encoder = as_encoder(self.encoder)
            if isinstance(encoder, StaticEncoder):
                encoder = WordTable.from_encoder(encoder, tokenize_texts(X).tokens)
            self.outside_ = Outside(encoder)
        self._fitted_outside = self._encode_outside(list(X))
        if self.outside_ is not None:
            self.n_outside_dimensions_ = self._fitted_outside.shape[1]
        vectorizer = self.make_vectorizer()
        if self.vectorizer is None:
            vectorizer.min_df = choose_min_df(X, len(self.background or ()))
        self.kernel_ = self.make_kernel().set_params(vectorizer=vectorizer).fit(X)
        return self

    def predict(self, X: Sequence[str]) -> NDArray[Any]:
        """Predict the class of each text.

        Parameters
        ----------
        X : sequence of str
            The texts.

        Returns
        -------
        ndarray of shape (n_texts,)
            The classes.
        """
        decisions = self.decision_function(X)
        indices = decisions.argmax(axis=1) if decisions.ndim == 2 else (decisions > 0).astype(np.int64)
        return np.asarray(self.classes_[indices])

    def predict_proba(self, X: Sequence[str]) -> Array:
        """Estimate the probability of each class.

        Decision values are scaled by one number that is fitted by cross-validation; if a class has only one
        text, they are not scaled.

        Parameters
        ----------
        X : sequence of str
            The texts.

        Returns
        -------
        ndarray of shape (n_texts, n_classes)
            Probabilities, with columns in the order of ``classes_``.
        """
        return svm.softmax_probabilities(self.decision_function(X), self.inverse_temperature_)

    def decision_function(self, X: Sequence[str]) -> Array:
        """Compute the signed distance of each text to the hyperplane of each class.

        Parameters
        ----------
        X : sequence of str
            The texts.

        Returns
        -------
        ndarray
            The distances, one column per class; one-dimensional for two classes.
        """
        check_is_fitted(self)
        decisions: Array = np.asarray(self.features(X) @ self.coef_.T) + self.intercept_
        return decisions if len(self.classes_) > 2 else decisions.ravel()

    def features(self, X: Sequence[str]) -> Any:
        """Compute the input of the SVM.

        Parameters
        ----------
        X : sequence of str
            The texts.

        Returns
        -------
        csr_array or ndarray
            A row per text.
        """
        texts = check_texts(X)
        return self._svm_features(*self.kernel_.project(texts), self._encode_outside(texts))

    def make_kernel(self) -> SemanticKernel:
        """Make the unfitted kernel; lambda is set later, as the decomposition does not need it.

        Returns
        -------
        SemanticKernel
            The kernel.
        """
        kernel = SemanticKernel(0.0, background=self.background, vectorizer=self.vectorizer)
        kernel.set_params(alignment_mode="balanced", random_state=self.random_state)
        if self.kernel not in FAMILIES:
            return kernel.set_params(n_components=_N_COMPONENTS[self.kernel])
        kernel.family = self.kernel
        return kernel.set_params(n_components=self.n_components, power=self.power, centred=self.centred)

    def _check_parameters(self) -> None:
        check_choice("kernel", self.kernel, KERNELS)
        if self.lambda_ not in ("cv", "alignment"):
            check_float("lambda_", self.lambda_, note="or 'cv' or 'alignment'")
        if self.C != "cv":
            check_float("C", self.C, exclusive_min=True, note="or 'cv'")

    def _encode_outside(self, texts: list[str]) -> Any:
        return self.outside_ and self.outside_.encode_strings(texts, self.n_outside_dimensions_)

    def _svm_features(self, rows: Any, coordinates: Array, outside: Any) -> Any:
        """Return the features of the kernel, beside scaled outside vectors if there are some."""
        is_latent = self.kernel == "latent"
        own = normalize(coordinates) if is_latent else self.kernel_.explicit_features(rows, coordinates)
        if self.outside_ is None:
            return own
        share = self.outside_.share
        sides = own * np.sqrt(1 - share), outside.astype(np.float64) * np.sqrt(share)
        return np.hstack(sides) if is_latent else csr_array(hstack(sides, format="csr"))

    def _features_at(self, lam: float) -> Any:
        """Return the SVM input of the fitted texts at a lambda."""
        self.kernel_.set_lambda(lam, relative=True)
        return self._svm_features(*self.kernel_.fitted_rows, self._fitted_outside)

    def _select_hyperparameters(self, y: NDArray[Any]) -> tuple[float, float]:
        """Return lambda (in relative units) and C, by cross-validation unless they are parameters."""
        lambdas = self._lambda_grid(y)
        costs = svm.C_GRID if isinstance(self.C, str) else (float(self.C),)
        preferred = _PREFERRED_LAMBDA.get(self.kernel, 0.0), 1.0
        options = (self.callback, preferred if len(y) < FEW_LABELS else None)
        best = svm.select_by_cross_validation(self._features_at, lambdas, costs, y, *options)
        if best is not None:
            return best
        first = lambdas[0], costs[0]
        return preferred[0] if preferred[0] in lambdas else first[0], 1.0 if 1.0 in costs else first[1]

    def _lambda_grid(self, y: NDArray[Any]) -> tuple[float, ...]:
        """Return the lambdas that cross-validation tries."""
        if self.kernel not in FAMILIES:
            return (0.0,)
        if self.lambda_ == "alignment":
            result = self.kernel_.line_search(y)
            result.warn_if_unreliable("balanced")
            return (result.lambda_ * self.kernel_.lambda_scale_,)
        return FAMILIES[self.kernel].lambda_grid if isinstance(self.lambda_, str) else (float(self.lambda_),)

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether ``fit`` has been called."""
        return hasattr(self, "coef_")

    def __sklearn_tags__(self) -> Any:
        """Declare that the input is texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags = InputTags(one_d_array=True, two_d_array=False, string=True)
        return tags
