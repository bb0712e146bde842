"""Settings by the data: what suits a matrix of short texts, from its size, its density and its rows' length.

    missing_weight  w_m    = max(.001, d^2 / (d^2 + .005^2)),                    d = nnz / (N M)
    regularization  lambda = min(.57 max(1, N / 300)^(1/6) (1 + sqrt(N / M)), 1.6) r,    r = |X|_F / sqrt(N)

for N texts of M words with nnz non-zeros; r is the length of a typical row. In a small collection a word that
a text lacks counts in full; the more words there are, the less one of them says by its absence. r (1 + sqrt(N
/ M)) is where the spectrum of noise of the same energy ends; what costs more than that is learnt from several
texts. A vector has at most half as many components as there are texts: with as many, each text would have one
of its own, and nothing would be learnt of what they share.

The constants were chosen by the class of the nearest text on eleven sets of 100 to 10,000 texts (search
snippets, questions, news and its titles, glosses by field and by part of speech, abstracts, textbooks, two
languages), and by STS 2012 for 180,000.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from tacit.factorize.parameters import check_parameters, check_strength

AUTO = "auto"

HALF_DENSE = 0.005
LEAST_MISSING = 0.001
EDGE_SHARE = 0.57
REFERENCE = 300
MOST_LENGTHS = 1.6
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
    {'missing_weight': 0.5, 'regularization': 7.91, 'n_components': 100, 'n_iter': 15}
    >>> settings_for(large)["missing_weight"]
    0.001
    """
    n, m = max(found.n_texts, 1), max(found.n_words, 1)
    density = found.n_nonzero / (n * m)
    length = found.norm / sqrt(n)
    edge = EDGE_SHARE * max(1.0, n / REFERENCE) ** (1 / 6) * (1 + sqrt(n / m))
    return {
        "missing_weight": max(LEAST_MISSING, density**2 / (density**2 + HALF_DENSE**2)),
        "regularization": length * min(edge, MOST_LENGTHS),
        "n_components": max(1, min(COMPONENTS, n // 2, m)),
        "n_iter": SWEEPS,
    }


def check_given(tol: float, text_regularization: float | None = None, **given: Any) -> None:
    """Raise an error for a value out of range; ``auto`` is always in it.

    >>> check_given(0.0, missing_weight="auto", regularization=-1.0, n_components=5, n_iter="auto")
    Traceback (most recent call last):
    tacit.errors.InputError: regularization=-1.0: expected a number of at least 0; 20 suits tf-idf weights
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
