"""``inner``: inner product of the latent vectors, the only measure that is not limited to -1 to 1."""

from __future__ import annotations

import numpy as np

from tacit.models.measure import Measure
from tacit.models.text_set import TextSet
from tacit.types import Array


class Inner(Measure):
    """Inner product of the latent vectors, which grows with the length of the texts."""

    name, summary = "inner", "the inner product of the latent vectors"
    needs_known_words = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the inner product of each pair of vectors."""
        return np.asarray(np.einsum("ij,ij->i", texts.vectors[left], texts.vectors[right]))


MEASURE = Inner()
