"""A background: what another model knows of the words, beside what a small collection teaches.

Five hundred tickets are too few to know that a laptop is a computer. A language with a background has two
vectors for a text, by its own words' vectors and by the background's, each brought to length 1; side by side
and weighed, their cosine is

    cos(a, b) = share cos_own(a, b) + (1 - share) cos_background(a, b)

The words, their weights and the percentiles are the own texts'; words that only the background knows weigh as
words of a single text. Of two words that the background knows both, it alone tells how alike they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.factorize.row_solver import FoldIn, gram_of
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tacit.models.language import Language

Array = NDArray[Any]

DEFAULT_SHARE = 0.7
"""How much the own texts count; chosen on glosses by field, sentences by source and stretches of news."""


@dataclass
class Background:
    """The background's vectors of a language's words (zeros where it has none), and how they were learnt."""

    word_vectors: Array
    missing_weight: float
    regularization: float
    share: float

    def fold_in(self, n_threads: int) -> FoldIn:
        """What gives texts their vectors in the background's space."""
        gram = gram_of(self.word_vectors, n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, self.regularization, n_threads, gram)


class BackgroundFoldIn:
    """Gives texts the vectors of two spaces side by side, each at length 1 times the root of its share."""

    def __init__(self, own: FoldIn, background: FoldIn, share: float) -> None:
        """Keep both."""
        self.fold_ins = (own, background)
        self.scales = (float(np.sqrt(share)), float(np.sqrt(1 - share)))
        self.n_components = own.n_components + background.n_components

    @property
    def n_threads(self) -> int:
        """How many threads to use."""
        return self.fold_ins[0].n_threads

    @n_threads.setter
    def n_threads(self, value: int) -> None:
        for fold in self.fold_ins:
            fold.n_threads = value

    def __call__(self, rows: Any) -> Array:
        """The vector of each row; a row with no known word gets zeros."""
        spaces = zip(self.fold_ins, self.scales, strict=True)
        parts = [unit(fold(rows)) * np.float32(root) for fold, root in spaces]
        return np.concatenate(parts, axis=1)


def extend_vocabulary(own: TextVectorizer, background: Language) -> Array:
    """Let a vectorizer know the background's words too; returns the background's vectors of all its words."""
    words = background.vectorizer.words_
    known = words.column_of
    n_own = len(own.words_)
    terms = own.make_normalizer()(words.surface_forms)
    same = [i for i, term in enumerate(terms) if term and term == words.terms[i]]
    new = [i for i in same if terms[i] not in own.words_.column_of]
    places = [known.get(term, -1) for term in own.words_.terms]
    ones = np.ones(len(new), np.int64)
    own.add_words(Vocabulary([terms[i] for i in new], [words.surface_forms[i] for i in new], ones), 0)
    vectors = np.zeros((n_own + len(new), background.word_vectors.shape[1]), np.float32)
    there = np.flatnonzero(np.array(places) >= 0)
    vectors[there] = background.word_vectors[np.array(places)[there]]
    vectors[n_own:] = background.word_vectors[new]
    return vectors
