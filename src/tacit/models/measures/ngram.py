"""``ngram``: cosine of word 1- to 3-grams."""

from __future__ import annotations

from tacit.models.measure import SparseCosine
from tacit.models.ngrams import SparseRows, word_ngrams
from tacit.models.text_set import TextSet


class Ngram(SparseCosine):
    """Cosine of word n-gram counts, which depends on the order of the words."""

    name, summary = "ngram", "the cosine of word 1- to 3-grams"

    def rows(self, texts: TextSet) -> SparseRows:
        """Count the word 1- to 3-grams of each text."""
        return word_ngrams(texts, 1, 3)


MEASURE = Ngram()
