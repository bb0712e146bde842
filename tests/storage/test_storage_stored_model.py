"""Arrays of a folder are checked when they are read; an error names the array and the remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.errors import InputError, ModelError
from tacit.storage import stored_model
from tacit.storage.stored_model import ArrayReader, restoring
from tacit.text.tokenizers import MissingTokenizerError

INTEGERS = hnp.arrays(np.int64, st.integers(0, 12), elements=st.integers(-3, 12))


@pytest.fixture(autouse=True, params=[2, 2**20])
def block(request, monkeypatch):
    """Arrays shorter and longer than a block."""
    monkeypatch.setattr(stored_model, "_BLOCK_VALUES", request.param)


def is_refused(check, array, *args):
    """Return whether a method of the reader raises ModelError; else it must return the array."""
    reader = ArrayReader({"en.name": array}, prefix="en.")
    message = None
    try:
        assert getattr(reader, check)("name", *args) is array
    except ModelError as error:
        message = str(error)
    assert message is None or re.fullmatch(
        "array 'en.name' .*: copy the model again, or train it again", message
    )
    return message is not None


@given(INTEGERS, st.integers(0, 12), st.integers(0, 12))
def test_offsets_split_a_range(starts, count, end):
    sound = len(starts) > 0 and starts[0] == 0 and starts[-1] == end and sorted(starts) == [*starts]
    assert is_refused("offsets", starts, None, end) == (not sound)
    assert is_refused("offsets", starts, count, end) == (not sound or len(starts) != count + 1)


def test_offsets_whose_difference_overflows_raise_model_error():
    assert is_refused("offsets", np.array([0, 2**62, -(2**62), 5]), 3, 5)


@pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.float64])
def test_offsets_must_be_int64(dtype):
    assert is_refused("offsets", np.array([0, 2], dtype), 1, 2)
    assert not is_refused("offsets", np.array([0, 2], np.int64), 1, 2)


@given(INTEGERS, st.integers(0, 12))
def test_indices_must_be_in_range(indices, count):
    assert is_refused("indices", indices, np.int64, (None,), count) == any(
        not 0 <= i < count for i in indices
    )


def test_indices_must_be_integers():
    assert is_refused("indices", np.array([0.0]), np.int64, (None,), 3)
    assert is_refused("indices", np.array([2**63], np.uint64), np.uint64, (None,), 2**62)
    assert not is_refused("indices", np.zeros(0, np.int32), np.int32, (None,), 0)


@given(hnp.arrays(np.float32, hnp.array_shapes(min_side=0, max_dims=2), elements=st.floats(-2, 2, width=32)))
def test_range_includes_both_bounds(values):
    assert is_refused("in_range", values, np.float32, values.shape, -1, 1) == bool((np.abs(values) > 1).any())


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 4])
def test_nan_and_infinity_are_found_at_any_position(bad, place):
    values = np.ones(5)
    assert not is_refused("floats", values, np.float64, (5,))
    values[place] = bad
    assert is_refused("floats", values, np.float64, (5,))
    assert is_refused("in_range", values, np.float64, (5,), -10, 10)


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
    assert is_refused("array", array, dtype, shape) == (not sound)


def test_missing_array_is_named():
    with pytest.raises(ModelError, match=r"array 'en\.P' is missing: copy the model again"):
        ArrayReader({"P": np.zeros(1)}, prefix="en.").array("P", np.float64, (None,))


def test_names_are_those_with_the_prefix():
    arrays = dict.fromkeys(["en.q.blend", "en.P", "enq.x", "es.q.blend"], np.zeros(1))
    assert ArrayReader(arrays, prefix="en.").names("q.") == ["q.blend"]


@pytest.mark.parametrize("error", [KeyError, IndexError, TypeError, ValueError, OverflowError, InputError])
def test_restoring_turns_errors_into_model_errors(error):
    message = r"do not fit together \(.*seed.*\): build it again"
    with pytest.raises(ModelError, match=message), restoring("build it again"):
        raise error("seed")


@pytest.mark.parametrize("error", [MissingTokenizerError, ModelError, MemoryError])
def test_restoring_lets_other_errors_pass(error):
    with pytest.raises(error, match=r"^seed$"), restoring():
        raise error("seed")
