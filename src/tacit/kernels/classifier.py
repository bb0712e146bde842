"""A classifier for few labelled texts: a semantic kernel of all texts, then a linear support vector machine.

The recipe that few labels want, found on the training parts of three collections (see the guide): the
covariance of terms, its spectrum flattened to the power 1/4, lambda = 6 in units of 1 / |K|^(1/4), 200
directions, the lexical part kept whole.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils import InputTags
from sklearn.utils.validation import check_is_fitted

from tacit.checks import choice, no_single_text, number
from tacit.errors import InputError
from tacit.kernels.calibration import find_sharpness, probabilities
from tacit.kernels.families import FAMILIES
from tacit.kernels.inputs import ReadsTexts
from tacit.kernels.semantic import SemanticKernel
from tacit.kernels.target_alignment import one_vs_rest
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[np.float64]

KERNELS = (*FAMILIES, "lexical", "latent")
COSTS = (0.3, 1.0, 3.0, 10.0)
_LATENT_COMPONENTS = 100

Progress = Callable[[float, float, float], None]


class TextClassifier(ClassifierMixin, ReadsTexts):
    """Classify texts from few labelled ones, with the help of unlabelled ones.

    Parameters
    ----------
    kernel : a family of kernels ("exponential", "vonneumann"), "lexical" (words alone) or "latent" (LSA with
        100 components).
    lambda_ : how far similarity spreads, in units of 1 / |K|^power; "cv" to choose it by cross-validation on
        the labels, or "alignment" (balanced).
    C : the cost of the support vector machine, or "cv".
    background : unlabelled texts that count for co-occurrence: more of the kind, or those to be classified.
    vectorizer, power, centred, n_components, random_state : as for the kernels.
    callback : called as ``callback(lambda, C, accuracy)`` after each cross-validation.

    Attributes
    ----------
    classes_ : the labels, sorted.
    chosen_lambda_, chosen_C_ : what is used, given or chosen.
    kernel_ : the fitted kernel.

    >>> texts = ["weak heart", "heart and blood", "stocks fell", "stocks and bonds"]
    >>> more = ["blood in the veins", "veins and arteries", "bonds pay interest", "interest on loans"] * 2
    >>> model = TextClassifier(lambda_=6.0, C=1.0, background=more)
    >>> model.fit(texts, ["body", "body", "money", "money"]).predict(["arteries", "loans"])
    array(['body', 'money'], dtype='<U5')
    >>> bool(model.predict_proba(["arteries"])[0, 0] > 0.5)
    True
    """

    def __init__(
        self,
        kernel: str = "exponential",
        *,
        lambda_: float | str = "cv",
        C: float | str = "cv",
        background: Sequence[str] | None = None,
        vectorizer: TextVectorizer | None = None,
        power: float = 0.25,
        centred: bool = True,
        n_components: int | None = 200,
        random_state: int = 0,
        callback: Progress | None = None,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        self.kernel = kernel
        self.lambda_ = lambda_
        self.C = C
        self.background = background
        self.vectorizer = vectorizer
        self.power = power
        self.centred = centred
        self.n_components = n_components
        self.random_state = random_state
        self.callback = callback

    def fit(self, X: Sequence[str], y: Any) -> Self:
        """Learn how words go together from all texts, and the classes from the labels.

        A text without a word that counts is no obstacle: it tells its label and nothing more.
        """
        X, labels = texts_in(X), np.asarray(y)
        one_vs_rest(labels)
        if len(labels) != len(X):
            raise InputError(f"{len(labels)} labels for {len(X)} texts: give one each")
        self.learn(X)
        if self.kernel_.n_empty_ == len(X):
            raise InputError(
                f"none of the {len(X)} texts has a word that counts: give more texts, a background, or "
                "TextVectorizer(min_df=1)"
            )
        self.chosen_lambda_, self.chosen_C_ = self._choose(labels)
        features = self._at(self.chosen_lambda_)
        self.classes_, places = np.unique(labels, return_inverse=True)
        held_out = held_out_distances(self.chosen_C_, features, labels)
        self.sharpness_ = 1.0 if held_out is None else find_sharpness(held_out, places)
        machine = support_vectors(self.chosen_C_).fit(features, labels)
        self.coef_, self.intercept_ = machine.coef_, machine.intercept_
        return self

    def learn(self, X: Sequence[str]) -> Self:
        """The part of ``fit`` that needs no labels: how words go together."""
        self._check_parameters()
        self.kernel_ = self.new_kernel().fit(X)
        return self

    def predict(self, X: Sequence[str]) -> NDArray[Any]:
        """The class of each text."""
        distances = self.decision_function(X)
        places = distances.argmax(axis=1) if distances.ndim == 2 else (distances > 0).astype(np.int64)
        return np.asarray(self.classes_[places])

    def predict_proba(self, X: Sequence[str]) -> Array:
        """The probability of each class, a column each in the order of ``classes_``.

        Distances are calibrated by one number, chosen on labelled texts held out of training in turn. Where a
        class has a single text nothing can be held out, and the distances count as they are.
        """
        return probabilities(self.decision_function(X), self.sharpness_)

    def decision_function(self, X: Sequence[str]) -> Array:
        """How far each text lies on the side of each class; one column for two classes."""
        check_is_fitted(self)
        found: Array = np.asarray(self.features(X) @ self.coef_.T) + self.intercept_
        return found if len(self.classes_) > 2 else found.ravel()

    def features(self, X: Sequence[str]) -> Any:
        """What the support vector machine sees."""
        return self._joined(*self.kernel_.placed(texts_in(X)))

    def save(self, folder: str | Path) -> None:
        """Write the classifier to a folder, which ``tacit.load`` reads; the background is not in it."""
        from tacit.kernels.serialization import save_classifier

        check_is_fitted(self)
        save_classifier(self, folder)

    @classmethod
    def from_stored(cls, stored: Any, tokenizer: Any = None) -> Self:
        """Build a classifier again from what a folder holds."""
        from tacit.kernels.serialization import restore_classifier

        return restore_classifier(cls, stored, tokenizer)

    def new_kernel(self) -> SemanticKernel:
        """The kernel before lambda is chosen, which its decomposition does not need."""
        given: dict[str, Any] = {
            "n_components": {"latent": _LATENT_COMPONENTS, "lexical": 1}.get(self.kernel)
        }
        if self.kernel in FAMILIES:
            given = {"n_components": self.n_components, "power": self.power, "centred": self.centred}
        kernel = SemanticKernel(
            0.0,
            background=self.background,
            vectorizer=self.vectorizer,
            alignment_mode="balanced",
            random_state=self.random_state,
            **given,
        )
        kernel.family = self.kernel if self.kernel in FAMILIES else kernel.family
        return kernel

    def _check_parameters(self) -> None:
        choice("kernel", self.kernel, KERNELS)
        if self.lambda_ not in ("cv", "alignment"):
            number("lambda_", self.lambda_, what="or 'cv' or 'alignment'")
        if self.C != "cv":
            number("C", self.C, above=True, what="or 'cv'")

    def _joined(self, rows: Any, coordinates: Array) -> Any:
        return normalize(coordinates) if self.kernel == "latent" else self.kernel_.joined(rows, coordinates)

    def _at(self, strength: float) -> Any:
        """What the machine sees of the fitted texts at a lambda."""
        self.kernel_.set_lambda(strength, relative=True)
        return self._joined(*self.kernel_.fitted)

    def _choose(self, y: NDArray[Any]) -> tuple[float, float]:
        """Lambda (in relative units) and C by cross-validation on the labels, where they are not given."""
        strengths = self._strengths(y)
        costs = COSTS if isinstance(self.C, str) else (float(self.C),)
        chosen = choose(self._at, strengths, costs, y, self.callback)
        if chosen is not None:
            return chosen
        usual = FAMILIES[self.kernel].usual if self.kernel in FAMILIES else 0.0
        return usual if usual in strengths else strengths[0], 1.0 if 1.0 in costs else costs[0]

    def _strengths(self, y: NDArray[Any]) -> tuple[float, ...]:
        if self.kernel not in FAMILIES:
            return (0.0,)
        if self.lambda_ == "alignment":
            found = self.kernel_.line_search(y)
            found.warn("balanced")
            return (found.lambda_ * self.kernel_.unit_,)
        return FAMILIES[self.kernel].tried if isinstance(self.lambda_, str) else (float(self.lambda_),)

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called."""
        return hasattr(self, "coef_")

    def __sklearn_tags__(self) -> Any:
        """Texts in, not numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags = InputTags(one_d_array=True, two_d_array=False, string=True)
        return tags


def texts_in(X: Any) -> list[str]:
    """The texts of any collection of them.

    >>> texts_in(("a", "b"))
    ['a', 'b']
    >>> texts_in([1.0])
    Traceback (most recent call last):
    tacit.errors.InputError: text 1 is a float: give a list of texts
    """
    no_single_text(X)
    texts = list(X)
    for place, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise InputError(f"text {place} is a {type(text).__name__}: give a list of texts")
    return texts


def choose(
    rows_at: Callable[[float], Any],
    strengths: Sequence[float],
    costs: Sequence[float],
    y: NDArray[Any],
    callback: Progress | None = None,
) -> tuple[float, float] | None:
    """The lambda and C of the best accuracy in cross-validation; None where a class of one text forbids it.

    ``rows_at(lambda)`` gives the features of the labelled texts. Among equals, the C nearest to 1.
    """
    if len(strengths) * len(costs) == 1:
        return strengths[0], costs[0]
    folds = _folds(y)
    if folds is None:
        return None
    scores = {}
    for strength in strengths:
        rows = rows_at(strength)
        for cost in costs:
            with _quiet_folds():
                found = float(cross_val_score(support_vectors(cost), rows, y, cv=folds).mean())
            scores[strength, cost] = (round(found, 6), -abs(float(np.log(cost))))
            if callback is not None:
                callback(strength, cost, found)
    return max(scores, key=lambda pair: scores[pair])


def held_out_distances(cost: float, rows: Any, y: NDArray[Any]) -> Array | None:
    """The distances of each text by a machine that was not shown it; None where that is not possible."""
    folds = _folds(y)
    if folds is None:
        return None
    with _quiet_folds():
        return np.asarray(
            cross_val_predict(support_vectors(cost), rows, y, cv=folds, method="decision_function")
        )


def support_vectors(cost: float) -> LinearSVC:
    """A linear support vector machine that is the same each time."""
    return LinearSVC(C=cost, random_state=0, max_iter=10_000)


def _folds(y: NDArray[Any]) -> StratifiedKFold | None:
    smallest = int(np.unique(y, return_counts=True)[1].min())
    if smallest < 2:
        return None
    return StratifiedKFold(min(5 if len(y) <= 1000 else 3, smallest), shuffle=True, random_state=0)


def _quiet_folds() -> warnings.catch_warnings[None]:
    """A machine that does not converge says so once, when it learns from all texts."""
    return warnings.catch_warnings(action="ignore", category=ConvergenceWarning)
