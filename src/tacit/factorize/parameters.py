"""The parameters of a factorization, checked before any work starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tacit.checks import check_float, check_int
from tacit.errors import InputError


def check_parameters(
    n_components: int,
    missing_weight: float,
    regularization: float,
    n_iter: int,
    tol: float,
    text_regularization: float | None = None,
) -> None:
    """Raise an error that names the first value out of its range, the range and why.

    >>> check_parameters(100, 2.0, 20.0, 20, 0.0)
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


def largest_singular_value(X: Any) -> float:
    """By power iteration: X is not negative, so the start of ones leans the right way.

    >>> round(largest_singular_value(np.array([[3.0, 0.0], [0.0, 4.0]])), 3)
    4.0
    """

    def images(vector: Any) -> tuple[Any, float]:
        image = X @ vector
        return X.T @ image, float(np.linalg.norm(image))

    return strongest_of(images, X.shape[1])


def strongest_of(images: Callable[[Any], tuple[Any, float]], n: int) -> float:
    """The same from a function that gives X'Xv and the length of Xv."""
    vector = np.ones(n)
    strongest = 0.0
    for _ in range(20):
        vector, strongest = images(vector / np.linalg.norm(vector))
        if not vector.any():
            break
    return strongest


def check_strength(strongest: float, n_texts: int, regularization: float) -> None:
    """Raise an error if every vector would shrink to zero.

    At zero, the loss falls in some direction only if lambda is below the largest singular value.

    >>> check_strength(4.0, 2, 5.0)
    Traceback (most recent call last):
    tacit.errors.InputError: regularization=5 is too strong for these 2 texts: every vector would be zero; ...
    """
    if regularization >= strongest:
        raise InputError(
            f"regularization={regularization:g} is too strong for these {n_texts} texts: every vector "
            f"would be zero; give less than {strongest:.2g}, for example {strongest / 10:.1g}, or 'auto'",
            parameter="regularization",
        )


def generator(random_state: Any) -> np.random.Generator:
    """A random generator from a seed, another generator, or None for a new one each time.

    >>> generator(0).standard_normal(2)
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
