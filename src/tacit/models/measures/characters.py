"""``characters``: the cosine of the runs of three to five letters within the words of two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.models.measure import Array, Measure
from tacit.models.ngrams import char_ngrams, row_cosines

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet


class Characters(Measure):
    """What two texts have in common by their letters, other forms and misspelt words too."""

    name, summary = "characters", "the cosine of the runs of three to five letters within their words"

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The cosine of each pair's runs."""
        if self.name not in texts.cache:
            texts.cache[self.name] = char_ngrams(texts, 3, 5)
        return row_cosines(texts.cache[self.name], left, right)


MEASURE = Characters()
