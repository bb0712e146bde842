"""ThemeModel: find the themes of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, asdict, dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from tacit.checks import check_int, check_text_input, is_auto
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.text.languages import check_language_code, detect_collection_language, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.themes import clustering
from tacit.themes.cleaning import DistinctTexts, clean_text, sort_by_hash
from tacit.themes.neighbor_graph import shares_of_labels, weight_per_label
from tacit.themes.theme_space import ThemeSpace
from tacit.themes.theme_tree import Theme, describe_themes
from tacit.training.wtmf import WTMF
from tacit.types import Array

MAX_THEMES = 500
MAX_OTHER_STRENGTH, MAX_OTHER_SHARE = 0.4, 0.25
"""A text of smaller strength fits no theme; at most this share of the texts."""

StageCallback = Callable[[str, int, int], None]
"""Receives the name of a stage, the number of finished steps and their total."""


class Assignment(NamedTuple):
    """The theme and the sub-theme of each text, from 0, -1 for none; and the strength, from 0 to 1.

    The strength is the share of the nearest texts, weighted by their cosines, that have the same theme.
    """

    labels: Array
    sublabels: Array
    strengths: Array


@dataclass(eq=False, repr=False)
class ThemeModel(Estimator):
    """Find the themes of short texts: clusters with names, quotes and sub-themes.

    Spherical k-means on the vectors of `tacit.WTMF`, smoothed by a random walk on the graph of nearest
    neighbors. The result depends on the set of distinct texts, not on their order.

    Parameters
    ----------
    n_themes : int or "auto"
        Number of themes, from 2 to 500. "auto" takes 5 to 12: the number at which models of half the texts
        agree best with the model of all.
    language : str, optional
        Language code of the texts; "auto" detects it, None uses plain words.
    other : bool
        Set texts apart that fit no theme well: label -1.
    random_state : int
        Random seed.
    n_threads : int, optional
        Number of threads; by default all cores. The result does not depend on it.
    callback : callable, optional
        Called as ``callback(stage, done, total)`` with the stages "sweeps", "stability" and "naming".

    Attributes
    ----------
    themes_ : list of Theme
        The themes, the largest first.
    labels_ : array of int
        The theme of each text, from 0; -1 for texts that fit no theme.
    sublabels_ : array of int
        The sub-theme of each text in its theme, from 0; -1 for none.
    strengths_ : array of float
        How well each text fits its theme, from 0 to 1.
    agreement_ : dict of int to float
        Adjusted mutual information with models of half the texts for each number of themes from 5 to 12;
        empty if the number was given or there are fewer than 60 texts.
    model_ : TextModel
        The text model.
    language_ : str or None
        The language.

    Examples
    --------
    >>> texts = ["my card was declined", "the card payment failed", "card declined again", "card payment",
    ...          "where is my parcel", "the parcel is late", "parcel not delivered", "late parcel"]
    >>> labels = ThemeModel(n_themes=2, language="en").fit_predict(texts)
    >>> labels.tolist()
    [1, 1, 1, 1, 0, 0, 0, 0]
    """

    n_themes: int | str = "auto"
    _: KW_ONLY
    language: str | None = "auto"
    other: bool = True
    random_state: int = 0
    n_threads: int | None = None
    callback: StageCallback | None = None

    themes_: list[Theme] = field(init=False)
    labels_: Array = field(init=False)
    sublabels_: Array = field(init=False)
    strengths_: Array = field(init=False)
    agreement_: dict[int, float] = field(init=False)
    model_: TextModel = field(init=False)
    language_: str | None = field(init=False)

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Find the themes of texts.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        y : object, optional
            Ignored; scikit-learn passes it.

        Returns
        -------
        ThemeModel
            The model itself, fitted.

        Raises
        ------
        InputError
            If a parameter is out of range, or there are no texts with words.
        """
        check_text_input(texts)
        self._check_params()
        distinct = sort_by_hash(texts)
        if not distinct.texts:
            raise InputError("there are no texts to find themes in: all are empty")
        self.language_ = self._detect_language(distinct.texts)
        self._notify("sweeps", 0, 1)
        trainer = self._create_trainer()
        vectors = trainer.fit_transform(distinct.texts)
        self._notify("sweeps", 1, 1)
        self.model_ = trainer.model_
        self._set_space(distinct, np.asarray(vectors))
        self.agreement_ = self._measure_agreement() if is_auto(self.n_themes) else {}
        return self._find_themes(self._choose_n_themes())

    def fit_predict(self, texts: Iterable[str], y: object = None) -> Array:
        """Find the themes of texts and return the theme of each.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        y : object, optional
            Ignored; scikit-learn passes it.

        Returns
        -------
        array of int
            The number of the theme of each text, from 0; -1 for texts that fit no theme.
        """
        return self.fit(texts).labels_

    def predict(self, texts: Iterable[str]) -> Array:
        """Return the theme of new texts; the themes do not change.

        Parameters
        ----------
        texts : iterable of str
            New texts.

        Returns
        -------
        array of int
            The number of the theme of each text, from 0; -1 for texts that fit no theme.
        """
        return self.assign(texts).labels

    def assign(self, texts: Iterable[str]) -> Assignment:
        """Return theme, sub-theme and strength of new texts.

        Parameters
        ----------
        texts : iterable of str
            New texts.

        Returns
        -------
        Assignment
            Labels, sublabels and strengths.
        """
        self._check_fitted()
        check_text_input(texts)
        vectors = TextSet.from_texts(self.model_, map(clean_text, texts)).vectors
        return self._assign(np.asarray(vectors))

    def set_n_themes(self, n_themes: int) -> Self:
        """Find another number of themes of the same texts, without training again.

        Parameters
        ----------
        n_themes : int
            Number of themes, from 2 to 500.

        Returns
        -------
        ThemeModel
            The model itself.
        """
        self._check_fitted()
        self.n_themes = check_int("n_themes", n_themes, 2, MAX_THEMES)
        return self._find_themes(n_themes)

    def to_state(self) -> dict[str, Any]:
        """Return what was found, other than the text model, as values that JSON can hold.

        Returns
        -------
        dict
            The argument of `from_state`.
        """
        self._check_fitted()
        return {
            "parameters": self.get_params() | {"callback": None, "n_threads": None},
            "language": self.language_,
            "agreement": {str(n): value for n, value in self.agreement_.items()},
            "limit": self._limit,
            "clusters": [column.tolist() for column in self._clusters],
            "themes": [asdict(theme) for theme in self.themes_],
        }

    @classmethod
    def from_state(
        cls, state: dict[str, Any], texts: Iterable[str], model: TextModel, n_threads: int | None = None
    ) -> Self:
        """Rebuild a model from its state, its texts in any order, and its text model.

        Parameters
        ----------
        state : dict
            The result of `to_state`.
        texts : iterable of str
            The texts that it was fitted on.
        model : TextModel
            The text model.
        n_threads : int, optional
            Number of threads.

        Returns
        -------
        ThemeModel
            The model.
        """
        themes = cls(**state["parameters"] | {"n_threads": n_threads})
        themes.language_, themes.model_, themes._limit = state["language"], model, state["limit"]
        themes.agreement_ = {int(n): value for n, value in state["agreement"].items()}
        themes.themes_ = [Theme.from_dict(theme) for theme in state["themes"]]
        themes._clusters = Assignment(*map(np.array, state["clusters"]))
        distinct = sort_by_hash(texts)
        themes._set_space(distinct, np.asarray(TextSet.from_texts(model, distinct.texts).vectors))
        themes._set_labels()
        return themes

    def _check_params(self) -> None:
        if not is_auto(self.n_themes):
            check_int("n_themes", self.n_themes, 2, MAX_THEMES, note="or 'auto'")
        check_int("random_state", self.random_state, 0)
        if self.language is not None and not is_auto(self.language):
            check_language_code(self.language)

    def _notify(self, stage: str, done: int, total: int) -> None:
        if self.callback is not None:
            self.callback(stage, done, total)

    def _detect_language(self, texts: list[str]) -> str | None:
        if not is_auto(self.language):
            return self.language
        return detect_collection_language(texts).code

    def _set_space(self, distinct: DistinctTexts, vectors: Array) -> None:
        self._texts, self._rows, self._vectors = *distinct, vectors
        self._n_copies = np.bincount(self._rows[self._rows >= 0], minlength=len(self._texts))
        self._space = ThemeSpace(self.model_, self._texts, vectors, self.language_, self.n_threads)
        if not len(self._space.rows):
            raise InputError("there are no texts to find themes in: none has a word")

    def _create_trainer(self) -> WTMF:
        code = None if self.language_ is None else stemmer_language(self.language_)
        vectorizer = TextVectorizer(language=code)
        return WTMF(vectorizer, random_state=self.random_state, n_threads=self.n_threads)

    def _measure_agreement(self) -> dict[int, float]:
        space = self._space
        texts = space.texts[: clustering.MAX_SAMPLED_TEXTS]
        if len(texts) < clustering.MIN_TEXTS_TO_CHOOSE:
            return {}

        def encode_with(half: list[str]) -> Array:
            model = self._create_trainer().fit(half).model_
            return np.asarray(TextSet.from_texts(model, texts).vectors)

        return clustering.measure_agreement(
            texts, space.unit[: len(texts)], encode_with, self.random_state, self.n_threads,
            lambda done, total: self._notify("stability", done, total),
        )  # fmt: skip

    def _choose_n_themes(self) -> int:
        if not is_auto(self.n_themes):
            return int(self.n_themes)
        if self.agreement_:
            return clustering.choose_by_agreement(self.agreement_)
        return clustering.default_n_themes(len(self._space.rows))

    def _find_themes(self, n_themes: int) -> Self:
        """Cluster the texts, name the clusters, split them, and assign all texts."""
        self._notify("naming", 0, 1)
        space = self._space
        labels = clustering.cluster_graph(
            space.unit, space.graph, n_themes, self.random_state, self.n_threads
        )
        n_labels = int(labels.max()) + 1
        strengths = weight_per_label(space.graph, labels, n_labels)[np.arange(len(labels)), labels]
        limit = min(MAX_OTHER_STRENGTH, float(np.quantile(strengths, MAX_OTHER_SHARE))) if self.other else 0.0
        is_member = strengths >= limit
        sizes = np.bincount(labels[is_member], self._n_copies[space.rows][is_member], n_labels)
        labels = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")[labels]
        members = [np.flatnonzero(is_member & (labels == label)) for label in range((sizes > 0).sum())]
        self.themes_, sublabels = describe_themes(space, members, self.random_state)
        self._clusters, self._limit = Assignment(labels, sublabels, strengths), limit
        self._set_labels()
        self._notify("naming", 1, 1)
        return self

    def _set_labels(self) -> None:
        """Set the labels of all input texts: those of the clusters, and of the neighbors of further texts."""
        n, space = len(self._vectors), self._space
        columns = [np.full(n, -1), np.full(n, -1), np.zeros(n)]
        others = np.setdiff1d(np.arange(n), space.rows)
        for column, clustered, assigned in zip(
            columns, self._apply_limit(*self._clusters), self._assign(self._vectors[others]), strict=True
        ):
            column[space.rows], column[others] = clustered, assigned
        is_text = self._rows >= 0
        self.labels_, self.sublabels_ = (np.where(is_text, column[self._rows], -1) for column in columns[:2])
        self.strengths_ = np.where(is_text, columns[2][self._rows], 0.0)

    def _assign(self, vectors: Array) -> Assignment:
        """Assign vectors to the theme and sub-theme of most of their nearest texts."""
        cosines, rows = self._space.find_neighbors(vectors)
        labels, sublabels, _ = self._clusters
        shares = shares_of_labels(cosines, labels[rows], int(labels.max()) + 1)
        best, every = shares.argmax(axis=1), np.arange(len(vectors))
        is_in_theme = labels[rows] == best[:, None]
        n_sublabels = max(len(theme.subthemes) for theme in self.themes_) + 1
        parts = np.where(is_in_theme, sublabels[rows], -1)
        part_shares = shares_of_labels(cosines, parts, n_sublabels)
        best_parts = np.where(part_shares.any(axis=1), part_shares.argmax(axis=1), -1)
        return self._apply_limit(best, best_parts, shares[every, best])

    def _apply_limit(self, labels: Array, sublabels: Array, strengths: Array) -> Assignment:
        """Set texts apart that are not strong enough in their theme."""
        is_other = (strengths < self._limit) | (strengths == 0) | (labels >= len(self.themes_))
        return Assignment(np.where(is_other, -1, labels), np.where(is_other, -1, sublabels), strengths)
