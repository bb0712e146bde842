"""Texts prepared once for every measure: their tokens, weights and vectors, each made when asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.text.interning import Occurrences, intern_texts
from tacit.text.vectorizer import WeightedRows, weighted_rows

if TYPE_CHECKING:
    from tacit.sentences.wtmf import WTMF

Array = NDArray[Any]


class TextSet:
    """What a fitted model sees of some texts.

    ``terms`` holds the term (stem) of every distinct token, ``columns`` its place in the model's vocabulary
    or -1, ``weights`` its idf; a word the model does not know weighs as much as one seen in a single text.
    """

    def __init__(self, model: WTMF, texts: Iterable[str]) -> None:
        """Tokenise the texts."""
        vectorizer = model.vectorizer_
        self.model = model
        self.seen: Occurrences = intern_texts(texts, vectorizer.tokenizer)
        normalize = vectorizer.normalizer()
        self.terms: list[str] = normalize(self.seen.tokens)
        self.columns = vectorizer.words_.columns(self.seen.tokens, normalize)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.seen.counts)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the tokens of each text start in ``seen.ids``, and where the last ones end."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.seen.counts)])

    @cached_property
    def term_numbers(self) -> NDArray[np.int64]:
        """A number for the term of every distinct token, the same for the same term."""
        numbers: dict[str, int] = {}
        found = (numbers.setdefault(term, len(numbers)) for term in self.terms)
        return np.fromiter(found, np.int64, len(self.terms))

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The idf of every distinct token."""
        vectorizer = self.model.vectorizer_
        unknown = np.log(max(vectorizer.n_texts_, 2))
        return np.where(self.columns >= 0, vectorizer.idf_[self.columns], unknown)

    @cached_property
    def rows(self) -> WeightedRows:
        """The tf-idf weights of the known words of each text."""
        vectorizer = self.model.vectorizer_
        return weighted_rows(self.seen, self.columns, vectorizer.idf_, vectorizer.tf)

    @property
    def known(self) -> NDArray[np.int64]:
        """How many words of each text are known."""
        return self.rows.known

    @cached_property
    def vectors(self) -> Array:
        """The latent vectors."""
        return self.model.encode_rows(self.rows)
