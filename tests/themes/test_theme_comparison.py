"""Themes by a column and over time: intervals against statsmodels' formula, shares, trends."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tacit.errors import InputError
from tacit.themes.comparison import MAX_GROUPS, REST, compare_themes, wilson_interval

NAMES = ["parcel", "card", "Other"]


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_interval_is_that_of_scipy(n, share):
    k = round(share * n)
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson_interval(k, n) == pytest.approx((expected.low, expected.high), abs=1e-4)


@pytest.mark.parametrize("n", range(1, 60))
def test_wilson_interval_holds_the_share(n):
    for k in range(n + 1):
        low, high = wilson_interval(k, n)
        assert 0 <= low <= k / n <= high <= 1


def test_shares_of_each_group_sum_to_one():
    values = ["de", "de", "fr", "", None, "fr"]
    comparison = compare_themes("country", values, ["parcel", "card", "card", "card", "card", "Other"], NAMES)
    assert comparison.groups == {"de": 2, "fr": 2}
    for group in comparison.groups:
        assert sum(share.share for share in comparison.shares if share.group == group) == pytest.approx(1)
    assert {(s.group, s.theme): s.n_texts for s in comparison.shares}["fr", "Other"] == 1


def test_frequent_theme_of_a_group_is_over_represented():
    values, themes = ["a"] * 100 + ["b"] * 100, ["parcel"] * 80 + ["card"] * 120
    comparison = compare_themes("x", values, themes, NAMES)
    marks = {(share.group, share.theme): share.representation for share in comparison.shares}
    assert marks["a", "parcel"] == "over"
    assert marks["b", "parcel"] == "under"
    assert marks["a", "Other"] == ""


def test_equal_shares_are_not_marked():
    comparison = compare_themes("x", ["a", "b"] * 50, ["parcel"] * 50 + ["card"] * 50, NAMES)
    assert not any(share.representation for share in comparison.shares)


def test_numbers_are_sorted_by_value_and_words_by_size():
    assert list(compare_themes("n", ["10", "9", "10"], ["card"] * 3, NAMES).groups) == ["9", "10"]
    assert list(compare_themes("n", ["a", "b", "b"], ["card"] * 3, NAMES).groups) == ["b", "a"]


def test_rare_values_are_one_group():
    values = [f"v{i}" for i in range(MAX_GROUPS + 5)] + ["v0"]
    groups = compare_themes("n", values, ["card"] * len(values), NAMES).groups
    assert len(groups) == MAX_GROUPS + 1
    assert list(groups)[-1] == REST
    assert groups[REST] == 5


@pytest.mark.parametrize(
    ("n_days", "period"), [(10, "day"), (200, "week"), (900, "month"), (3000, "quarter"), (9000, "year")]
)
def test_period_depends_on_the_time_span(n_days, period):
    days = [str(date(2001, 1, 1) + timedelta(days=i)) for i in range(0, n_days, max(n_days // 50, 1))]
    comparison = compare_themes("day", days, ["card"] * len(days), NAMES)
    assert comparison.period == period
    assert list(comparison.groups) == sorted(comparison.groups)
    assert sum(comparison.groups.values()) == len(days)


def test_new_and_vanishing_themes_are_found():
    days = [str(date(2024, 1, 1) + timedelta(days=i)) for i in range(100)]
    themes = ["parcel" if i < 40 else "card" if i > 60 else "Other" for i in range(100)]
    assert compare_themes("day", days, themes, NAMES).trends == {"parcel": "vanishing", "card": "new"}


def test_empty_column_is_reported():
    with pytest.raises(InputError, match="'x' is empty"):
        compare_themes("x", [None, " "], ["card", "card"], NAMES)
