"""A fingerprint depends on type, length and content only."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.storage import fingerprint

PARTS = st.lists(st.binary(max_size=4) | st.text(max_size=4), max_size=4)


@given(PARTS, PARTS)
def test_only_equal_sequences_share_a_fingerprint(one, other):
    assert (fingerprint(one) == fingerprint(other)) == (one == other)


def test_fingerprint_hashes_type_length_and_content():
    assert fingerprint(["né", b"\0"]) == sha256("s3:né".encode() + b"b1:\0").hexdigest()
    assert fingerprint([]) == sha256().hexdigest()


def test_fingerprint_of_a_generator_equals_that_of_a_list():
    assert fingerprint(text for text in ["a", "b"]) == fingerprint(["a", "b"])


def test_an_array_counts_by_value_dtype_and_shape():
    grid = np.arange(6.0).reshape(2, 3)
    wanted = fingerprint([grid])
    assert wanted == fingerprint([np.asfortranarray(grid)]) == fingerprint([grid.astype(">f8")])
    assert wanted == fingerprint([np.repeat(grid, 2, axis=1)[:, ::2]])
    others = [
        grid.reshape(3, 2),
        grid.astype(np.float32),
        grid + 1,
        grid.tobytes(),
        np.zeros((0, 3)),
        np.float64(1),
    ]
    prints = {fingerprint([np.asarray(o) if not isinstance(o, bytes) else o]) for o in others}
    assert len(prints) == len(others)
    assert wanted not in prints


@pytest.mark.parametrize("part", [3, None, ["a"], np.array([object()])])
def test_fingerprint_of_other_types_raises_input_error(part):
    with pytest.raises(InputError, match="fingerprint"):
        fingerprint([part])
