"""The door of the room: files by their suffix, corpora by their name."""

from __future__ import annotations

import ast
import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacit.corpora
from tacit.corpora import NAMED, named_corpus, open_corpus
from tacit.errors import InputError

CONTENTS = {
    ".tsv": b"id\ttext\n1\ta, cat\n",
    ".csv": b'id,text\n1,"a, cat"\n',
    ".jsonl": b'{"id": 1, "text": "a, cat"}\n',
    ".ndjson": b'{"id": 1, "text": "a, cat"}\n',
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("suffix", CONTENTS)
def test_the_suffix_tells_the_kind(tmp_path, suffix, zipped):
    path = tmp_path / f"a.b{suffix.upper()}{'.gz' * zipped}"
    path.write_bytes(gzip.compress(CONTENTS[suffix]) if zipped else CONTENTS[suffix])
    assert list(open_corpus(path, "text")) == ["a, cat"]
    assert list(open_corpus(str(path), column="text")) == ["a, cat"]


def test_parquet_is_opened_by_its_suffix(tmp_path):
    pq.write_table(pa.table({"text": ["a cat"]}), tmp_path / "a.parquet")
    assert list(open_corpus(tmp_path / "a.parquet", "text")) == ["a cat"]


@pytest.mark.parametrize("name", ["notes.txt", "notes", "notes.txt.gz", "notes.parquet.gz", "tsv", ".tsv"])
def test_anything_else_is_lines_and_takes_no_column(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"a\tcat\na,dog\n")
    assert list(open_corpus(path)) == ["a\tcat", "a,dog"]
    with pytest.raises(InputError) as caught:
        open_corpus(path, column="text")
    assert f"{path} is read as lines and has no column 'text'" in str(caught.value)
    assert ".tsv, .csv, .jsonl, .ndjson, .parquet" in str(caught.value)


def test_standard_input_is_lines(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a cat\n")))
    assert list(open_corpus("-")) == ["a cat"]
    with pytest.raises(InputError, match="standard input is read as lines"):
        open_corpus("-", 1)


@pytest.mark.parametrize("suffix", CONTENTS)
def test_a_table_without_a_column_lists_its_columns(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(CONTENTS[suffix])
    with pytest.raises(InputError, match=r"column= or --column; it has 2: 'id', 'text'"):
        open_corpus(path)


@pytest.mark.parametrize("name", ["a.txt", "a.tsv", "a.csv", "a.jsonl", "a.parquet"])
def test_a_missing_file_is_reported_by_the_call(tmp_path, name):
    column = None if name == "a.txt" else "text"
    with pytest.raises(InputError, match=rf"no such file: .*{name}; check the path"):
        open_corpus(tmp_path / name, column)


def test_a_source_that_is_no_path_is_refused():
    with pytest.raises(InputError, match="not list"):
        open_corpus(["a.tsv"])  # type: ignore[arg-type]


def test_an_unknown_name_lists_the_names():
    with pytest.raises(InputError, match=f"no corpus is called 'wordnut'; named corpora: {', '.join(NAMED)}"):
        named_corpus("wordnut")


def test_the_door_opens_without_heavy_imports():
    heavy = "numpy", "pyarrow", "csv", "json", "gzip", "zipfile", "dataclasses", "logging"
    code = (
        "import sys, tacit; before = set(sys.modules)\n"
        "import tacit.corpora; print(sorted(set(sys.modules) - before))"
    )
    place = {**os.environ, "PYTHONPATH": str(Path(tacit.corpora.__file__).parents[2])}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=place, check=True)
    loaded = set(ast.literal_eval(ran.stdout))
    assert "tacit.corpora.tables" in loaded
    assert loaded.isdisjoint(heavy)
