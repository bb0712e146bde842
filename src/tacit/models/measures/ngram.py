"""``ngram``: the cosine of the runs of one to three words of two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.models.measure import Array, Measure
from tacit.models.ngrams import row_cosines, word_ngrams

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet


class Ngram(Measure):
    """What two texts have in common to the letter, their words' order too."""

    name, summary = "ngram", "the cosine of their runs of one to three words"

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The cosine of each pair's runs."""
        if self.name not in texts.cache:
            texts.cache[self.name] = word_ngrams(texts, 1, 3)
        return row_cosines(texts.cache[self.name], left, right)


MEASURE = Ngram()
