"""A model that was written is read back bit for bit."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load_file

from helpers.storage_models import content, same, saved, small, strays
from tacit import __version__
from tacit.errors import InputError
from tacit.storage import FORMAT, StoredModel, read_config, read_model, write_model

ARRAYS = st.sampled_from([np.float32, np.float64, np.int64, np.uint8, np.float16]).flatmap(
    lambda dtype: hnp.arrays(
        dtype,
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
        elements=None if np.issubdtype(dtype, np.integer) else {"allow_nan": False, "allow_infinity": False},
    )
)
NAMES = st.text("abcXYZ019_.-", min_size=1, max_size=6).filter(lambda name: name[0] not in "_.-")
FIELD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"),
    max_size=5,
)
TABLES = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[FIELD] * n), max_size=5))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.dictionaries(NAMES, ARRAYS, max_size=4), TABLES, st.dictionaries(st.text(), VALUES, max_size=3))
def test_round_trip_is_bit_identical(arrays, vocabulary, values):
    stored = StoredModel("WTMF", values, {"deep": values}, arrays, vocabulary)
    with TemporaryDirectory() as folder:
        write_model(folder, stored, card="")
        assert same(read_model(folder), stored)


def test_array_files_do_not_depend_on_the_memory_layout(tmp_path):
    grid = np.arange(24, dtype=np.float64).reshape(4, 6)
    arrays = {"turned": grid.T, "strided": grid[::2, 1::3], "big": grid.astype(">f8"), "one": grid[1, 2]}
    write_model(tmp_path, StoredModel("WTMF", arrays={k: np.asarray(v) for k, v in arrays.items()}), card="")
    read = read_model(tmp_path).arrays
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array, strict=name != "big")


def test_safetensors_reads_the_same_arrays(tmp_path):
    stored = small()
    write_model(tmp_path, stored, card="")
    peer = load_file(content(tmp_path, "arrays"))
    assert same(StoredModel("", {}, {}, peer, []), StoredModel("", {}, {}, stored.arrays, []))


def test_arrays_are_mapped_and_read_only(tmp_path):
    array = read_model(saved(tmp_path)).arrays["P"]
    assert not array.flags.owndata
    assert array.flags.aligned
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


def test_contents_of_the_files(tmp_path):
    folder = saved(tmp_path / "deep" / "er" / "model")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    arrays, words = config["files"]["arrays"], config["files"]["vocabulary"]
    assert sorted(os.listdir(folder)) == [".lock", "README.md", "config.json", arrays["name"], words["name"]]
    assert config["format"] == FORMAT == 3
    assert (config["class"], config["tacit"]) == ("WTMF", __version__)
    assert config["tensors"]["P"] == {"dtype": "float32", "shape": [3, 2]}
    assert config["vocabulary"] == {"rows": 3, "fields": 2}
    raw = (folder / words["name"]).read_bytes()
    assert raw == b"first0\t0\nfirst1\t1\nfirst2\t2\n"
    digest = sha256(raw).hexdigest()
    assert words == {"name": f"vocabulary-{digest[:16]}.txt", "size": 27, "sha256": digest}
    assert arrays["name"] == f"model-{arrays['sha256'][:16]}.safetensors"
    assert (folder / "README.md").read_text(encoding="utf-8") == "# first\n"
    assert read_config(folder) == config


def test_the_same_model_gives_the_same_bytes(tmp_path):
    one, other = saved(tmp_path / "one"), saved(tmp_path / "other")
    for name in os.listdir(one):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_numpy_values_and_tuples_become_json_values(tmp_path):
    training = {"loss": (np.float32(0.5), np.float64(0.1)), "n": np.int64(3), "all": np.ones(2)}
    write_model(tmp_path, StoredModel("WTMF", training=training), card="")
    assert read_model(tmp_path).training == {"loss": [0.5, 0.1], "n": 3, "all": [1.0, 1.0]}


def test_a_model_can_be_saved_over_the_file_it_is_mapped_from(tmp_path):
    folder = saved(tmp_path / "model")
    loaded = read_model(folder)
    write_model(folder, loaded, card="")
    assert same(read_model(folder), small())
    assert same(loaded, small())
    assert strays(folder) == []


def test_files_have_the_usual_permissions(tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "file").touch()
    folder = saved(tmp_path / "model")
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE((plain / "file").stat().st_mode)


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (StoredModel("M", arrays={"P": np.array([1.0, np.nan])}), "'P' holds NaN or infinity"),
        (StoredModel("M", arrays={"P": np.array(["a"])}), "'P' is <U1"),
        (StoredModel("M", arrays={"P": np.array([True])}), "'P' is bool"),
        (StoredModel("M", arrays={"__metadata__": np.ones(1)}), "'__metadata__' cannot name an array"),
        (StoredModel("M", training={"loss": [1.0, float("inf")]}), r"training\.loss\[1\] is inf"),
        (StoredModel("M", parameters={"source": Path("x")}), r"parameters\.source is a \w+Path"),
        (StoredModel("M", parameters={"ids": {1: "x"}}), r"parameters\.ids has the key 1"),
        (StoredModel("M", vocabulary=[("a", "1"), ("b",)]), "row 2 has 1 fields instead of 2"),
        (StoredModel("M", vocabulary=[()]), "row 1 has 0 fields"),
        (StoredModel("M", vocabulary=[("ok",), ("\udc80",)]), r"row 2: '\\udc80' is not valid Unicode"),
        *[
            (StoredModel("M", vocabulary=[(f"a{c}b",)]), "row 1: .* would break the file")
            for c in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
        ],
    ],
)
def test_invalid_contents_raise_before_anything_is_written(tmp_path, stored, message):
    folder = tmp_path / "parent" / "model"
    with pytest.raises(InputError, match=message) as caught:
        write_model(folder, stored, card="")
    assert "\n" not in str(caught.value)
    assert not folder.parent.exists()


def test_import_of_storage_is_fast():
    code = "import sys, tacit.storage; print([m for m in ('scipy', 'sklearn', 'numba') if m in sys.modules])"
    source = Path(__file__).parents[2] / "src"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(source)}
    )
    assert run.stdout == "[]\n"
