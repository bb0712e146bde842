"""Scores by chance: the floor of every table."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.protocols import BlockScores


class RandomScorer:
    """A number from 0 to 1 for each pair, drawn by seed and the pair's texts, so that it never changes.

    >>> scorer = RandomScorer(seed=1)
    >>> bool(scorer.score_pairs(["a", "b"], ["c", "d"])[1] == scorer.score_pairs(["b"], ["d"])[0])
    True
    """

    def __init__(self, seed: int = 0) -> None:
        """Keep the seed."""
        self.name = "random"
        self.seed = seed

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """A random number for each pair."""
        return np.array([self._number(*pair) for pair in zip(a, b, strict=True)])

    def many_to_many(self, queries: Sequence[str], candidates: Sequence[str]) -> BlockScores:
        """Random numbers for each query, by its place."""

        def scores(start: int, stop: int) -> NDArray[np.float64]:
            rows = [
                np.random.default_rng([self.seed, query]).random(len(candidates))
                for query in range(start, stop)
            ]
            return np.array(rows)

        return scores

    def _number(self, a: str, b: str) -> float:
        text = f"{self.seed}\t{a}\t{b}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8).digest()) / 2**64
