"""Columns of tables and pairs of texts."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.corpora import read_csv, read_jsonl, read_pairs, read_parquet, read_tsv
from tacit.errors import InputError, MissingExtraError

CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
TSV = 'id\ttext\tlabel\n1\ta cat\tpet\n2\t\tpet\n\n3\t"a dog\tpet\n'
TEXTS = ["a cat", '"a dog']


def written(folder: Path, content: str, name: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode())
    return path


def refusal(reader, source, *column) -> str:
    with pytest.raises(InputError) as caught:
        list(reader(source, *column))
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_tsv_by_name_skips_the_header_and_blank_cells(tmp_path):
    assert list(read_tsv(written(tmp_path, TSV, "a.tsv"), "text")) == TEXTS


@pytest.mark.parametrize("column", [2, "2"])
def test_tsv_by_number_has_no_header(tmp_path, column):
    assert list(read_tsv(written(tmp_path, TSV, "a.tsv"), column)) == ["text", *TEXTS]


def test_tsv_may_be_gzip_with_windows_line_ends(tmp_path):
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress(TSV.replace("\n", "\r\n").encode()))
    assert list(read_tsv(path, "label")) == ["pet"] * 3


@pytest.mark.parametrize(("reader", "separator"), [(read_tsv, "\t"), (read_csv, ",")])
class TestSeparated:
    """What TSV and CSV have in common."""

    @pytest.fixture
    def table(self, tmp_path, separator):
        return written(tmp_path, f"id{separator}text\n1{separator}a cat\n2\n", "table")

    def test_a_missing_column_lists_those_there_are(self, reader, table):
        assert refusal(reader, table, "body") == f"{table} has no column 'body'; it has 2: 'id', 'text'"

    def test_a_column_left_out_is_asked_for(self, reader, table):
        message = refusal(reader, table)
        assert "name the column to read with column= or --column" in message
        assert message.endswith("it has 2: 'id', 'text'")

    def test_a_header_is_checked_by_the_call(self, reader, table):
        with pytest.raises(InputError, match="no column 'body'"):
            reader(table, "body")

    @pytest.mark.parametrize("column", [0, 3, -1, "0", "3"])
    def test_a_number_out_of_range_says_the_range(self, reader, table, column):
        message = refusal(reader, table, column)
        assert f"no column number {column};" in message
        assert "line 1 has 2, counted from 1: 'id', 'text'" in message

    def test_a_short_row_is_named_by_its_line(self, reader, table):
        assert f"{table}, line 3 has 1 columns, and column 2 is to be read" in refusal(reader, table, "text")

    def test_texts_before_a_short_row_are_read(self, reader, table):
        assert next(reader(table, "text")) == "a cat"

    def test_an_empty_file_has_no_header(self, reader, tmp_path, separator):
        path = written(tmp_path, "\n\n", "empty")
        assert "is empty: it has no header line" in refusal(reader, path, "text")
        assert list(reader(path, 1)) == []

    def test_many_and_long_column_names_are_shortened(self, reader, tmp_path, separator):
        header = separator.join(["x" * 1000, *map(str, range(24))])
        message = refusal(reader, written(tmp_path, header, "wide"), "text")
        assert "it has 25: 'xxxx" in message
        assert message.endswith("'7', '8' and 15 more")
        assert len(message) < 300

    def test_a_name_that_stands_twice_is_refused(self, reader, tmp_path, separator):
        path = written(tmp_path, f"text{separator}text\n", "twice")
        assert "has more than one column 'text'" in refusal(reader, path, "text")

    def test_lines_of_spaces_are_blank(self, reader, tmp_path, separator):
        path = written(tmp_path, f" \nid{separator}text\n  \n1{separator}a cat\n{separator}\n", "blank")
        assert list(reader(path, "text")) == ["a cat"]


@given(rows=st.lists(st.tuples(CELL, CELL)), number=st.sampled_from([1, 2]))
def test_csv_cells_come_back_as_written(tmp_path_factory, rows, number):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("left", "right"), *rows])
    wanted = [row[number - 1] for row in rows if row[number - 1].strip()]
    assert list(read_csv(path, ["left", "right"][number - 1])) == wanted
    assert list(read_csv(path, number))[1:] == wanted


def test_csv_errors_name_the_line_on_which_the_row_starts(tmp_path):
    path = written(tmp_path, 'text\n"two\nlines"\n"never closed\nand on\n', "a.csv")
    message = refusal(read_csv, path, "text")
    assert f"{path}, the row that starts on line 4 is not CSV" in message
    assert "check its quotes" in message


def test_csv_short_rows_after_long_cells_are_named_by_their_line(tmp_path):
    path = written(tmp_path, 'id,text\n1,"two\nlines"\n2\n', "a.csv")
    assert "line 4 has 1 columns" in refusal(read_csv, path, "text")


def test_jsonl_reads_a_key_and_skips_nulls_and_blanks(tmp_path):
    rows = [{"text": "a café", "id": 1}, {"text": None}, {"text": " "}, {"text": "\U0001f63a\nmew"}]
    path = written(tmp_path, "\n\n".join(map(json.dumps, rows)), "a.jsonl")
    assert list(read_jsonl(path, "text")) == ["a café", "\U0001f63a\nmew"]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("{", "line 2 is not JSON (Expecting property name"),
        ("[" * 100_000, "line 2 is not JSON"),
        ('["a"]', "line 2 is a JSON list; write one JSON object a line"),
        ('{"id": 1, "body": "a"}', "line 2 has no column 'text'; it has 2: 'id', 'body'"),
        ('{"text": 7}', "line 2: the value of 'text' is a JSON int, not a string"),
        (r'{"text": "a \ud83d"}', "line 2: the value of 'text' holds half a character"),
    ],
)
def test_jsonl_errors_name_the_line(tmp_path, line, parts):
    path = written(tmp_path, '{"text": "a cat"}\n' + line, "a.jsonl")
    assert f"{path}, {parts}" in refusal(read_jsonl, path, "text")


def test_jsonl_is_checked_by_the_call(tmp_path):
    path = written(tmp_path, '{"text": "a cat"}', "a.jsonl")
    with pytest.raises(InputError, match="name the column"):
        read_jsonl(path)
    with pytest.raises(InputError, match="no column 1; it has 1: 'text'"):
        read_jsonl(path, 1)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet_reads_a_column_of_strings(tmp_path, kind):
    texts = pa.array(["a cat", None, " ", "a dog"] * 5000).cast(kind)
    pq.write_table(pa.table({"id": range(20000), "text": texts}), tmp_path / "a.parquet")
    assert list(read_parquet(tmp_path / "a.parquet", "text")) == ["a cat", "a dog"] * 5000


def test_parquet_errors_are_said_by_the_call(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [1], "text": ["a cat"]}), path)
    for column, parts in [
        (None, "name the column to read"),
        ("body", "has no column 'body'; it has 2: 'id', 'text'"),
        (2, "has no column 2; it has 2"),
        ("id", "column 'id' holds int64, not strings"),
    ]:
        with pytest.raises(InputError) as caught:
            read_parquet(path, column)
        assert parts in str(caught.value)


def test_parquet_needs_a_parquet_file(tmp_path):
    assert "is not a Parquet file" in refusal(read_parquet, written(tmp_path, "a cat", "a.parquet"), "text")
    assert "no such file" in refusal(read_parquet, tmp_path / "absent.parquet", "text")
    assert "is a directory" in refusal(read_parquet, tmp_path, "text")
    assert "standard input" in refusal(read_parquet, "-", "text")


def test_a_damaged_parquet_file_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": [f"text {i}" for i in range(1000)]}), path, compression="gzip")
    content = bytearray(path.read_bytes())
    content[4:200] = b"\xff" * 196
    path.write_bytes(content)
    assert f"{path} is damaged (" in refusal(read_parquet, path, "text")


def test_parquet_without_its_extra_says_which_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingExtraError, match=r"reading Parquet needs an extra: pip install 'tacit\[frames\]'"
    ):
        read_parquet(tmp_path / "a.parquet", "text")


def test_pairs_keep_empty_sides_but_not_empty_lines(tmp_path):
    path = written(tmp_path, "a cat\tun gato\r\n\t\n\na dog\t\n\tun perro\n", "a.tsv")
    assert list(read_pairs(path)) == [("a cat", "un gato"), ("", ""), ("a dog", ""), ("", "un perro")]


@pytest.mark.parametrize(("line", "columns"), [("a dog", "1 column,"), ("a\tb\tc", "3 columns,")])
def test_pairs_of_another_number_are_refused(tmp_path, line, columns):
    path = written(tmp_path, f"a cat\tun gato\n{line}\n", "a.tsv")
    assert f"{path}, line 2 has {columns} not 2" in refusal(read_pairs, path)
    with pytest.raises(InputError, match="line 1"):
        read_pairs(written(tmp_path, line, "b.tsv"))
