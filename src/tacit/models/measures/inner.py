"""``inner``: the inner product of the latent vectors, the only measure that is not from -1 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacit.models.measure import Array, Measure

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet


class Inner(Measure):
    """How much two texts say of the same, the more the longer they are."""

    name, summary = "inner", "the inner product of the latent vectors"
    needs_known_words = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The product of each pair's vectors."""
        products: Array = np.einsum("ij,ij->i", texts.vectors[left], texts.vectors[right])
        return products


MEASURE = Inner()
