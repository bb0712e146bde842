"""One language of a model: its words, their vectors, and what they stand for in the pivot language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.lexicon import Lexicon
from tacit.factorize.als import FoldIn, gram_of
from tacit.sentences import cosine
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[Any]


@dataclass
class Language:
    """What a model knows of a language.

    Words after the first ``n_trained`` were borrowed from the pivot or added later: they do not count as
    missing in texts that lack them. ``borrowed`` holds the pivot's columns of the last words.
    """

    code: str
    vectorizer: TextVectorizer
    word_vectors: Array
    n_trained: int
    lexicon: Lexicon
    missing_weight: float
    regularization: float
    n_threads: int
    borrowed: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    sample: list[str] = field(default_factory=list)
    chance: Array | None = None

    @cached_property
    def fold(self) -> FoldIn:
        """What gives texts of this language their vectors: its own block of words alone, in A0 too."""
        trained = gram_of(self.word_vectors[: self.n_trained], self.n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, self.regularization, self.n_threads, trained)

    @cached_property
    def unit_words(self) -> Array:
        """The words' vectors at length 1."""
        return cosine.unit(self.word_vectors)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """How likely a text has each word, as the texts learnt from tell; borrowed words as good as never."""
        words = self.vectorizer.words_
        found = words.df / max(self.vectorizer.n_texts_, 1)
        found[self.n_trained :] = 0.0
        return found
