"""Combine a small collection's vectors with those of a background model.

A few hundred texts are not enough to learn that a laptop is a computer. A language with a background has two
vectors for a text, from its own word vectors and from the background's, each normalized to unit length. They
are weighted and concatenated, so that the cosine of two texts is

    cos(a, b) = share cos_own(a, b) + (1 - share) cos_background(a, b)

Words, weights and percentiles are those of the small collection; words that only the background knows have
the weight of words of one text. The similarity of two words that the background knows is the background's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.factorize.row_solver import FoldIn, gram_matrix
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.language import Language

DEFAULT_SHARE = 0.7  # tuned on dictionary glosses by field, sentences by source, and periods of news


@dataclass
class Background:
    """Background vectors of a language's words (zeros for unknown words), and their training settings."""

    word_vectors: Array
    missing_weight: float
    regularization: float
    share: float

    def fold_in(self, n_threads: int) -> FoldIn:
        """Return a function that encodes texts in the space of the background."""
        gram = gram_matrix(self.word_vectors, n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, self.regularization, n_threads, gram)


class BackgroundFoldIn:
    """Encodes texts in two spaces: two unit vectors, scaled by the root of their shares, side by side."""

    def __init__(self, collection: FoldIn, background: FoldIn, share: float) -> None:
        """Store the fold-in of each space; ``share`` is the weight of the collection's space."""
        self.fold_ins = (collection, background)
        self.scales = (float(np.sqrt(share)), float(np.sqrt(1 - share)))
        self.n_components = collection.n_components + background.n_components

    @property
    def n_threads(self) -> int:
        """Number of threads."""
        return self.fold_ins[0].n_threads

    @n_threads.setter
    def n_threads(self, value: int) -> None:
        for fold_in in self.fold_ins:
            fold_in.n_threads = value

    def __call__(self, rows: Any) -> Array:
        """Return the vector of each row; a row with no known word gets zeros."""
        spaces = zip(self.fold_ins, self.scales, strict=True)
        return np.concatenate(
            [normalize_rows(fold_in(rows)) * np.float32(scale) for fold_in, scale in spaces], axis=1
        )


def extend_vocabulary(vectorizer: TextVectorizer, background: Language) -> Array:
    """Add the background's words to a vectorizer; returns the background's vectors of all its words."""
    words, own_words = background.vectorizer.words_, vectorizer.words_
    terms = vectorizer.make_normalizer()(words.surface_forms)
    new = [
        i
        for i, term in enumerate(terms)
        if term and term == words.terms[i] and term not in own_words.column_of
    ]
    columns = np.array([words.column_of.get(term, -1) for term in own_words.terms], np.int64)
    new_words = Vocabulary(
        [terms[i] for i in new], [words.surface_forms[i] for i in new], np.ones(len(new), np.int64)
    )
    vectorizer.add_words(new_words, 0)
    vectors = np.zeros((len(own_words) + len(new), background.word_vectors.shape[1]), np.float32)
    known = np.flatnonzero(columns >= 0)
    vectors[known] = background.word_vectors[columns[known]]
    vectors[len(own_words) :] = background.word_vectors[new]
    return vectors
