"""One language of a model: vocabulary, word vectors, fold-in; and the background of a small collection.

A few hundred texts are not enough to learn that a laptop is a computer. A language with a background has two
vectors for a text, from its own word vectors and from the background's, each normalized to unit length. They
are weighted and concatenated, so that the cosine of two texts is

    cos(a, b) = share cos_own(a, b) + (1 - share) cos_background(a, b)

Words, weights and percentiles are those of the small collection; words that only the background knows have
the weight of words of one text. The similarity of two words that the background knows is the background's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.threads import one_blas_thread
from tacit.factorize.row_solver import FoldIn, gram_matrix
from tacit.models.lexicon import Lexicon
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary
from tacit.types import Array

HALF_TRUST_TEXTS = 1000
DEFAULT_SHARE = 0.7  # tuned on dictionary glosses by field, sentences by source, and periods of news
RARE_WORD_PRIOR = 0.1  # chosen by reading: otherwise words of one text lead the lists of small collections


@dataclass
class Background:
    """Background vectors of a language's words (zeros for unknown words), and their training settings.

    ``text_gram`` is Q'Q of the training texts in the space of both vectors; earlier models do not have it.
    """

    word_vectors: Array
    missing_weight: float
    regularization: float
    share: float
    text_gram: Array | None = None

    @property
    def scales(self) -> tuple[float, float]:
        """Factors of the unit vectors in the language's own space and in that of the background."""
        return float(np.sqrt(self.share)), float(np.sqrt(1 - self.share))


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

    def encode(self, rows: Any) -> Array:
        """Return the vector of each row of weights; a row with no known word gets zeros."""
        return self._join_spaces([fold_in(rows) for fold_in in self.fold_ins])

    @cached_property
    def fold_ins(self) -> list[FoldIn]:
        """Functions that encode texts in the language's own space and, if there is one, the background's."""
        if self.background is None:
            return [self.own_fold_in]
        vectors, n_threads = self.background.word_vectors, self.n_threads
        settings = (self.background.missing_weight, self.background.regularization)
        return [self.own_fold_in, FoldIn(vectors, *settings, n_threads, gram_matrix(vectors, n_threads))]

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
        background = [] if self.background is None else [self.background.word_vectors]
        return self._join_spaces([self.word_vectors, *background])

    @cached_property
    def weight_deviations(self) -> Array | None:
        """Root mean square, over the training texts, of the weight predicted for each word: sqrt(p'Gp / N).

        A share of the mean over all words is added to p'Gp / N, because that of rare words is estimated from
        few texts. None if the model does not have G, the Gram matrix of the texts' vectors.
        """
        gram = self.text_gram if self.background is None else self.background.text_gram
        if gram is None:
            return None
        P = self.joint_word_vectors
        with one_blas_thread():
            squares = np.einsum("ij,ij->i", P @ gram.astype(np.float32), P).astype(np.float64).clip(0)
        variances = (squares + RARE_WORD_PRIOR * squares.mean()) / max(self.vectorizer.n_texts_, 1)
        return np.asarray(np.sqrt(np.maximum(variances, np.finfo(np.float32).tiny)))

    def _join_spaces(self, spaces: list[Array]) -> Array:
        """Scale own and background vectors and put them side by side; without a background, do nothing."""
        if self.background is None:
            return spaces[0]
        pairs = zip(spaces, self.background.scales, strict=True)
        return np.concatenate([cosine.normalize_rows(P) * np.float32(scale) for P, scale in pairs], axis=1)

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

    @cached_property
    def spelling_doc_freqs(self) -> NDArray[np.float64]:
        """Number of training texts that have each word; infinity for words with a background vector.

        The background knows such a word, so that it is no misspelling.
        """
        df = self.vectorizer.words_.df.astype(np.float64)
        if self.background is not None:
            df[self.background.word_vectors.any(axis=1)] = np.inf
        return df

    def set_n_threads(self, n_threads: int) -> None:
        """Set the number of threads."""
        self.n_threads = n_threads
        for fold_in in self.__dict__.get("fold_ins", ()):
            fold_in.n_threads = n_threads

    def clear_cache(self) -> None:
        """Drop all cached properties, after the words have changed."""
        for name, attribute in vars(type(self)).items():
            if isinstance(attribute, cached_property):
                self.__dict__.pop(name, None)


def extend_vocabulary(vectorizer: TextVectorizer, background: Language) -> Array:
    """Add the background's words to a vectorizer; returns the background's vectors of all its words."""
    words, own_words = background.vectorizer.words_, vectorizer.words_
    terms = vectorizer.make_normalizer()(words.surface_forms)
    is_stable = [bool(term) and term == words.terms[i] for i, term in enumerate(terms)]
    new = [i for i, term in enumerate(terms) if is_stable[i] and term not in own_words.column_of]
    new_forms = [words.surface_forms[i] for i in new]
    new_words = Vocabulary([terms[i] for i in new], new_forms, np.ones(len(new), np.int64))
    vectorizer.add_words(new_words, 0)
    vectors = np.zeros((len(own_words) + len(new), background.word_vectors.shape[1]), np.float32)
    columns = words.lookup_columns(own_words.terms, list)
    known = np.flatnonzero(columns >= 0)
    vectors[known] = background.word_vectors[columns[known]]
    vectors[len(own_words) :] = background.word_vectors[new]
    return vectors
