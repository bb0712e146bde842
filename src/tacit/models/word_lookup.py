"""Nearest words and translations of a word."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import log10

import numpy as np

from tacit.checks import check_int, suggest_names
from tacit.compute.nearest import inner_products
from tacit.errors import InputError
from tacit.models.language import Language
from tacit.models.model_languages import ModelLanguages
from tacit.types import Array

ScoredWord = tuple[str, float]


class WordLookup(ModelLanguages):
    """Look up words of a model by their vectors."""

    def nearest_words(
        self, word: str, k: int = 10, min_df: int | None = None, language: str | None = None
    ) -> list[ScoredWord]:
        """Return the words of the same language that are used most similarly.

        Parameters
        ----------
        word : str
            A word that the model knows.
        k : int
            Number of words.
        min_df : int, optional
            Leave out words of fewer texts, as a word of one text is close to all of its words. The default
            grows with the number of training texts.
        language : str, optional
            Language of the word; by default the one in which it is most frequent.

        Returns
        -------
        list of (str, float)
            Words and the cosines of their vectors, best first.
        """
        source, column = self._find_word(word, language)
        if min_df is None:
            min_df = default_min_df(source.vectorizer.n_texts_) if source.background is None else 1
        scores = source.unit_word_vectors @ source.unit_word_vectors[column]
        scores[column] = -np.inf
        return top_words(source, scores, k, min_df)

    def translations(
        self, word: str, language: str | None = None, k: int = 10, to: str | None = None, min_df: int = 1
    ) -> list[ScoredWord]:
        """Return the words of another language that are used most similarly.

        Parameters
        ----------
        word : str
            A word that the model knows.
        language : str, optional
            Language of the word; by default the one in which it is most frequent.
        k : int
            Number of words.
        to : str, optional
            Language of the translations. Needed if the word is of the pivot and there are several others.
        min_df : int
            Leave out words of fewer texts.

        Returns
        -------
        list of (str, float)
            Words and the cosines of their vectors, best first.
        """
        source, column = self._find_word(word, language)
        others = [other for other in self.languages if other != source.code]
        if not others:
            raise InputError(f"the model has only the language {source.code!r}: add_language adds one")
        if to is None and len(others) > 1 and source is self.pivot:
            raise InputError(f"set to=, the language to translate {word!r} to: one of {', '.join(others)}")
        target = self.get_language(others[0] if to is None else to)
        return top_words(target, target.unit_word_vectors @ source.unit_word_vectors[column], k, min_df)

    def _find_word(self, word: str, code: str | None) -> tuple[Language, int]:
        """Return the language of a word and its column there."""
        languages = list(self.languages.values()) if code is None else [self.get_language(code)]
        matches = []
        for language in languages:
            vectorizer = language.vectorizer
            column = vectorizer.words_.column_of.get(vectorizer.normalize_word(word))
            if column is not None:
                matches.append((language, column))
        if matches:
            return max(matches, key=lambda match: match[0].relative_doc_freqs[match[1]])
        words = [form for language in languages for form in language.vectorizer.words_.surface_forms[:50_000]]
        where = f" in language {code!r}" if code else ""
        raise InputError(f"the model does not know the word {word!r}{where}{suggest_names(word, words, 3)}")


def default_min_df(n_texts: int) -> int:
    """Return the lowest document frequency of words to list, by the number of training texts.

    >>> [default_min_df(n) for n in (20, 100, 1000, 100_000)]
    [1, 1, 3, 7]
    """
    return max(1, round(2 * log10(max(n_texts, 1) / 30)))


def score_unsaid_words(language: Language, vector: Array) -> Array:
    """Score how much a text vector, or a difference of text vectors, is about each word.

    The score is the weight that the model predicts for the word times its z-score, because the predicted
    weights alone favor words that are frequent in all texts.
    """
    weights = inner_products(language.joint_word_vectors, vector.astype(np.float32)).astype(np.float64)
    deviations = language.weight_deviations
    return weights if deviations is None else np.asarray(weights * np.abs(weights) / deviations)


def top_words(
    language: Language, scores: Array, k: int, min_df: int = 1,
    is_allowed: Callable[[str], bool] | None = None,
) -> list[ScoredWord]:  # fmt: skip
    """Return the k allowed words with the highest scores, without borrowed words, which the pivot has."""
    words = language.vectorizer.words_
    scores[language.n_own_words :] = -np.inf
    scores[words.df < min_df] = -np.inf
    order = (int(i) for i in np.argsort(-scores, kind="stable") if np.isfinite(scores[i]))
    allowed = (i for i in order if is_allowed is None or is_allowed(words.surface_forms[i]))
    return [(words.surface_forms[i], float(scores[i])) for i in islice(allowed, check_int("k", k))]
