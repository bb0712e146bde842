"""Metrics equal scipy, numpy and worked examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from threadpoolctl import threadpool_limits

from tacit import InputError
from tacit.evaluation.metrics import (
    accuracy,
    averages,
    best_threshold,
    bootstrap_pearson,
    f1,
    fit_to_gold,
    pearson,
    spearman,
)

few_values = st.integers(0, 6)  # few, so that there are ties
pairs = st.lists(st.tuples(few_values, few_values), min_size=3, max_size=30)


@given(pairs)
def test_correlations_equal_scipy(drawn):
    x, y = (np.array(side, float) for side in zip(*drawn, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert pearson(x, y) == spearman(x, y) == 0
    else:
        assert pearson(x, y) == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)
        assert spearman(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e-300, 1e300, -7.3])
def test_constant_scores_have_correlation_0(value):
    scores, gold = [value] * 7, [1, 2, 3, 4, 5, 6, 7]
    assert pearson(scores, gold) == spearman(scores, gold) == pearson(gold, scores) == 0
    assert averages([(scores, gold)])["all_normalized"] == 0


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_correlation_ignores_scale(scale):
    x, y = np.array([1.0, 5.0, 2.0, 8.0]), [0.3, 0.1, 0.7, 0.9]
    assert pearson(x * scale, y) == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_adjacent_floats_give_no_nan():
    assert math.isfinite(pearson([0.1, np.nextafter(0.1, 1), 0.1], [1, 2, 3]))


# Two sets. In the first the scores are the gold (r = 1), in the second they run against it (r = -1).
FIRST = ([0, 2], [0, 2])
SECOND = ([1, 2, 3], [7, 6, 5])


def test_all_is_correlation_over_all_pairs():
    # x = 0 2 1 2 3 (mean 1.6), y = 0 2 7 6 5 (mean 4)
    x = [-1.6, 0.4, -0.6, 0.4, 1.4]
    y = [-4, -2, 3, 2, 1]
    by_hand = (6.4 - 0.8 - 1.8 + 0.8 + 1.4) / math.sqrt(
        (2.56 + 0.16 + 0.36 + 0.16 + 1.96) * (16 + 4 + 9 + 4 + 1)
    )
    assert sum(x) == pytest.approx(0)
    assert sum(y) == 0
    assert averages([FIRST, SECOND])["all"] == pytest.approx(by_hand)


def test_all_normalized_fits_each_set_to_its_gold():
    # a line through either set is exact, and in the second it turns the scores round
    assert fit_to_gold(*SECOND) == pytest.approx([7, 6, 5])
    assert averages([FIRST, SECOND])["all_normalized"] == pytest.approx(1)


def test_all_normalized_of_constant_set():
    # x' = b1 x + b2, b1 = cov / var, b2 = mean(y) - b1 mean(x); x is centred at 1.5 and y at 2
    x, y = np.array([0.0, 1, 2, 3]), np.array([1.0, 2, 0, 5])
    b1 = ((x - 1.5) @ (y - 2)) / ((x - 1.5) @ (x - 1.5))
    assert b1 == pytest.approx((1.5 + 0 - 1 + 4.5) / 5)
    assert fit_to_gold(x, y) == pytest.approx(b1 * x + 2 - b1 * 1.5)
    joined = np.corrcoef(np.concatenate([b1 * x + 2 - b1 * 1.5, [0, 2]]), np.concatenate([y, [0, 2]]))[0, 1]
    assert averages([(x, y), FIRST])["all_normalized"] == pytest.approx(joined)


def test_means_equal_numpy():
    means = averages([FIRST, SECOND])
    assert means["mean"] == pytest.approx(0)
    assert means["weighted_mean"] == pytest.approx((2 * 1 + 3 * -1) / 5)


def test_averages_of_spearman():
    curved = ([1, 2, 3], [1, 10, 11])
    assert averages([curved], spearman)["mean"] == pytest.approx(1)
    assert averages([curved], pearson)["mean"] < 0.95


def test_intervals_are_quantiles_of_resampled_r():
    rng = np.random.default_rng(5)
    gold = rng.random(40)
    sets = [(gold + rng.random(40), gold), (np.full(9, 0.1), np.arange(9.0))]
    correlations, mean = bootstrap_pearson(sets, n_samples=50, level=0.8, seed=3)
    draws = np.random.default_rng(3)
    samples = [[pearson(x[p], y[p]) for p in draws.integers(len(x), size=(50, len(x)))] for x, y in sets]
    assert correlations == [pytest.approx(np.quantile(indices, [0.1, 0.9])) for indices in samples]
    assert mean == pytest.approx(np.quantile(np.mean(samples, axis=0), [0.1, 0.9]))
    assert correlations[1] == (0, 0)


def test_no_sample_has_constant_gold():
    assert bootstrap_pearson([([0, 1], [0, 1])], n_samples=200)[0] == [pytest.approx((1, 1))]


def test_accuracy_and_f1_of_labels():
    gold, predicted = [1, 1, 1, 0, 0], [1, 0, 0, 1, 0]
    assert accuracy(predicted, gold) == 2 / 5
    assert f1(predicted, gold) == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert f1([0, 0], [0, 0]) == 0


@given(st.lists(st.tuples(few_values, st.integers(0, 1)), min_size=1, max_size=20))
def test_no_threshold_has_higher_accuracy(drawn):
    scores, labels = (np.array(side) for side in zip(*drawn, strict=True))
    threshold = best_threshold(scores, labels)
    best = max(np.mean((scores >= cut) == labels) for cut in np.arange(-1, 9) - 0.5)
    assert np.mean((scores >= threshold) == labels) == best


def test_threshold_is_midway_between_scores():
    assert best_threshold([1, 2, 4, 8], [0, 0, 1, 1]) == 3
    assert best_threshold([1, 2], [1, 1]) < 1
    assert best_threshold([1, 2], [0, 0]) > 2


def test_threshold_separates_adjacent_floats():
    low = 0.1
    scores, labels = np.array([low, np.nextafter(low, 1)]), np.array([0, 1])
    assert ((scores >= best_threshold(scores, labels)) == labels).all()


@pytest.mark.parametrize(
    ("scores", "gold", "message"),
    [
        ([1, 2], [1], r"shape \(2,\), gold of shape \(1,\)"),
        ([], [], "no scores"),
        ([1, math.nan], [1, 2], "score 2 of 2 is nan"),
        ([1, 2], [math.inf, 2], "gold score 1 of 2 is inf"),
    ],
)
def test_invalid_scores_raise(scores, gold, message):
    for measure in (pearson, spearman, accuracy, f1, best_threshold, fit_to_gold):
        with pytest.raises(InputError, match=message):
            measure(scores, gold)


@pytest.mark.parametrize("n", [10_000, 20_001])
def test_averages_have_the_same_bits_on_any_blas_threads(n):
    rng = np.random.default_rng(n)
    sets = [(rng.normal(size=n), rng.normal(size=n)) for _ in range(2)]
    results = []
    for n_threads in (1, 2):
        with threadpool_limits(limits=n_threads, user_api="blas"):
            results.append(averages(sets))
    assert results[0] == results[1]
