"""The header of a safetensors file is checked before its arrays are map_content."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save

from tacit.errors import ModelError
from tacit.storage.content_formats import DTYPES, encode_arrays, map_arrays

WHERE = Path("model.safetensors")


def map_content(content: bytes):
    with TemporaryFile() as file:
        file.write(content)
        file.flush()
        return map_arrays(file, WHERE)


def pack_file(header: object, data: bytes) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(2,), offsets=(0, 8)) -> dict[str, object]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_unchanged_file_is_read():
    arrays = map_content(
        pack_file({"__metadata__": {"format": "np"}, "a": entry(), "b": entry(offsets=(8, 16))}, b"\0" * 16)
    )
    assert sorted(arrays) == ["a", "b"]
    assert arrays["b"].tolist() == [0.0, 0.0]


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]*", fullmatch=True),
        st.tuples(st.sampled_from([*DTYPES.values()]), hnp.array_shapes(min_dims=0, min_side=0, max_side=3)),
        max_size=6,
    )
)
def test_the_bytes_are_those_of_the_safetensors_package(described):
    arrays = {name: np.ones(shape, dtype) for name, (dtype, shape) in described.items()}
    assert b"".join(encode_arrays(arrays)) == save(arrays)


def test_unaligned_array_is_read():
    values = np.array([1.5, -2.0])
    arrays = map_content(
        pack_file(
            {"a": entry("U8", (1,), (0, 1)), "b": entry("F64", (2,), (1, 17))}, b"\7" + values.tobytes()
        )
    )
    assert arrays["b"].flags.aligned
    assert arrays["b"].tolist() == [1.5, -2.0]


@pytest.mark.parametrize(
    ("header", "size", "message"),
    [
        ([], 8, "header is not a JSON object"),
        ({"a": 3}, 8, "no valid dtype"),
        ({"a": entry(dtype="F8_E4M3")}, 8, "no valid dtype"),
        ({"a": entry(dtype="BOOL", shape=(8,))}, 8, "no valid dtype"),
        ({"a": entry(shape=(-2,))}, 8, "no valid dtype"),
        ({"a": entry(shape=(-2, -1))}, 8, "no valid dtype"),
        ({"a": entry(shape=(2.0,))}, 8, "no valid dtype"),
        ({"a": entry(shape=(True, 2))}, 8, "no valid dtype"),
        ({"a": entry(offsets=(0, 8, 8))}, 8, "no valid dtype"),
        ({"a": entry(offsets=(-8, 0))}, 8, "no valid dtype"),
        ({"a": entry(shape=(2**64 + 2,))}, 8, "no valid dtype"),
        ({"a": entry(shape=(3,))}, 8, "does not fit its bytes"),
        ({"a": entry(shape=(2**62, 4))}, 8, "does not fit its bytes"),
        ({"a": entry(offsets=(8, 0))}, 8, "does not fit its bytes"),
        ({"a": entry(shape=(4,), offsets=(0, 16))}, 8, "ends beyond the file"),
        ({"a": entry(shape=(2**61,), offsets=(0, 2**63 - 8))}, 8, "does not fit its bytes"),
        ({"a": entry(shape=(2**60,), offsets=(0, 2**62))}, 8, "ends beyond the file"),
        ({"a": entry(offsets=(8, 16))}, 16, "does not start where the previous one ends"),
        ({"a": entry(), "b": entry()}, 8, "does not start where the previous one ends"),
        ({"a": entry(), "b": entry(offsets=(4, 12))}, 12, "does not start where the previous one ends"),
        ({"a": entry()}, 9, "bytes after the last array"),
        ({"a": entry(shape=(0, 2**62, 2**62), offsets=(0, 0))}, 0, "is damaged: "),
        ({"a": entry(shape=(1,) * 100, dtype="U8", offsets=(0, 1))}, 1, "is damaged: "),
    ],
)
def test_a_forged_header_is_refused(header, size, message):
    with pytest.raises(ModelError, match=message):
        map_content(pack_file(header, b"\0" * size))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\1",
        b"\0" * 8,
        b"\xff" * 8 + b"{}",
        (9).to_bytes(8, "little") + b"{}",
        b"\2" + b"\0" * 7 + b"{]",
    ],
)
def test_a_file_without_a_header_is_refused(content):
    with pytest.raises(ModelError, match="damaged"):
        map_content(content)


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 8))
def test_patched_file_is_read_or_raises_model_error(patch, place, cut):
    content = bytearray(b"".join(encode_arrays({"P": np.eye(3), "n": np.arange(2)})))
    content[place : place + len(patch)] = patch
    try:
        arrays = map_content(bytes(content[: len(content) - cut]))
    except ModelError:
        return
    assert sum(array.nbytes for array in arrays.values()) <= len(content)
