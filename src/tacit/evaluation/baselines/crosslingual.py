"""A trained crosslingual model as a scorer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.texts import CrossTexts

if TYPE_CHECKING:
    from tacit.crosslingual.model import CrosslingualModel


class CrosslingualScorer:
    """A fitted ``BilingualWMF`` or ``PivotWMF`` by a measure; languages are detected unless told."""

    def __init__(
        self,
        model: CrosslingualModel,
        name: str = "crosslingual",
        measure: str = "latent",
        languages: tuple[str, str] | None = None,
    ) -> None:
        """Keep the model; ``name`` is what tables call it."""
        self.model = model
        self.name = name
        self.measure = measure
        self.languages = languages

    def speaking(self, a: str, b: str) -> CrosslingualScorer:
        """The same scorer, for first texts of language ``a`` and second texts of language ``b``."""
        return CrosslingualScorer(self.model, self.name, self.measure, (a, b))

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The measure of each text of ``a`` with the text of ``b`` at the same place."""
        one, other = self.languages or (None, None)
        return self.model.similarity_pairwise(a, b, self.measure, one, other)

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has something to compare: a known word, or for spellings any word."""
        prepared = [CrossTexts(self.model, texts, code) for code in dict.fromkeys(self.languages or (None,))]
        if self.measure == "latent":
            return np.asarray(np.any([each.known > 0 for each in prepared], axis=0))
        return prepared[0].seen.counts > 0
