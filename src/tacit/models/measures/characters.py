"""``characters``: cosine of character 3- to 5-grams within words."""

from __future__ import annotations

from tacit.models.measure import SparseCosine
from tacit.models.ngrams import SparseRows, char_ngrams
from tacit.models.text_set import TextSet


class Characters(SparseCosine):
    """Cosine of character n-gram counts, which finds inflected and misspelled words."""

    name, summary = "characters", "the cosine of character 3- to 5-grams within words"

    def rows(self, texts: TextSet) -> SparseRows:
        """Count the character 3- to 5-grams of each text."""
        return char_ngrams(texts, 3, 5)


MEASURE = Characters()
