"""Chance among many candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.scorers import RandomScorer


class RandomRanker(RandomScorer):
    """Random scores of pairs, and of queries with every candidate.

    >>> block = RandomRanker(seed=1).many_to_many(["a", "b"], ["c", "d", "e"])
    >>> bool((block(0, 2)[1] == block(1, 2)[0]).all())
    True
    """

    def many_to_many(
        self, queries: Sequence[str], candidates: Sequence[str]
    ) -> Callable[[int, int], NDArray[np.float64]]:
        """Random numbers for each query, by its place."""

        def scores(start: int, stop: int) -> NDArray[np.float64]:
            seeds = ([self.seed, query] for query in range(start, stop))
            return np.array([np.random.default_rng(seed).random(len(candidates)) for seed in seeds])

        return scores
