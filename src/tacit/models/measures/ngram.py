"""``ngram``: the cosine of the runs of one to three words of two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.models.measure import Array, Measure
from tacit.models.runs import sparse_cosines, word_runs

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet


class Ngram(Measure):
    """What two texts have in common to the letter, their words' order too."""

    name, summary = "ngram", "the cosine of their runs of one to three words"

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The cosine of each pair's runs."""
        return sparse_cosines(word_runs(texts, 1, 3), left, right)


MEASURE = Ngram()
