"""Vectors to a file: the right ones, a row a line, and never half a file."""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np
import pyarrow.parquet
import pytest
from safetensors.numpy import load_file

import tacit as library
from helpers.cli_runs import command, full_disk, one_line_error, tacit, tree
from tacit.models import vector_files

TEXTS = ["my kitten sleeps", "", "the bank lends money", "xyzzy", "   ", "rain and snow"]
SUFFIXES = [".npy", ".parquet", ".safetensors"]


def read(path):
    if path.suffix == ".npy":
        return np.load(path)
    if path.suffix == ".safetensors":
        return load_file(path)["vectors"]
    column = pyarrow.parquet.read_table(path).column("vector").combine_chunks()
    return column.flatten().to_numpy().reshape(-1, column.type.list_size)


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_row_gets_the_vector_the_library_gives_it(model, texts, tmp_path, suffix):
    out = tmp_path / f"v{suffix}"
    result = tacit("embed", model, texts, "-o", out)
    expected = library.load(model).encode(TEXTS)
    assert (result.code, result.out) == (0, f"{out}: 6 vectors of 8 dimensions\n")
    assert result.err == "tacit: 3 of 6 rows have no known word: their vectors are zero\n"
    np.testing.assert_array_equal(read(out), expected)
    assert read(out).dtype == np.float32
    assert np.flatnonzero(~read(out).any(axis=1)).tolist() == [1, 3, 4]
    assert sorted(tree(tmp_path)) == ["texts.txt", out.name]


def test_the_process_does_the_same_from_standard_input(model, texts, tmp_path):
    result = command("embed", model, "-", "-o", tmp_path / "v.npy", "--json", stdin=texts.read_bytes())
    assert result.json == {
        "file": str(tmp_path / "v.npy"), "rows": 6, "components": 8, "without_known_word": 3,
    }  # fmt: skip
    assert result.err == ""
    np.testing.assert_array_equal(np.load(tmp_path / "v.npy"), library.load(model).encode(TEXTS))


def test_a_column_of_a_table_keeps_its_blank_rows(model, tmp_path):
    table = tmp_path / "t.tsv.gz"
    table.write_bytes(gzip.compress("\n".join(["n\tsaid", *(f"7\t{text}" for text in TEXTS)]).encode()))
    assert tacit("embed", model, table, "--column", "said", "-o", tmp_path / "v.npy").code == 0
    np.testing.assert_array_equal(np.load(tmp_path / "v.npy"), library.load(model).encode(TEXTS))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_rows_are_no_vectors(model, tmp_path, suffix):
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    out = tmp_path / f"v{suffix}"
    result = tacit("embed", model, tmp_path / "none.txt", "-o", out)
    assert result.out == f"{out}: 0 vectors of 8 dimensions\n"
    assert len(read(out)) == 0


def test_more_rows_than_a_batch(model, tmp_path, sentences, monkeypatch):
    monkeypatch.setattr(vector_files, "ENCODE_BATCH", 7)
    (tmp_path / "t.txt").write_text("\n".join(sentences), encoding="utf-8")
    assert tacit("embed", model, tmp_path / "t.txt", "-o", tmp_path / "v.npy").code == 0
    np.testing.assert_array_equal(np.load(tmp_path / "v.npy"), library.load(model).encode(sentences))


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("v.csv", "must end in .npy, .parquet, .safetensors"),
        ("", "must end in .npy, .parquet, .safetensors"),
        ("missing/v.npy", "there is no folder"),
        ("folder.npy", "is a folder; name a file"),
        ("texts.txt/v.npy", "there is no folder"),
        ("v" * 300 + ".npy", "File name too long"),
    ],
)
def test_unwritable_target_is_reported_before_work_starts(model, texts, tmp_path, out, message):
    (tmp_path / "folder.npy").mkdir()
    before = tree(tmp_path)
    target = f"{tmp_path}/{out}" if out else ""
    assert message in one_line_error(tacit("embed", tmp_path / "no-such-model", texts, "-o", target))
    assert tree(tmp_path) == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failed_write_leaves_the_earlier_file(model, texts, tmp_path, suffix):
    out = tmp_path / f"v{suffix}"
    assert tacit("embed", model, texts, "-o", out).code == 0
    before = tree(tmp_path)
    with full_disk(100):
        result = tacit("embed", model, texts, "-o", out)
    assert "cannot be written: File too large" in one_line_error(result)
    assert tree(tmp_path) == before


def test_the_new_file_takes_the_place_of_the_old_one_at_once(model, texts, tmp_path):
    out = tmp_path / "v.npy"
    out.write_bytes(b"earlier")
    with out.open("rb") as reader:
        assert tacit("embed", model, texts, "-o", out).code == 0
        assert reader.read() == b"earlier"  # never written into
    assert len(np.load(out)) == len(TEXTS)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_name_that_is_not_unicode(model, texts, tmp_path, suffix):
    out = tmp_path / f"\udcff{suffix}"
    assert tacit("embed", model, texts, "-o", out).code == 0
    np.testing.assert_array_equal(read_odd(out, tmp_path), library.load(model).encode(TEXTS))


def read_odd(path, folder):
    return read(path.rename(folder / f"plain{path.suffix}"))


def test_parquet_without_its_extra_says_which_before_work_starts(texts, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    error = one_line_error(tacit("embed", tmp_path / "no-such-model", texts, "-o", tmp_path / "v.parquet"))
    assert "pip install 'tacit[frames]'" in error


def test_a_broken_input_leaves_the_earlier_file(model, texts, tmp_path):
    out = tmp_path / "v.npy"
    assert tacit("embed", model, texts, "-o", out).code == 0
    texts.write_bytes(b"a cat\n" * 50 + b"caf\xe9\n")
    before = tree(tmp_path)
    assert "line 51, byte 4" in one_line_error(tacit("embed", model, texts, "-o", out))
    assert tree(tmp_path) == before


@pytest.mark.parametrize("kind", ["npy", "parquet"])
def test_a_folder_has_a_shard_for_every_part_of_the_input(model, tmp_path, sentences, kind, monkeypatch):
    monkeypatch.setattr("tacit.workflows.embedding.PARTITION_BYTES", 1 << 24)
    for number, part in enumerate((sentences[:30], sentences[30:])):
        (tmp_path / f"in{number}.txt").write_text("\n".join(part), encoding="utf-8")
    out = tmp_path / "vectors"
    args = ("embed", model, tmp_path / "in*.txt", "-o", f"{out}/", "--format", kind)
    result = tacit(*args, "--json").json
    assert result["rows"] == len(sentences)
    assert json.loads((out / "vectors.json").read_text(encoding="ascii")) == result
    vectors = np.concatenate([read(out / shard["file"]) for shard in result["shards"]])
    np.testing.assert_array_equal(vectors, library.load(model).encode(sentences))
    before = tree(out)
    assert "is not empty: name a new folder" in one_line_error(tacit(*args))
    assert tree(out) == before


def test_ids_stand_beside_their_vectors_in_parquet_alone(model, tmp_path):
    table = tmp_path / "t.jsonl"
    rows = (json.dumps({"key": n, "said": text}) for n, text in enumerate(TEXTS) if text.strip())
    table.write_text("\n".join(rows), encoding="utf-8")
    args = ("embed", model, table, "--column", "said", "--id-column", "key", "-o")
    assert tacit(*args, tmp_path / "v.parquet").code == 0
    stored = pyarrow.parquet.read_table(tmp_path / "v.parquet")
    assert stored.column("id").to_pylist() == ["0", "2", "3", "5"]
    assert stored.column_names == ["id", "vector"]
    assert "write .parquet" in one_line_error(tacit(*args, tmp_path / "v.npy"))
