"""What a measure is: it scores pairs of texts, and says why or that it cannot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import ranges, run
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.models.text_set import TextSet

Array = NDArray[Any]
Table = NDArray[np.float64]

_PAIRS = 4096  # compared at once by a thread


@dataclass(frozen=True)
class TextGroups:
    """A text of a set, and for each of its distinct tokens the group whose line of a table it adds to."""

    text_id: int
    group_of_token: NDArray[np.int64]
    n_groups: int


class Measure:
    """A way to say how alike two texts are.

    ``needs_known_words`` tells whether a text without a word the model knows scores 0; other measures still
    see its letters. ``is_explainable`` tells whether a score splits into word-by-word parts.
    """

    name: str
    summary: str
    needs_known_words = False
    is_explainable = False

    def prepare(self, texts: TextSet, left: Array, right: Array) -> None:
        """Make what all of these pairs share, once, before threads start."""
        self.score(texts, left[:1], right[:1])

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The measure of text ``left[i]`` with text ``right[i]``, for every i."""
        raise NotImplementedError

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Tables of groups of words of one text by those of another, by the name of what they tell of.

        All of their cells add up to the score.
        """
        raise InputError(
            f"measure={self.name!r} cannot be split by words: use blend, alignment or latent",
            parameter="measure",
        )

    def min_cosine(self, model: TextModel, threshold: float) -> float | None:
        """The least cosine of the vectors of a pair that scores ``threshold``; None if there is no bound."""
        return None


def score_pairs(measure: Measure, texts: TextSet, left: Array, right: Array) -> NDArray[np.float64]:
    """The measure of every pair, block by block, on the model's threads."""
    if not len(left):
        return np.zeros(0)
    measure.prepare(texts, left, right)
    parts = run(
        lambda block: measure.score(texts, left[block[0] : block[1]], right[block[0] : block[1]]),
        ranges(len(left), _PAIRS),
        texts.model.usable_threads,
    )
    return np.concatenate(parts).astype(np.float64)
