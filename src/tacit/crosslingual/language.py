"""One language of a model: its words, their vectors, and what they stand for in the pivot language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.crosslingual.lexicon import Lexicon
from tacit.errors import InputError
from tacit.factorize.als import FoldIn, gram_of
from tacit.text.vectorizer import TextVectorizer

Array = NDArray[Any]


def check_text_regularization(value: float | None) -> None:
    """Raise an error if it is neither None nor a finite number above 0."""
    number = not isinstance(value, bool) and isinstance(value, int | float)
    if value is not None and not (number and isfinite(value) and value > 0):
        raise InputError(f"text_regularization={value!r}: give a number above 0, or None: as in training")


@dataclass
class Language:
    """What a model knows of a language.

    Words after the first ``n_trained`` were borrowed from the pivot or added later: they do not count as
    missing in texts that lack them. ``borrowed`` holds the pivot's columns of the last words.
    ``text_regularization`` is what long vectors cost where a text gets one; None: ``regularization``.
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
    text_regularization: float | None = None

    @cached_property
    def fold(self) -> FoldIn:
        """What gives texts of this language their vectors: its own block of words alone, in A0 too."""
        own = self.text_regularization
        return self.fold_by(self.regularization if own is None else own)

    def fold_by(self, regularization: float) -> FoldIn:
        """What gives texts their vectors at a given cost of long ones."""
        trained = gram_of(self.word_vectors[: self.n_trained], self.n_threads)
        return FoldIn(self.word_vectors, self.missing_weight, regularization, self.n_threads, trained)

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
