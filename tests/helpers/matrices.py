"""Matrices to factorize."""

from __future__ import annotations

import numpy as np
from scipy.sparse import random_array

from tacit.factorize.als import factorize


def problem(n_rows: int, n_columns: int, K: int, density: float, seed: int, dtype: str):
    """A random non-negative matrix with some empty rows, and random column vectors."""
    rng = np.random.default_rng(seed)
    X = random_array(
        (n_rows, n_columns), density=density, rng=rng, data_sampler=lambda size: 0.1 + 8 * rng.random(size)
    )
    X = X.toarray().astype(dtype)
    X[rng.random(n_rows) < 0.1] = 0
    return X, rng.standard_normal((n_columns, K)).astype(dtype)


def factorize_one(X, P, **options):
    """Factorize a matrix that is one block; return the columns' vectors and the losses."""
    (vectors,), losses = factorize([[X]], [P], **options)
    return vectors, losses
