"""Settings of a factorization: validation, and values suggested by the data.

    missing_weight  w_m    = max(.001, d^2 / (d^2 + .005^2)),                    d = nnz / (N M)
    regularization  lambda = min(.57 max(1, N / 300)^(1/6) (1 + sqrt(N / M)), 1.6) r,    r = |X|_F / sqrt(N)

for N texts of M words with nnz non-zeros; r is the norm of a typical row. In a small collection a missing
word has nearly the full weight; the larger the vocabulary, the lower this weight. r (1 + sqrt(N / M))
is the edge of the singular values of noise with the same norm: larger ones come from several texts. A
vector has at most half as many components as there are texts: with more, each text could have its own
component, and nothing that texts have in common would be learned.

The constants were chosen by the class of the nearest text on eleven sets of 100 to 10,000 texts (search
snippets, questions, news and its titles, glosses by field and by part of speech, abstracts, textbooks, two
languages), and by STS 2012 for 180,000.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Self

import numpy as np

from tacit.checks import check_float, check_int, format_count, is_auto
from tacit.errors import InputError

DENSITY_SCALE = 0.005
MIN_MISSING_WEIGHT = 0.001
NOISE_EDGE_FACTOR = 0.57
REFERENCE_N_TEXTS = 300
MAX_ROW_NORMS = 1.6
MAX_SINGULAR_SHARE = 0.9
DEFAULT_N_COMPONENTS = 100
DEFAULT_N_ITER = 15

PAPER_SETTINGS = {"n_components": 100, "missing_weight": 0.01, "regularization": 20.0, "n_iter": 20}
"""The values of Guo & Diab, for 400,000 dictionary entries in tf-idf weights."""

FloatOrAuto = float | str
"""A number, or "auto" for a value chosen from the data."""


@dataclass(frozen=True)
class MatrixStatistics:
    """Shape of a matrix, number of its non-zeros, and its Frobenius norm."""

    n_texts: int
    n_words: int
    n_nonzero: int
    frobenius_norm: float

    @classmethod
    def from_matrices(cls, *matrices: Any) -> Self:
        """Compute the statistics of matrices side by side, from their ``shape`` and ``data``."""
        squared_norm = sum(float(np.square(X.data, dtype=np.float64).sum()) for X in matrices)
        return cls(
            max(X.shape[0] for X in matrices),
            sum(X.shape[1] for X in matrices),
            sum(len(X.data) for X in matrices),
            sqrt(squared_norm),
        )


def suggest_settings(statistics: MatrixStatistics) -> dict[str, Any]:
    """Suggest settings for a matrix.

    >>> shapes = (300, 2000), (10**6, 10**5)
    >>> small, large = (MatrixStatistics(n, m, 10 * n, 10.0 * n**0.5) for n, m in shapes)
    >>> {name: round(value, 2) for name, value in suggest_settings(small).items()}
    {'missing_weight': 0.5, 'regularization': 7.91, 'n_components': 100, 'n_iter': 15}
    >>> suggest_settings(large)["missing_weight"]
    0.001
    """
    n, m = max(statistics.n_texts, 1), max(statistics.n_words, 1)
    density = statistics.n_nonzero / (n * m)
    row_norm = statistics.frobenius_norm / sqrt(n)
    edge = NOISE_EDGE_FACTOR * max(1.0, n / REFERENCE_N_TEXTS) ** (1 / 6) * (1 + sqrt(n / m))
    return {
        "missing_weight": max(MIN_MISSING_WEIGHT, density**2 / (density**2 + DENSITY_SCALE**2)),
        "regularization": row_norm * min(edge, MAX_ROW_NORMS),
        "n_components": max(1, min(DEFAULT_N_COMPONENTS, n // 2, m)),
        "n_iter": DEFAULT_N_ITER,
    }


def resolve_settings(
    requested: Mapping[str, Any], statistics: MatrixStatistics, largest_singular_value: float
) -> dict[str, Any]:
    """Replace the settings that are "auto" by values suggested for a matrix.

    A regularization at the largest singular value or above would make every vector zero: none is suggested,
    and a requested one raises `InputError`.
    """
    suggested = suggest_settings(statistics)
    limit = MAX_SINGULAR_SHARE * largest_singular_value
    suggested["regularization"] = min(suggested["regularization"], limit)
    settings = {name: suggested[name] if is_auto(value) else value for name, value in requested.items()}
    check_regularization(settings["regularization"], largest_singular_value, statistics.n_texts)
    return settings


def check_regularization(regularization: float, largest_singular_value: float, n_texts: int) -> None:
    """Raise `InputError` if every vector would become zero.

    At zero, the loss falls in some direction only if lambda is below the largest singular value.

    >>> check_regularization(5.0, 4.0, n_texts=2)
    Traceback (most recent call last):
    tacit.errors.InputError: regularization=5 is too strong for a collection of 2 texts: ...
    """
    if regularization >= largest_singular_value:
        limit = largest_singular_value
        raise InputError(
            f"regularization={regularization:g} is too strong for a collection of "
            f"{format_count(n_texts, 'text')}: every vector would be zero; give less than {limit:.2g}, "
            f"for example {limit / 10:.1g}, or 'auto'",
            parameter="regularization",
        )


def check_requested_settings(tol: float, text_regularization: float | None = None, **requested: Any) -> None:
    """Raise `InputError` for a setting out of range; "auto" is always valid.

    >>> options = {"missing_weight": "auto", "n_components": 5, "n_iter": "auto"}
    >>> check_requested_settings(0.0, regularization=-1.0, **options)
    Traceback (most recent call last):
    tacit.errors.InputError: regularization=-1.0: expected a number of at least 0; 20 suits tf-idf weights
    """
    numbers: dict[str, Any] = {
        name: PAPER_SETTINGS[name] if is_auto(value) else value for name, value in requested.items()
    }
    check_settings(**numbers, tol=tol, text_regularization=text_regularization)


def check_settings(
    n_components: int, missing_weight: float, regularization: float, n_iter: int = 1, tol: float = 0.0,
    text_regularization: float | None = None,
) -> None:  # fmt: skip
    """Raise `InputError` that names the first value out of its range, and the range.

    >>> check_settings(100, 2.0, 20.0)
    Traceback (most recent call last):
    tacit.errors.InputError: missing_weight=2.0: expected a number from 0 to 1; 0.01 suits short texts
    """
    check_int("n_components", n_components, max_value=10_000, note="the length of a vector")
    check_int("n_iter", n_iter, max_value=1_000_000_000, note="the number of sweeps")
    check_float("missing_weight", missing_weight, max_value=1, note="0.01 suits short texts")
    check_float("regularization", regularization, note="20 suits tf-idf weights")
    check_float("tol", tol, note="0 runs all sweeps")
    if text_regularization is not None:
        check_float(
            "text_regularization", text_regularization, exclusive_min=True, note="None: as in training"
        )
    if missing_weight == 0 and regularization == 0:
        raise InputError(
            "missing_weight=0 with regularization=0 has no unique solution: raise one of them",
            parameter="missing_weight",
        )


def make_rng(random_state: Any) -> np.random.Generator:
    """Create a random generator from a seed or another generator; None gives a new one each time.

    >>> make_rng(0).standard_normal(2)
    array([ 0.12573022, -0.13210486])
    """
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise InputError(
            f"random_state={random_state!r}: expected an integer of at least 0, a numpy generator or None",
            parameter="random_state",
        ) from None
