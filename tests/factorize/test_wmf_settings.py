"""Suggested settings change smoothly with size and stay in range; requested settings are checked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import WTMF
from tacit.checks import AUTO
from tacit.errors import InputError
from tacit.factorize.wmf_settings import (
    PAPER_SETTINGS,
    MatrixStatistics,
    check_requested_settings,
    resolve_settings,
    suggest_settings,
)

ALL_AUTO = dict.fromkeys(PAPER_SETTINGS, AUTO)


def collection(n_texts: int, words_a_text: float = 10.0, length: float = 20.0) -> MatrixStatistics:
    """Return statistics of a collection whose number of words follows Heaps' law."""
    n_words = max(1, int(30 * n_texts**0.6))
    return MatrixStatistics(n_texts, n_words, int(words_a_text * n_texts), length * n_texts**0.5)


def test_paper_settings_are_the_published_values():
    """Guo & Diab (2012): K = 100, w_m = 0.01, lambda = 20 and 20 sweeps."""
    published = {"n_components": 100, "missing_weight": 0.01, "regularization": 20.0, "n_iter": 20}
    assert published == PAPER_SETTINGS
    assert WTMF.paper().get_params().items() >= published.items()


@given(
    n_texts=st.integers(1, 10**7),
    n_words=st.integers(1, 10**6),
    words_a_text=st.floats(1, 500),
    length=st.floats(1e-3, 1e3),
)
def test_every_collection_has_settings_in_range(n_texts, n_words, words_a_text, length):
    statistics = MatrixStatistics(n_texts, n_words, int(words_a_text * n_texts), length * n_texts**0.5)
    settings = suggest_settings(statistics)
    check_requested_settings(0.0, **settings)
    assert 0 < settings["missing_weight"] <= 1
    assert 0 < settings["regularization"] <= 1.6 * length * (1 + 1e-9)
    assert settings["n_components"] <= max(1, n_texts // 2)


def test_settings_change_smoothly_with_the_number_of_texts():
    sizes = np.unique(np.geomspace(20, 10**7, 400).astype(int))
    suggested = [suggest_settings(collection(int(n))) for n in sizes]
    for name, max_step in (("missing_weight", 1.25), ("regularization", 1.08), ("n_components", 1.25)):
        values = np.array([settings[name] for settings in suggested], float)
        steps = np.maximum(values[1:] / values[:-1], values[:-1] / values[1:])
        assert steps.max() < max_step, name


def test_missing_weight_falls_with_the_number_of_texts():
    weights = [suggest_settings(collection(n))["missing_weight"] for n in (100, 1000, 10_000, 100_000)]
    assert weights == sorted(weights, reverse=True)


def test_regularization_stays_below_largest_singular_value():
    statistics = collection(10_000)
    settings = resolve_settings(ALL_AUTO, statistics, largest_singular_value=5.0)
    assert settings["regularization"] < 5.0
    with pytest.raises(
        InputError, match=r"regularization=9 is too strong for a collection of 10,000 texts.*'auto'"
    ):
        resolve_settings(ALL_AUTO | {"regularization": 9.0}, statistics, largest_singular_value=5.0)
    assert resolve_settings(ALL_AUTO | {"n_iter": 3}, statistics, 99.0)["n_iter"] == 3


@pytest.mark.parametrize(("name", "value"), [("missing_weight", 2), ("n_iter", "many"), ("n_components", 0)])
def test_invalid_settings_raise_input_error(name, value):
    with pytest.raises(InputError, match=name):
        check_requested_settings(0.0, **(ALL_AUTO | {name: value}))
