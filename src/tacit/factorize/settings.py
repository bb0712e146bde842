"""Settings by the data: what suits a matrix of short texts, from its size, its density and its rows' length.

    missing_weight  w_m    = min(1, (density / .006)^1.5)
    regularization  lambda = r min(1.2, .8 (N / 300)^(1/6)),    r = |X|_F / sqrt(N)

N texts of M words with nnz non-zeros have the density nnz / (N M); r is the length of a typical row. In a
small collection every word is telling, so a word that a text lacks counts in full; the more words there are,
the less one of them says by its absence. What costs lambda is measured by what one text brings: a direction
that a single text supports is not learnt. The paper's values for its own corpus (w_m = .01, lambda = 20; Guo
& Diab, ACL 2012) lie on these curves. A vector has at most half as many components as there are texts: with
as many, each text would have one of its own, and nothing would be learnt of what they share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from tacit.factorize.parameters import check_parameters, check_strength

AUTO = "auto"

DENSE = 0.006
SUPPORT = 0.8
REFERENCE = 300
MOST_SUPPORT = 1.2
MOST_OF_STRONGEST = 0.9
COMPONENTS = 100
SWEEPS = 15

PAPER = {"n_components": 100, "missing_weight": 0.01, "regularization": 20.0, "n_iter": 20}
"""The values of Guo & Diab, for 400,000 dictionary entries in tf-idf weights."""

Number = float | str
"""A number, or ``auto``: by the data."""


@dataclass(frozen=True)
class Statistics:
    """What is asked of a matrix: its shape, how many cells are not zero, and its Frobenius norm."""

    n_texts: int
    n_words: int
    n_nonzero: int
    norm: float

    @classmethod
    def of(cls, *matrices: Any) -> Statistics:
        """Of matrices with the same rows, side by side; each has ``shape`` and ``data``."""
        squares = sum(float(np.square(each.data, dtype=np.float64).sum()) for each in matrices)
        return cls(
            max(each.shape[0] for each in matrices),
            sum(each.shape[1] for each in matrices),
            sum(len(each.data) for each in matrices),
            sqrt(squares),
        )


def is_auto(value: Any) -> bool:
    """Whether a setting is left to the data."""
    return isinstance(value, str) and value == AUTO


def settings_for(found: Statistics) -> dict[str, Any]:
    """What suits a matrix.

    >>> small, large = (Statistics(n, m, 10 * n, 10.0 * n**0.5) for n, m in ((300, 2000), (10**6, 10**5)))
    >>> {name: round(value, 2) for name, value in settings_for(small).items()}
    {'missing_weight': 0.76, 'regularization': 8.0, 'n_components': 100, 'n_iter': 15}
    >>> settings_for(large)["missing_weight"] < 0.01
    True
    """
    density = found.n_nonzero / max(found.n_texts * found.n_words, 1)
    length = found.norm / sqrt(max(found.n_texts, 1))
    support = min(MOST_SUPPORT, SUPPORT * (found.n_texts / REFERENCE) ** (1 / 6))
    return {
        "missing_weight": min(1.0, (density / DENSE) ** 1.5),
        "regularization": length * support,
        "n_components": max(1, min(COMPONENTS, found.n_texts // 2, found.n_words)),
        "n_iter": SWEEPS,
    }


def check_given(tol: float, text_regularization: float | None = None, **given: Any) -> None:
    """Raise an error for a value out of range; ``auto`` is always in it.

    >>> check_given(0.0, missing_weight="auto", regularization=-1.0, n_components=5, n_iter="auto")
    Traceback (most recent call last):
    tacit.errors.InputError: regularization=-1.0: give a number from 0; 20 suits tf-idf weights
    """
    known: dict[str, Any] = {name: PAPER[name] if is_auto(value) else value for name, value in given.items()}
    check_parameters(**known, tol=tol, text_regularization=text_regularization)


def resolved(given: Mapping[str, Any], found: Statistics, strongest: float) -> dict[str, Any]:
    """The settings as given, those that are ``auto`` by the data.

    ``strongest`` is the largest singular value: no regularization that wipes every vector out is chosen, and
    one that is given is refused.
    """
    own = settings_for(found)
    own["regularization"] = min(own["regularization"], MOST_OF_STRONGEST * strongest)
    settings = {
        name: own[name] if isinstance(value, str) and value == AUTO else value
        for name, value in given.items()
    }
    check_strength(strongest, found.n_texts, settings["regularization"])
    return settings
