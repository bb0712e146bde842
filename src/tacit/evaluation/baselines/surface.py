"""The official baseline of STS 2012: the words as they stand on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit_rows
from tacit.evaluation.baselines.vectors import Rows, VectorScorer


class SurfaceScorer(VectorScorer):
    """The cosine of binary vectors of the tokens between white space, case and punctuation kept.

    >>> SurfaceScorer().score_pairs(["A cat sat ."], ["a cat slept ."])
    array([0.5])
    """

    def __init__(self) -> None:
        """There is nothing to choose."""
        self.name = "surface"

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The binary rows of both collections, at length 1."""
        return binary_rows([set(text.split()) for text in a], [set(text.split()) for text in b])

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a token."""
        return np.array([bool(text.split()) for text in texts], dtype=bool)


def binary_rows(a: Sequence[set[str]], b: Sequence[set[str]]) -> tuple[Rows, Rows]:
    """The rows, at length 1, of two collections of sets of tokens."""
    numbers: dict[str, int] = {}
    sides = [[[numbers.setdefault(token, len(numbers)) for token in each] for each in c] for c in (a, b)]
    return _binary(sides[0], len(numbers)), _binary(sides[1], len(numbers))


def _binary(tokens: list[list[int]], width: int) -> Rows:
    from scipy.sparse import csr_matrix

    indptr = np.cumsum([0, *map(len, tokens)])
    indices = np.array([number for row in tokens for number in row], dtype=np.int64)
    return unit_rows(csr_matrix((np.ones(len(indices)), indices, indptr), (len(tokens), width)))
