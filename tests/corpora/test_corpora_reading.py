"""Files are read by their suffix, corpora by their name."""

from __future__ import annotations

import ast
import gzip
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacit.corpora
from helpers.sources import error_message, standard_input, write_file
from tacit.corpora import (
    NAMED_CORPORA,
    READERS,
    formats,
    read_named_texts,
    read_pairs,
    read_records,
    read_texts,
)
from tacit.errors import InputError

CONTENTS = {
    ".tsv": b"id\ttext\n1\ta, cat\n",
    ".csv": b'id,text\n1,"a, cat"\n',
    ".jsonl": b'{"id": 1, "text": "a, cat"}\n',
    ".ndjson": b'{"id": 1, "text": "a, cat"}\n',
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("suffix", CONTENTS)
def test_suffix_determines_the_format(tmp_path, suffix, zipped):
    path = tmp_path / f"a.b{suffix.upper()}{'.gz' * zipped}"
    path.write_bytes(gzip.compress(CONTENTS[suffix]) if zipped else CONTENTS[suffix])
    assert list(read_texts(path, "text")) == ["a, cat"]
    assert list(read_texts(str(path), column="text")) == ["a, cat"]


def test_parquet_is_opened_by_its_suffix(tmp_path):
    pq.write_table(pa.table({"text": ["a cat"]}), tmp_path / "a.parquet")
    assert list(read_texts(tmp_path / "a.parquet", "text")) == ["a cat"]


@pytest.mark.parametrize("name", ["notes.txt", "notes", "notes.txt.gz", "tsv", ".tsv", ".csv.gz"])
def test_file_without_known_suffix_is_read_as_lines(tmp_path, name):
    path = write_file(tmp_path, name, "a\tcat\na,dog\n")
    assert list(read_texts(path)) == ["a\tcat", "a,dog"]
    assert error_message(read_texts, path, "text").startswith(f"{path} has no column 'text'; it has ")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_table_on_standard_input_needs_only_a_column(monkeypatch, separator):
    table = f"\nid{separator}text\n7{separator}a cat\n"
    standard_input(monkeypatch, table.encode())
    assert list(read_texts("-", "text")) == ["a cat"]
    standard_input(monkeypatch, table.encode())
    assert list(read_records("-", "text", "id")) == [("a cat", "7", {})]


def test_json_lines_on_standard_input(monkeypatch):
    standard_input(monkeypatch, b'\n{"id": 7, "text": "a cat"}\n')
    assert list(read_texts("-", "text")) == ["a cat"]


def test_standard_input_is_lines(monkeypatch):
    standard_input(monkeypatch, b"a cat\n")
    assert list(read_texts("-")) == ["a cat"]


def test_suffixes_of_formats_are_distinct():
    endings = [ending for reader in READERS for ending in reader.suffixes]
    assert len(endings) == len(set(endings))
    for path in Path(tacit.corpora.__file__).parent.glob("*.py"):
        code = "".join(part for part in path.read_text(encoding="utf-8").split('"""')[::2])
        assert not [ending for ending in endings if f'"{ending}"' in code]


def test_a_new_format_is_one_file(tmp_path, monkeypatch):
    code = "from tacit.corpora.table_rows import Reader\nREADERS = (Reader('Rich text', ('.rtf',)),)\n"
    write_file(tmp_path, "rich_text.py", code)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.setattr(formats, "READERS", formats.discover_readers())
    assert [reader.name for reader in formats.READERS] == [reader.name for reader in READERS] + ["Rich text"]
    assert "is Rich text: expected a table" in error_message(read_texts, tmp_path / "a.rtf")


@pytest.mark.parametrize("reader", [each for each in READERS if not each.read_rows], ids=lambda r: r.name)
def test_format_that_is_no_table_raises_input_error(tmp_path, reader):
    path = write_file(tmp_path, f"a{reader.suffixes[0]}", "a\tb\n")
    for read in (read_texts, read_records, read_pairs):
        message = error_message(read, path)
        assert f"is {reader.name}: expected a table in TSV, CSV, Excel, JSONL or Parquet" in message


@pytest.mark.parametrize("suffix", CONTENTS)
def test_a_table_without_a_column_lists_its_columns(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(CONTENTS[suffix])
    with pytest.raises(
        InputError, match=r"; it has 2: 'id', 'text'; name the column to read with column=NAME"
    ):
        read_texts(path)


@pytest.mark.parametrize("name", ["a.txt", "a.tsv", "a.csv", "a.jsonl", "a.parquet", "a.xlsx"])
def test_a_missing_file_is_reported_by_the_call(tmp_path, name):
    column = None if name == "a.txt" else "text"
    with pytest.raises(InputError, match=rf"no such file: .*{name}; check the path"):
        read_texts(tmp_path / name, column)


def test_a_source_that_is_no_path_is_refused():
    with pytest.raises(InputError, match="not list"):
        read_texts(["a.tsv"])  # type: ignore[arg-type]


def test_an_unknown_name_lists_the_names():
    with pytest.raises(
        InputError, match=f"no corpus is called 'wordnut'; named corpora: {', '.join(NAMED_CORPORA)}"
    ):
        read_named_texts("wordnut")


def test_import_of_corpora_is_fast():
    heavy = "numpy", "pyarrow", "openpyxl", "csv", "json", "gzip", "zipfile", "dataclasses", "logging"
    code = (
        "import sys, tacit; before = set(sys.modules)\n"
        "import tacit.corpora; print(sorted(set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(tacit.corpora.__file__).parents[2])}
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    loaded = set(ast.literal_eval(process.stdout))
    assert "tacit.corpora.table_rows" in loaded
    assert loaded.isdisjoint(heavy)
