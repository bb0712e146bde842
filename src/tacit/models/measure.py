"""Interface of a similarity measure, and scoring of many pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import run_blocks, split_range
from tacit.errors import InputError
from tacit.models.model_languages import ModelLanguages
from tacit.models.ngrams import SparseRows, row_cosines
from tacit.models.text_set import TextSet
from tacit.types import Array

Table = NDArray[np.float64]

_BLOCK_PAIRS = 4096  # scored in one piece by one thread


@dataclass(frozen=True)
class TextGroups:
    """The text at position ``text_id`` of a set, its distinct tokens in groups.

    ``group_of_token`` has the group of each distinct token: the row or column of a contribution table.
    """

    text_id: int
    group_of_token: NDArray[np.int64]
    n_groups: int


class Measure:
    """A similarity measure of texts.

    If ``needs_known_words`` is true, a text without a known word scores 0; other measures still compare
    letters, and a text with itself scores 1. A text without tokens scores 0. If ``is_explainable`` is true, a
    score splits into word-by-word contributions.
    """

    name: str
    summary: str
    needs_known_words = False
    is_explainable = False

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the similarity of text ``left[i]`` and text ``right[i]`` for each i."""
        raise NotImplementedError

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Return the parts of a score as tables, groups of words of ``a`` by groups of words of ``b``.

        The cells of all tables sum to the score.
        """
        raise InputError(
            f"measure={self.name!r} cannot be split by words: use blend, alignment or latent",
            parameter="measure",
        )

    def min_cosine(self, model: ModelLanguages, threshold: float) -> float | None:
        """Return the lowest latent cosine of pairs that reach ``threshold``; None if there is no bound."""
        return None


class SparseCosine(Measure):
    """The cosine of sparse rows; ``compute_rows`` returns one row for each text."""

    def __init__(
        self, name: str, summary: str, compute_rows: Callable[[TextSet], SparseRows],
        needs_known_words: bool = False,
    ) -> None:  # fmt: skip
        """Define a measure by the rows that it compares."""
        self.name, self.summary = name, summary
        self.compute_rows, self.needs_known_words = compute_rows, needs_known_words

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the cosine of each pair of rows."""
        return row_cosines(texts.cached(self.name, self.compute_rows), left, right)


def score_pairs(measure: Measure, texts: TextSet, left: Array, right: Array) -> NDArray[np.float64]:
    """Score text ``left[i]`` and text ``right[i]`` for each i, in blocks on the model's threads."""
    if not len(left):
        return np.zeros(0)
    if len(left) > _BLOCK_PAIRS:
        measure.score(texts, left[:1], right[:1])  # caches what all pairs share, before threads start

    def score_block(block: tuple[int, int]) -> Array:
        return measure.score(texts, left[slice(*block)], right[slice(*block)])

    scores = run_blocks(score_block, split_range(len(left), _BLOCK_PAIRS), texts.model.usable_threads)
    return np.concatenate(scores).astype(np.float64)
