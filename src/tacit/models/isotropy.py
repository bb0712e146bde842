"""Effective rank and mean cosine of vectors: do the vectors distinguish texts?"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.factorize.row_solver import gram_matrix
from tacit.types import Array

MIN_RANK = 3.0
MAX_MEAN_COSINE = 0.5


@dataclass(frozen=True)
class Isotropy:
    """How evenly vectors are distributed over the directions of their space.

    ``effective_rank`` is exp of the entropy of the normalized eigenvalues of the Gram matrix, at most the
    number of components; ``mean_cosine`` is the mean cosine of all pairs.
    """

    effective_rank: float
    mean_cosine: float

    @property
    def is_low(self) -> bool:
        """Whether the vectors hardly distinguish texts."""
        return self.effective_rank < MIN_RANK or self.mean_cosine > MAX_MEAN_COSINE

    def to_dict(self) -> dict[str, float]:
        """Return plain values, rounded, for the config of a model."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def measure_isotropy(vectors: Array, n_threads: int = 1) -> Isotropy:
    """Return the isotropy of the vectors that are not zero.

    >>> measure_isotropy(np.eye(4, dtype=np.float32)).to_dict()
    {'effective_rank': 4.0, 'mean_cosine': 0.0}
    """
    units = normalize_rows(vectors[vectors.any(axis=1)])
    return isotropy_from_gram(gram_matrix(units, n_threads), units.sum(axis=0, dtype=np.float64), len(units))


def isotropy_from_gram(gram: Array, total: Array, n: int) -> Isotropy:
    """Return the isotropy of n unit vectors with this Gram matrix and this sum."""
    if n < 2:
        return Isotropy(float(n), 0.0)
    eigenvalues = np.linalg.eigvalsh(gram).clip(1e-12)
    eigenvalues /= eigenvalues.sum()
    squared_norm = float(np.square(total).sum())
    effective_rank = float(np.exp(-(eigenvalues * np.log(eigenvalues)).sum()))
    return Isotropy(effective_rank, (squared_norm - n) / (n * (n - 1)))
