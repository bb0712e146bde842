"""References in plain numpy for the similarity join and BM25."""

from __future__ import annotations

import numpy as np

from tacit.types import Array


def pairs_above(vectors: Array, threshold: float) -> list[tuple[int, int]]:
    """Return all pairs of rows, the earlier one first, with an inner product of at least ``threshold``.

    >>> pairs_above(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), 0.5)
    [(0, 2)]
    """
    left, right = np.nonzero(np.triu(vectors @ vectors.T >= threshold, k=1))
    return list(zip(left.tolist(), right.tolist(), strict=True))


def bm25(counts: Array, query: Array, k1: float = 1.2, b: float = 0.75) -> Array:
    """Return the Okapi BM25 score of each text for the terms of a query, from texts x terms counts.

    >>> bm25(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0.0, 1.0])).round(2)
    array([0.  , 0.61])
    """
    n, df = len(counts), np.count_nonzero(counts, axis=0)
    idf = np.log1p((n - df + 0.5) / (df + 0.5))
    lengths = counts.sum(axis=1, keepdims=True)
    saturated = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / lengths.mean()))
    return (idf * saturated)[:, query > 0].sum(axis=1)
