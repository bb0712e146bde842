"""How much vectors tell apart: vectors that all point one way say nothing of a text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.factorize.row_solver import gram_of

MIN_RANK = 3.0
MAX_MEAN_COSINE = 0.5


@dataclass(frozen=True)
class Isotropy:
    """``effective_rank`` is the number of directions the vectors use, ``mean_cosine`` that of random pairs.

    The first is exp of the entropy of the shares of the principal axes; it is at most the vectors' length.
    """

    effective_rank: float
    mean_cosine: float

    @property
    def is_low(self) -> bool:
        """Whether texts can hardly be told apart by their vectors."""
        return self.effective_rank < MIN_RANK or self.mean_cosine > MAX_MEAN_COSINE

    def to_dict(self) -> dict[str, float]:
        """Plain values, for a model's config."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def measure_isotropy(vectors: NDArray[Any], n_threads: int = 1) -> Isotropy:
    """The spread of vectors, those that are zero aside.

    >>> measure_isotropy(np.eye(4, dtype=np.float32)).to_dict()
    {'effective_rank': 4.0, 'mean_cosine': 0.0}
    """
    units = unit(vectors[vectors.any(axis=1)])
    return isotropy_from_gram(gram_of(units, n_threads), units.sum(axis=0, dtype=np.float64), len(units))


def isotropy_from_gram(gram: NDArray[Any], total: NDArray[Any], n: int) -> Isotropy:
    """The spread of n vectors of length 1, from their Gram matrix and their sum."""
    if n < 2:
        return Isotropy(float(n), 0.0)
    shares = np.linalg.eigvalsh(gram).clip(1e-12)
    shares /= shares.sum()
    together = float(np.square(total).sum())
    return Isotropy(float(np.exp(-(shares * np.log(shares)).sum())), (together - n) / (n * (n - 1)))
