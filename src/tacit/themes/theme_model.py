"""ThemeModel: find the themes of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Self

import numpy as np

from tacit.checks import AUTO, check_int, check_text_input, is_auto
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.factorize.als import SweepCallback
from tacit.factorize.wmf_settings import DEFAULT_N_ITER
from tacit.models.outside import as_encoder
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.text.languages import check_language_code, detect_collection_language, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.themes import clustering
from tacit.themes.assignment import Assignment, Clusters, cluster_space
from tacit.themes.cleaning import DistinctTexts, clean_text, sort_by_hash
from tacit.themes.theme_space import ThemeSpace
from tacit.themes.theme_tree import Theme, describe_themes
from tacit.training.wtmf import WTMF
from tacit.types import Array

MAX_THEMES = 500
StageCallback = Callable[[str, int, int], None]
"""Receives the name of a stage, the number of finished steps and their total."""


def check_n_themes(n_themes: Any) -> int | str:
    """Return a number of themes, or "auto"; InputError for anything else."""
    return AUTO if is_auto(n_themes) else check_int("n_themes", n_themes, 2, MAX_THEMES, note="or 'auto'")


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
        Whether texts that fit no theme well get the label -1.
    random_state : int
        Random seed.
    n_threads : int, optional
        Number of threads; by default all cores. The result does not depend on it.
    encoder : object, str or Path, optional
        An encoder whose vectors are used as well, or its folder; see ``TextModel.with_encoder``.
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
        empty if the number was given or there are fewer than 120 texts.
    model_ : TextModel
        The text model.
    language_ : str or None
        The language.
    space : ThemeSpace
        The distinct texts as vectors and as a graph.
    clusters : Clusters
        The cluster of each text of ``space``.
    text_rows : array of int
        The row of each text in the distinct texts; -1 for an empty text.
    n_distinct : int
        The number of distinct texts.

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
    encoder: Any = None
    callback: StageCallback | None = None

    themes_: list[Theme] = field(init=False)
    labels_: Array = field(init=False)
    sublabels_: Array = field(init=False)
    strengths_: Array = field(init=False)
    agreement_: dict[int, float] = field(init=False)
    model_: TextModel = field(init=False)
    language_: str | None = field(init=False)
    space: ThemeSpace = field(init=False)
    clusters: Clusters = field(init=False)
    text_rows: Array = field(init=False)
    n_distinct: int = field(init=False)

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
        encoder = None if self.encoder is None else as_encoder(self.encoder)
        distinct = sort_by_hash(texts)
        if not distinct.texts:
            raise InputError("there are no texts to find themes in: all are empty")
        self.language_ = self.language
        if is_auto(self.language):
            self.language_ = detect_collection_language(distinct.texts).code
        self._notify("sweeps", 0, DEFAULT_N_ITER)
        self.model_ = self._train(
            distinct.texts, lambda sweep, _: self._notify("sweeps", sweep, DEFAULT_N_ITER)
        )
        if encoder is not None:
            self.model_ = self.model_.with_encoder(encoder, texts=distinct.texts)
        self._set_space(distinct)
        self.agreement_ = self._measure_agreement() if is_auto(self.n_themes) else {}
        return self._find_themes()

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
        vectors = TextSet.from_texts(self.model_, map(clean_text, texts)).joint_vectors
        return self.clusters.assign(vectors)

    def set_n_themes(self, n_themes: int | str) -> Self:
        """Find another number of themes of the same texts, without training their model again.

        Parameters
        ----------
        n_themes : int or "auto"
            Number of themes, from 2 to 500; "auto" trains models of half the texts if ``fit`` did not.

        Returns
        -------
        ThemeModel
            The model itself.
        """
        self._check_fitted()
        self.n_themes = check_n_themes(n_themes)
        if is_auto(n_themes) and not self.agreement_:
            self.agreement_ = self._measure_agreement()
        return self._find_themes()

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of a clusterer of texts."""
        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.transformer_tags = "clusterer", None
        return tags

    def _check_params(self) -> None:
        check_n_themes(self.n_themes)
        check_int("random_state", self.random_state, 0)
        if self.language is not None and not is_auto(self.language):
            check_language_code(self.language)

    def _notify(self, stage: str, done: int, total: int) -> None:
        if self.callback is not None:
            self.callback(stage, done, total)

    @classmethod
    def restore(
        cls, parameters: dict[str, Any], texts: Iterable[str], model: TextModel, language: str | None
    ) -> Self:
        """Return a model without themes: a text model, and the vectors of the texts that it was fitted on.

        Parameters
        ----------
        parameters : dict
            The parameters by name.
        texts : iterable of str
            The texts, in any order.
        model : TextModel
            The text model.
        language : str, optional
            The language of the texts.

        Returns
        -------
        ThemeModel
            The model.
        """
        restored = cls(**parameters)
        restored.model_, restored.language_, restored.agreement_ = model, language, {}
        distinct = sort_by_hash(texts)
        restored._set_space(distinct)
        return restored

    def _set_space(self, distinct: DistinctTexts) -> None:
        text_set = TextSet.from_texts(self.model_, distinct.texts)
        self.text_rows, self.n_distinct = distinct.rows, len(distinct.texts)
        self._vectors, self._outside = text_set.joint_vectors, text_set.outside_vectors
        self.space = ThemeSpace(self.model_, distinct.texts, self._vectors, self.language_, self.n_threads)
        if not len(self.space.rows):
            raise InputError("there are no texts to find themes in: none has a word")

    def _train(self, texts: list[str], on_sweep: SweepCallback | None = None) -> TextModel:
        code = None if self.language_ is None else stemmer_language(self.language_)
        vectorizer = TextVectorizer(language=code)
        trainer = WTMF(vectorizer, random_state=self.random_state, n_threads=self.n_threads)
        trainer.callback = on_sweep
        return trainer.fit(texts).model_

    def _measure_agreement(self) -> dict[int, float]:
        space = self.space
        texts = space.texts[: clustering.MAX_SAMPLED_TEXTS]
        if len(texts) < clustering.MIN_TEXTS_TO_CHOOSE:
            return {}

        def encode_with(half: list[str]) -> Array:
            model = self._train(half)
            model.outside = self.model_.outside
            text_set = TextSet.from_texts(model, texts)
            if self._outside is not None:
                text_set.outside_vectors = self._outside[space.rows[: len(texts)]]
            return text_set.joint_vectors

        return clustering.measure_agreement(
            texts, space.unit[: len(texts)], encode_with, self.random_state, self.n_threads,
            lambda done, total: self._notify("stability", done, total),
        )  # fmt: skip

    def _choose_n_themes(self) -> int:
        if not is_auto(self.n_themes):
            return int(self.n_themes)
        if self.agreement_:
            return clustering.choose_by_agreement(self.agreement_)
        return clustering.default_n_themes(len(self.space.rows))

    def _find_themes(self) -> Self:
        """Cluster the texts, name the clusters, split them, and assign all texts."""
        self._notify("naming", 0, 1)
        space = self.space
        n_copies = np.bincount(self.text_rows[self.text_rows >= 0], minlength=self.n_distinct)[space.rows]
        clusters = cluster_space(space, n_copies, self._choose_n_themes(), self.other, self.random_state)
        self.themes_, sublabels = describe_themes(space, clusters.members(), self.random_state)
        self.set_clusters(replace(clusters, sublabels=sublabels))
        self._notify("naming", 1, 1)
        return self

    def set_clusters(self, clusters: Clusters) -> None:
        """Set the labels of all input texts; texts that were not clustered get those of their neighbors.

        Parameters
        ----------
        clusters : Clusters
            The cluster of each text of ``space``.
        """
        self.clusters = clusters
        rows = np.setdiff1d(np.arange(self.n_distinct), self.space.rows)
        further = clusters.assign(self._vectors[rows])
        columns = []
        for own, others, empty in zip(clusters.assign_own(), further, (-1, -1, 0.0), strict=True):
            column = np.full(self.n_distinct + 1, empty, dtype=own.dtype)  # the last for empty texts, row -1
            column[self.space.rows], column[rows] = own, others
            columns.append(column[self.text_rows])
        self.labels_, self.sublabels_, self.strengths_ = columns
