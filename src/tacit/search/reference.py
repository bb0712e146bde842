"""What joining and ranking by words compute, in plain numpy: every cell at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def pairs_above(vectors: Array, least: float) -> list[tuple[int, int]]:
    """Every two rows, the earlier one first, whose inner product is ``least`` or more.

    >>> pairs_above(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), 0.5)
    [(0, 2)]
    """
    rows, columns = np.nonzero(np.triu(vectors @ vectors.T >= least, k=1))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def bm25(counts: Array, query: Array, k1: float = 1.2, b: float = 0.75) -> Array:
    """Okapi BM25 of each text for the words of a query, from texts x words counts.

    >>> bm25(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0.0, 1.0])).round(2)
    array([0.  , 0.61])
    """
    n, df = len(counts), np.count_nonzero(counts, axis=0)
    idf = np.log1p((n - df + 0.5) / (df + 0.5))
    lengths = counts.sum(axis=1, keepdims=True)
    damped = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / lengths.mean()))
    scores: Array = (idf * damped)[:, query > 0].sum(axis=1)
    return scores
