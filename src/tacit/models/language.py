"""One language of a model: vocabulary, word vectors, fold-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.factorize.row_solver import FoldIn, gram_matrix
from tacit.models.background import Background, BackgroundFoldIn
from tacit.models.lexicon import Lexicon
from tacit.text.vectorizer import TextVectorizer
from tacit.types import Array

HALF_TRUST_TEXTS = 1000


@dataclass
class Language:
    """The vocabulary, word vectors and statistics that a model has for one language.

    Words after the first ``n_trained_words`` were borrowed from the pivot or added later: they do not count
    as missing in texts that lack them. ``borrowed_ids`` holds the ids of borrowed words in the pivot; they
    are the last words. ``text_gram`` is Q'Q of the training texts. ``text_regularization`` is the
    regularization when encoding texts; None: ``regularization``. ``sample_texts`` is a sample of the training
    texts, which is not saved; ``score_quantiles`` holds for each measure the quantiles of the scores of
    random pairs of the sample.
    """

    code: str
    vectorizer: TextVectorizer
    word_vectors: Array
    n_trained_words: int
    lexicon: Lexicon
    missing_weight: float
    regularization: float
    text_gram: Array
    n_threads: int = 1
    text_regularization: float | None = None
    borrowed_ids: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    sample_texts: list[str] = field(default_factory=list)
    score_quantiles: dict[str, Array] = field(default_factory=dict)
    background: Background | None = None

    @cached_property
    def fold_in(self) -> FoldIn | BackgroundFoldIn:
        """Function that encodes texts, including the vectors of the background if there is one."""
        if self.background is None:
            return self.own_fold_in
        background = self.background.fold_in(self.n_threads)
        return BackgroundFoldIn(self.own_fold_in, background, self.background.share)

    @cached_property
    def own_fold_in(self) -> FoldIn:
        """Function that encodes texts with this language's own word vectors alone."""
        regularization = self.text_regularization
        return self.make_fold_in(self.regularization if regularization is None else regularization)

    @property
    def n_components(self) -> int:
        """Number of components of a text's vector, those of the background included."""
        n_background = 0 if self.background is None else self.background.word_vectors.shape[1]
        return int(self.word_vectors.shape[1] + n_background)

    @cached_property
    def joint_word_vectors(self) -> Array:
        """Word vectors in the space of the text vectors: own and background vectors, scaled, side by side."""
        if self.background is None:
            return self.word_vectors
        spaces = (self.word_vectors, self.background.word_vectors)
        scales = np.sqrt([self.background.share, 1 - self.background.share])
        return np.concatenate(
            [cosine.normalize_rows(P) * np.float32(s) for P, s in zip(spaces, scales, strict=True)], 1
        )

    @property
    def n_own_words(self) -> int:
        """Number of words without the borrowed ones, whose vectors are the pivot's."""
        return len(self.word_vectors) - len(self.borrowed_ids)

    def principal_axes(self) -> Array:
        """Return the principal axes of the word vectors, one per column, by descending eigenvalue."""
        _, axes = np.linalg.eigh(gram_matrix(self.joint_word_vectors, self.n_threads))
        return np.ascontiguousarray(axes[:, ::-1], np.float32)

    def make_fold_in(self, regularization: float) -> FoldIn:
        """Return a function that encodes texts with this regularization."""
        trained = gram_matrix(self.word_vectors[: self.n_trained_words], self.n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, regularization, self.n_threads, trained)

    @cached_property
    def unit_word_vectors(self) -> Array:
        """Unit vectors of the words: the background's, or the own vector of words that it does not have."""
        if self.background is None:
            return cosine.normalize_rows(self.word_vectors)
        vectors = self.background.word_vectors
        is_known = np.asarray(vectors.any(axis=1))
        own_vectors = np.where(is_known[:, None], np.float32(0), self.word_vectors)
        return cosine.normalize_rows(np.concatenate([own_vectors, vectors], axis=1))

    @cached_property
    def trust(self) -> float:
        """Reliability of the word vectors, from 0 to 1: N / (N + 1000) (1 - m); 1 with a background.

        N is the number of training texts, m the mean cosine of two words: vectors that all point in one
        direction do not distinguish words.
        """
        if self.background is not None:
            return 1.0
        n = self.vectorizer.n_texts_
        mean = self.unit_word_vectors[: self.n_trained_words].mean(axis=0, dtype=np.float64)
        return float(n / (n + HALF_TRUST_TEXTS) * max(0.0, 1.0 - mean @ mean))

    @cached_property
    def trust_scaled_vectors(self) -> Array:
        """Unit vectors scaled by trust^(1/3), so that (p . q)^1.5 is scaled by the trust."""
        return self.unit_word_vectors * np.float32(self.trust ** (1 / 3))

    @cached_property
    def relative_doc_freqs(self) -> NDArray[np.float64]:
        """Share of the training texts that have each word; 0 for borrowed and added words."""
        words = self.vectorizer.words_
        shares = words.df / max(self.vectorizer.n_texts_, 1)
        shares[self.n_trained_words :] = 0.0
        return shares

    def set_n_threads(self, n_threads: int) -> None:
        """Set the number of threads."""
        self.n_threads = n_threads
        if "fold_in" in self.__dict__:
            self.fold_in.n_threads = n_threads

    def clear_cache(self) -> None:
        """Drop all cached properties, after the words have changed."""
        for name, attribute in vars(type(self)).items():
            if isinstance(attribute, cached_property):
                self.__dict__.pop(name, None)
