"""A classifier for few labelled texts: a semantic kernel of all texts, then a linear support vector machine.

The recipe that few labels want, found on the training parts of three collections (see the guide): the
covariance of terms, its spectrum flattened to the power 1/4, lambda = 6 in units of 1 / |K|^(1/4), 200
directions, the lexical part kept whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from tacit.errors import InputError
from tacit.kernels.alignment import one_vs_rest
from tacit.kernels.rows import inverse
from tacit.kernels.semantic import ExponentialKernel, SemanticKernel, VonNeumannKernel
from tacit.text.vectorizer import TextVectorizer

KERNELS = ("exponential", "vonneumann", "lexical", "latent")
STRENGTHS = {"exponential": (2.0, 4.0, 6.0, 8.0), "vonneumann": (0.5, 0.8, 0.95)}
"""The lambdas that cross-validation tries, in units of 1 / |K|^power."""
DEFAULTS = {"exponential": 6.0, "vonneumann": 0.8}
COSTS = (0.3, 1.0, 3.0, 10.0)
LATENT_COMPONENTS = 100

Progress = Callable[[float, float, float], None]


class TextClassifier(ClassifierMixin, BaseEstimator):
    """Classify texts from few labelled ones, with the help of unlabelled ones.

    Parameters
    ----------
    kernel : "exponential", "vonneumann", "lexical" (words alone) or "latent" (LSA with 100 components).
    lambda_ : how far similarity spreads, in units of 1 / |K|^power; "cv" to choose it by cross-validation on
        the labels, or "alignment" (balanced).
    C : the cost of the support vector machine, or "cv".
    background : unlabelled texts that count for co-occurrence: more of the kind, or those to be classified.
    vectorizer, power, centred, n_components : as for :class:`SemanticKernel`.
    callback : called as ``callback(lambda, C, accuracy)`` after each cross-validation.

    >>> texts = ["weak heart", "heart and blood", "stocks fell", "stocks and bonds"]
    >>> more = ["blood in the veins", "veins and arteries", "bonds pay interest", "interest on loans"] * 2
    >>> model = TextClassifier(lambda_=6.0, C=1.0, background=more)
    >>> model.fit(texts, ["body", "body", "money", "money"]).predict(["arteries", "loans"])
    array(['body', 'money'], dtype='<U5')
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
        """Learn how words go together from all texts, and the classes from the labels."""
        labels = np.asarray(y)
        one_vs_rest(labels)
        if len(labels) != len(X):
            raise InputError(f"{len(labels)} labels for {len(X)} texts: give one each")
        there = self._with_terms(X)
        self.learn([text for text, known in zip(X, there, strict=True) if known])
        self.chosen_lambda_, self.chosen_C_ = self._choose(X, labels, there)
        self._use(self.chosen_lambda_)
        self.svc_ = support_vectors(self.chosen_C_).fit(self.features(X), labels)
        self.classes_ = self.svc_.classes_
        return self

    def _with_terms(self, X: Sequence[str]) -> NDArray[np.bool_]:
        """Which texts have a term; one whose words are all its own tells nothing of how words go together."""
        given = (self.vectorizer or TextVectorizer(tf="log1p")).get_params()
        words = TextVectorizer(**given).fit(chain(X, self.background or []))
        rows = words.rows(X)
        for number in np.flatnonzero(rows.known + rows.unknown == 0)[:1].tolist():
            raise InputError(
                f"document {number + 1} of {len(X)} ({X[number]!r:.40}) is empty: it has no word; drop it"
            )
        there: NDArray[np.bool_] = np.diff(rows.indptr) > 0
        if not there.any():
            raise InputError(
                f"none of the {len(X)} texts has a word that counts: give more texts, a background, or "
                "TextVectorizer(min_df=1)"
            )
        return there

    def learn(self, X: Sequence[str]) -> Self:
        """The part of ``fit`` that needs no labels: how words go together."""
        self.kernel_ = self._made().fit(X)
        return self

    def predict(self, X: Sequence[str]) -> NDArray[Any]:
        """The class of each text."""
        check_is_fitted(self, "svc_")
        return np.asarray(self.svc_.predict(self.features(X)))

    def decision_function(self, X: Sequence[str]) -> NDArray[np.float64]:
        """How far each text lies on the side of each class; one column for two classes."""
        check_is_fitted(self, "svc_")
        return np.asarray(self.svc_.decision_function(self.features(X)))

    def features(self, X: Sequence[str]) -> Any:
        """What the support vector machine sees."""
        if self.kernel != "latent":
            return self.kernel_.features(X)
        coordinates = self.kernel_.coordinates(X)
        return coordinates * inverse(np.linalg.norm(coordinates, axis=1))[:, None]

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called."""
        return hasattr(self, "svc_")

    def _made(self) -> SemanticKernel:
        """The kernel before lambda is chosen, which its decomposition does not need."""
        if self.kernel not in KERNELS:
            raise InputError(f"kernel={self.kernel!r}: use one of {', '.join(KERNELS)}")
        if isinstance(self.lambda_, str) and self.lambda_ not in ("cv", "alignment"):
            raise InputError(f"lambda_={self.lambda_!r}: give a number from 0, 'cv' or 'alignment'")
        if isinstance(self.C, str) and self.C != "cv":
            raise InputError(f"C={self.C!r}: give a number above 0, or 'cv'")
        if not isinstance(self.C, str) and not self.C > 0:
            raise InputError(f"C={self.C!r}: give a number above 0, or 'cv'")
        given: dict[str, Any] = {
            "power": self.power,
            "centred": self.centred,
            "n_components": self.n_components,
        }
        if self.kernel == "latent":
            given = {"n_components": LATENT_COMPONENTS}
        if self.kernel == "lexical":
            given = {"n_components": 1}
        make = VonNeumannKernel if self.kernel == "vonneumann" else ExponentialKernel
        return make(
            0.0,
            relative=True,
            background=self.background,
            vectorizer=self.vectorizer,
            alignment_mode="balanced",
            random_state=self.random_state,
            **given,
        )

    def _choose(self, X: Sequence[str], y: NDArray[Any], there: NDArray[np.bool_]) -> tuple[float, float]:
        """Lambda (in relative units) and C by cross-validation on the labels, where they are not given."""
        strengths = self._strengths(y[there])
        costs = COSTS if isinstance(self.C, str) else (float(self.C),)

        def rows_at(strength: float) -> Any:
            self._use(strength)
            return self.features(X)

        chosen = choose(rows_at, strengths, costs, y, self.callback)
        if chosen is not None:
            return chosen
        default = DEFAULTS.get(self.kernel, 0.0)
        return default if default in strengths else strengths[0], 1.0 if 1.0 in costs else costs[0]

    def _strengths(self, y: NDArray[Any]) -> tuple[float, ...]:
        if self.kernel not in STRENGTHS:
            return (0.0,)
        if self.lambda_ == "alignment":
            found = self.kernel_.line_search(y)
            found.warn("balanced")
            return (found.lambda_ * self.kernel_.unit_,)
        return STRENGTHS[self.kernel] if isinstance(self.lambda_, str) else (float(self.lambda_),)

    def _use(self, strength: float) -> None:
        self.kernel_.set_lambda(strength, relative=True)


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
    smallest = int(np.unique(y, return_counts=True)[1].min())
    if smallest < 2:
        return None
    folds = StratifiedKFold(min(5 if len(y) <= 1000 else 3, smallest), shuffle=True, random_state=0)
    scores = {}
    for strength in strengths:
        rows = rows_at(strength)
        for cost in costs:
            found = float(cross_val_score(support_vectors(cost), rows, y, cv=folds).mean())
            scores[strength, cost] = (round(found, 6), -abs(float(np.log(cost))))
            if callback is not None:
                callback(strength, cost, found)
    return max(scores, key=lambda pair: scores[pair])


def support_vectors(cost: float) -> LinearSVC:
    """A linear support vector machine that is the same each time."""
    return LinearSVC(C=cost, random_state=0, max_iter=10_000)
