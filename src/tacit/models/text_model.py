"""`TextModel`: encode and compare texts of one or several languages."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.checks import check_text_input, format_count
from tacit.compute import cosine
from tacit.errors import InputError, NotFittedError
from tacit.models.comparison import Comparison, Comparisons, Explanation, compare_pairs, explain_pair
from tacit.models.language import Language
from tacit.models.measure import Measure, score_pairs
from tacit.models.measures import DEFAULT_MEASURE, get_measure
from tacit.models.percentiles import model_percentiles
from tacit.models.text_set import LanguageCodes, TextSet
from tacit.models.word_lookup import ScoredWord, WordLookup, score_unsaid_words, top_words
from tacit.text.name_words import can_name_group
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.storage import StoredModel

logger = logging.getLogger(__name__)


class TextModel(WordLookup):
    """Vectors, similarity, explanations and words of texts, as learned by a trainer.

    Methods that take a language detect it by default, among the languages of the model and by the words that
    each of them was trained on.

    Parameters
    ----------
    languages : dict of str to Language
        The languages by code, the pivot first; a model of one language has one.
    provenance : dict
        How the model was trained.
    n_threads : int, optional
        Number of threads; None for all cores. Results do not depend on it.

    Examples
    --------
    >>> from tacit import WTMF, TextVectorizer
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> trainer = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> model = trainer.fit(texts).model_
    >>> model.compare("my cat", "kittens").score > model.compare("my cat", "markets").score
    True
    """

    def __init__(
        self, languages: dict[str, Language], provenance: dict[str, Any], n_threads: int | None = None
    ) -> None:
        super().__init__(languages, n_threads)
        self.provenance = provenance

    def __repr__(self) -> str:
        """Describe the model: its languages, words and components."""
        sizes = {code: len(language.vectorizer.words_) for code, language in self.languages.items()}
        words = ", ".join(f"{code} {format_count(size, 'word')}" for code, size in sizes.items())
        return f"<TextModel of {words}; {self.n_components} components>"

    def detect(self, texts: Iterable[str]) -> list[str]:
        """Detect the language of each text among the languages of the model.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        list of str
            The code of the most likely language of each text.
        """
        codes = list(self.languages)
        return [codes[language_id] for language_id in TextSet.from_texts(self, texts).language_ids]

    def encode(self, texts: Iterable[str], language: LanguageCodes = None) -> Array:
        """Encode texts as vectors.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        language : str or sequence of str, optional
            Language of all texts or of each.

        Returns
        -------
        array of shape (n_texts, n_components)
            The vectors, in float32; zeros for a text without a known word.
        """
        rows = TextSet.from_texts(self, texts, language)
        if n_empty := int(np.count_nonzero(rows.n_known == 0)):
            logger.warning("%d of %d texts have no known word: their vectors are zero", n_empty, len(rows))
        return rows.vectors

    def similarity(
        self, a: Iterable[str], b: Iterable[str], measure: str | Measure = DEFAULT_MEASURE,
        language_a: LanguageCodes = None, language_b: LanguageCodes = None,
    ) -> Array:  # fmt: skip
        """Compare each text of ``a`` with each text of ``b``.

        Parameters
        ----------
        a, b : iterable of str
            The texts.
        measure : str or TaughtMeasure
            Name of the similarity measure, see ``tacit.models.measures``. "latent" is the papers' cosine;
            "blend" agrees better with human judgements of similarity.
        language_a, language_b : str or sequence of str, optional
            Language of all texts or of each.

        Returns
        -------
        array of shape (n_a, n_b)
            The scores.
        """
        if measure == "latent":
            return cosine.cosine_matrix(self.encode(a, language_a), self.encode(b, language_b))
        texts, n_a, n_b = TextSet.from_two_lists(self, a, b, language_a, language_b)
        left, right = np.divmod(np.arange(n_a * n_b), max(n_b, 1))
        return score_pairs(get_measure(measure), texts, left, n_a + right).reshape(n_a, n_b)

    def similarity_pairwise(
        self, a: Iterable[str], b: Iterable[str], measure: str | Measure = DEFAULT_MEASURE,
        language_a: LanguageCodes = None, language_b: LanguageCodes = None,
    ) -> Array:  # fmt: skip
        """Compare each text of ``a`` with the text of ``b`` at the same position.

        Parameters
        ----------
        a, b : iterable of str
            The texts, equally many.
        measure : str or TaughtMeasure
            Name of the similarity measure.
        language_a, language_b : str or sequence of str, optional
            Language of all texts or of each.

        Returns
        -------
        array of shape (n_pairs,)
            The scores.
        """
        return score_pairs(get_measure(measure), *self._pairs(a, b, language_a, language_b))

    def compare(
        self, a: str, b: str, measure: str | Measure = DEFAULT_MEASURE,
        language_a: str | None = None, language_b: str | None = None,
    ) -> Comparison:  # fmt: skip
        """Compare two texts.

        Parameters
        ----------
        a, b : str
            The texts.
        measure : str or TaughtMeasure
            Name of the similarity measure.
        language_a, language_b : str, optional
            Languages of the texts.

        Returns
        -------
        Comparison
            The score, its percentile among random pairs, and the number of known words.
        """
        return self.compare_pairs([a], [b], measure, language_a, language_b)[0]

    def compare_pairs(
        self, a: Iterable[str], b: Iterable[str], measure: str | Measure = DEFAULT_MEASURE,
        language_a: LanguageCodes = None, language_b: LanguageCodes = None,
    ) -> Comparisons:  # fmt: skip
        """Call ``compare`` for each text of ``a`` and the text of ``b`` at the same position.

        Parameters
        ----------
        a, b : iterable of str
            The texts, equally many.
        measure : str or TaughtMeasure
            Name of the similarity measure.
        language_a, language_b : str or sequence of str, optional
            Language of all texts or of each.

        Returns
        -------
        Comparisons
            A list of ``Comparison``, one for each pair, that converts to a table.
        """
        for texts in (a, b):
            check_text_input(texts)
        a, b = list(a), list(b)
        pairs = self._pairs(a, b, language_a, language_b)
        return Comparisons(compare_pairs(*pairs, get_measure(measure)), a, b)

    def percentile(
        self, scores: Any, measure: str | Measure = DEFAULT_MEASURE,
        language_a: str | None = None, language_b: str | None = None,
    ) -> Array:  # fmt: skip
        """Return the percentage of random pairs of training texts that score at most as high.

        A percentile of 99.9 is easier to interpret than a cosine of 0.5: one pair in a thousand is as similar
        by chance.

        Parameters
        ----------
        scores : float or array of float
            Scores by the measure.
        measure : str or TaughtMeasure
            Name of the similarity measure.
        language_a, language_b : str, optional
            Languages of the texts; by default the pivot.

        Returns
        -------
        array of float
            The percentiles, from 0 to 100.
        """
        return model_percentiles(self, scores, get_measure(measure).name, language_a, language_b)

    def explain(
        self, a: str, b: str, measure: str | Measure = DEFAULT_MEASURE,
        language_a: str | None = None, language_b: str | None = None,
    ) -> Explanation:  # fmt: skip
        """Split the similarity of two texts into the contribution of each pair of words.

        Parameters
        ----------
        a, b : str
            The texts.
        measure : str or TaughtMeasure
            Name of an explainable similarity measure.
        language_a, language_b : str, optional
            Languages of the texts.

        Returns
        -------
        Explanation
            A table of contributions that sum to the score.
        """
        texts = TextSet.from_texts(self, [a, b], [language_a, language_b])
        return explain_pair(texts, get_measure(measure))

    def unsaid(
        self, text: str, k: int = 10, language: str | None = None, to: str | None = None
    ) -> list[ScoredWord]:
        """Return the words that a text implies but does not use.

        Parameters
        ----------
        text : str
            The text.
        k : int
            Number of words.
        language : str, optional
            Language of the text.
        to : str, optional
            Language of the words; by default that of the text.

        Returns
        -------
        list of (str, float)
            Words and scores, best first: the weight that the model predicts for a word, times the number of
            standard deviations by which it exceeds the usual.
        """
        texts = TextSet.from_texts(self, [text], language)
        source = int(texts.language_ids[0])
        target = source if to is None else self.language_id(to)
        words = texts.tokens.languages[target]
        scores = score_unsaid_words(words, texts.vectors[0])
        if target == source:
            scores[texts.weighted_rows(source).indices] = -np.inf
        is_allowed = partial(can_name_group, language=words.code)
        return top_words(words, scores, k, is_allowed=is_allowed) if texts.n_known[0] else []

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, all or nothing; ``tacit.load`` reads it back.

        Parameters
        ----------
        folder : str or Path
            The folder; a model in it is replaced.
        """
        from tacit.models.serialization import card_of
        from tacit.storage import write_model

        write_model(folder, self.to_stored(), card_of(self))

    def to_stored(self) -> StoredModel:
        """Convert the model to the contents of a folder.

        Returns
        -------
        StoredModel
            Arrays, JSON values and words.
        """
        from tacit.models.serialization import model_to_stored

        return model_to_stored(self)

    @classmethod
    def from_stored(cls, stored: StoredModel, tokenizer: Any = None) -> TextModel:
        """Rebuild a model from the contents of a folder.

        Parameters
        ----------
        stored : StoredModel
            The contents, as read by ``tacit.storage``.
        tokenizer : callable, optional
            The custom tokenizer that the model was trained with.

        Returns
        -------
        TextModel
            The model.
        """
        from tacit.models.serialization import model_from_stored

        return model_from_stored(stored, tokenizer)

    def _pairs(
        self, a: Iterable[str], b: Iterable[str], *languages: LanguageCodes
    ) -> tuple[TextSet, Array, Array]:
        """Tokenize two lists of texts; returns a text set and the positions of the pairs in it."""
        texts, n_a, n_b = TextSet.from_two_lists(self, a, b, *languages)
        if n_a != n_b:
            raise InputError(f"{n_a} and {n_b} texts: give the same number on both sides")
        return texts, np.arange(n_a), n_a + np.arange(n_a)


def as_text_model(model_or_trainer: Any) -> TextModel:
    """Return a model, or the model of a fitted trainer."""
    model = getattr(model_or_trainer, "model_", model_or_trainer)
    if isinstance(model, TextModel):
        return model
    name = type(model_or_trainer).__name__
    if hasattr(model_or_trainer, "fit"):
        raise NotFittedError(f"this {name} is not fitted yet: call fit(texts) first")
    raise InputError(f"a {name} is not a model: pass a model or a fitted trainer, such as WTMF().fit(texts)")
