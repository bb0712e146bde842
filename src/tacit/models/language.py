"""One language of a model: its words, their vectors, and what they stand for in the pivot language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.factorize.row_solver import FoldIn, gram_of
from tacit.models.background import Background, BackgroundFoldIn
from tacit.models.lexicon import Lexicon
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[Any]

HALF_TRUST_TEXTS = 1000
"""The texts from which on vectors are trusted more than not."""


@dataclass
class Language:
    """What a model knows of a language.

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
        """What gives texts of this language their vectors, by the background too where there is one."""
        if self.background is None:
            return self.own_fold_in
        return BackgroundFoldIn(
            self.own_fold_in, self.background.fold_in(self.n_threads), self.background.share
        )

    @cached_property
    def own_fold_in(self) -> FoldIn:
        """What gives texts their own vectors: by the language's block of words alone, in A0 too."""
        own = self.text_regularization
        return self.make_fold_in(self.regularization if own is None else own)

    @property
    def n_components(self) -> int:
        """The length of a text's vector."""
        beside = 0 if self.background is None else self.background.word_vectors.shape[1]
        return int(self.word_vectors.shape[1] + beside)

    @cached_property
    def joint_word_vectors(self) -> Array:
        """The words' vectors, own and of the background, in the space of the texts' vectors."""
        if self.background is None:
            return self.word_vectors
        spaces = (self.word_vectors, self.background.word_vectors)
        roots = np.sqrt([self.background.share, 1 - self.background.share])
        return np.concatenate([cosine.unit(P) * np.float32(r) for P, r in zip(spaces, roots, strict=True)], 1)

    def principal_axes(self) -> Array:
        """Return the principal axes of the word vectors, one per column, by descending eigenvalue."""
        _, axes = np.linalg.eigh(gram_of(self.joint_word_vectors, self.n_threads))
        return np.ascontiguousarray(axes[:, ::-1], np.float32)

    def make_fold_in(self, regularization: float) -> FoldIn:
        """What gives texts their vectors at a given cost of long ones."""
        trained = gram_of(self.word_vectors[: self.n_trained_words], self.n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, regularization, self.n_threads, trained)

    @cached_property
    def unit_word_vectors(self) -> Array:
        """The words' vectors at length 1: the background's, or their own where it has none."""
        if self.background is None:
            return cosine.unit(self.word_vectors)
        behind = self.background.word_vectors
        known = np.asarray(behind.any(axis=1))
        own = np.where(known[:, None], np.float32(0), self.word_vectors)
        return cosine.unit(np.concatenate([own, behind], axis=1))

    @cached_property
    def trust(self) -> float:
        """How far the words' vectors are to be trusted, from 0 to 1: N / (N + 1000) (1 - m).

        N is the number of texts learnt from, m the mean cosine of two words: vectors that all point one way
        tell no word from another. A background has learnt enough of them.
        """
        if self.background is not None:
            return 1.0
        n = self.vectorizer.n_texts_
        mean = self.unit_word_vectors[: self.n_trained_words].mean(axis=0, dtype=np.float64)
        return float(n / (n + HALF_TRUST_TEXTS) * max(0.0, 1.0 - mean @ mean))

    @cached_property
    def trust_scaled_vectors(self) -> Array:
        """The words' vectors, so short that one times itself, to the power of 1.5, is the trust."""
        return self.unit_word_vectors * np.float32(self.trust ** (1 / 3))

    @cached_property
    def relative_doc_freqs(self) -> NDArray[np.float64]:
        """The share of the texts learnt from that have each word; of borrowed words as good as none."""
        words = self.vectorizer.words_
        found = words.df / max(self.vectorizer.n_texts_, 1)
        found[self.n_trained_words :] = 0.0
        return found

    def set_n_threads(self, n_threads: int) -> None:
        """Work on so many threads from now on."""
        self.n_threads = n_threads
        if "fold_in" in self.__dict__:
            self.fold_in.n_threads = n_threads

    def clear_cache(self) -> None:
        """Drop what was derived from the words, which have changed."""
        for name in (
            "fold_in",
            "own_fold_in",
            "joint_word_vectors",
            "unit_word_vectors",
            "trust",
            "trust_scaled_vectors",
            "relative_doc_freqs",
        ):
            self.__dict__.pop(name, None)
