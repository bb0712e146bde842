"""What a kernel assumes is checked, and refused in one line that names the array and the remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.errors import ModelError
from tacit.storage import Stored, array_checks
from tacit.storage.array_checks import check_array, check_finite, check_indices, check_starts, check_within

INTEGERS = hnp.arrays(np.int64, st.integers(0, 12), elements=st.integers(-3, 12))


@pytest.fixture(autouse=True, params=[2, 2**20])
def block(request, monkeypatch):
    """Arrays shorter and longer than a block."""
    monkeypatch.setattr(array_checks, "_BLOCK", request.param)


def refused(check, *args):
    said = None
    try:
        check("name", *args)
    except ModelError as refusal:
        said = str(refusal)
    assert said is None or re.fullmatch("array 'name' .*: copy the model again, or train it again", said)
    return said is not None


@given(INTEGERS, st.integers(0, 12), st.integers(0, 12))
def test_starts_cut_the_whole_into_runs(starts, count, end):
    sound = len(starts) == count + 1 and starts[0] == 0 and starts[-1] == end and sorted(starts) == [*starts]
    assert refused(check_starts, starts, count, end) == (not sound)


def test_starts_that_would_overflow_a_difference_are_found():
    assert refused(check_starts, np.array([0, 2**62, -(2**62), 5]), 3, 5)


@pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.float64])
def test_starts_have_one_type(dtype):
    assert refused(check_starts, np.array([0, 2], dtype), 1, 2)
    assert not refused(check_starts, np.array([0, 2], np.int64), 1, 2)


@given(INTEGERS, st.integers(0, 12))
def test_indices_point_at_what_is_there(indices, count):
    assert refused(check_indices, indices, count) == any(not 0 <= i < count for i in indices)


def test_indices_are_whole_numbers():
    assert refused(check_indices, np.array([0.0]), 3)
    assert refused(check_indices, np.array([2**63], np.uint64), 2**62)
    assert not refused(check_indices, np.zeros(0, np.int32), 0)


@given(hnp.arrays(np.float32, hnp.array_shapes(min_side=0, max_dims=2), elements=st.floats(-2, 2, width=32)))
def test_a_range_holds_both_its_ends(values):
    assert refused(check_within, values, -1, 1) == bool((np.abs(values) > 1).any())


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 4])
def test_nan_and_infinity_are_found_wherever_they_are(bad, place):
    values = np.ones(5)
    assert not refused(check_finite, values)
    values[place] = bad
    assert refused(check_finite, values)
    assert refused(check_within, values, -10, 10)


@pytest.mark.parametrize(
    ("dtype", "shape", "sound"),
    [
        (np.float32, (3, 2), True),
        (np.float32, (None, 2), True),
        (np.float32, (None, None), True),
        ("<f4", (3, 2), True),
        (np.float64, (3, 2), False),
        (np.int32, (3, 2), False),
        (">f4", (3, 2), False),
        (np.float32, (2, 3), False),
        (np.float32, (6,), False),
        (np.float32, (None,), False),
        (np.float32, (3, 2, None), False),
        (np.float32, (), False),
    ],
)
def test_type_and_shape_are_exact(dtype, shape, sound):
    array = np.zeros((3, 2), np.float32)
    assert refused(check_array, array, dtype, shape) == (not sound)
    stored = Stored("M", arrays={"name": array})
    if sound:
        assert stored.array("name", dtype, shape) is array


def test_a_missing_array_is_named():
    with pytest.raises(ModelError, match="array 'P' is missing: copy the model again"):
        Stored("M").array("P", np.float32, (None,))
