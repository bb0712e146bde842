"""Rows of tables with their ids and columns."""

from __future__ import annotations

import json

import pytest

from tacit.corpora import Record, read_named_records, read_records
from tacit.errors import InputError

ROWS = [("7", "how do I log in", "login"), ("8", "where is my parcel", "post")]
EXPECTED = [Record(text, name, {"team": team}) for name, text, team in ROWS]


def write(folder, kind):
    path = folder / f"faq{kind}"
    if kind == ".parquet":
        pyarrow = pytest.importorskip("pyarrow", reason="the extra frames is not installed")
        pytest.importorskip("pyarrow.parquet")
        names, texts, teams = map(list, zip(*ROWS, strict=True))
        pyarrow.parquet.write_table(pyarrow.table({"id": names, "text": texts, "team": teams}), path)
    elif kind == ".jsonl":
        lines = (json.dumps({"id": int(name), "text": text, "team": team}) for name, text, team in ROWS)
        path.write_text("\n".join(lines) + '\n\n{"id": 9, "text": null, "team": "x"}\n')
    else:
        mark = "\t" if kind == ".tsv" else ","
        path.write_text("\n".join(mark.join(row) for row in [("id", "text", "team"), *ROWS]) + "\n\n")
    return path


@pytest.mark.parametrize("kind", [".tsv", ".csv", ".jsonl", ".parquet"])
def test_every_kind_of_table_keeps_ids_and_columns(tmp_path, kind):
    path = write(tmp_path, kind)
    assert list(read_records(path, "text", "id")) == EXPECTED
    assert [record.id for record in read_records(path, "text")] == [None, None]


def test_a_column_by_number_and_lines(tmp_path):
    path = tmp_path / "plain.tsv"
    path.write_text("a cat\tx\na dog\ty\n")
    assert list(read_records(path, "1", "2")) == [Record("a cat", "x", {}), Record("a dog", "y", {})]
    lines = tmp_path / "plain.txt"
    lines.write_text("a cat\n\na dog\n")
    assert list(read_records(lines)) == [Record("a cat", None, {}), Record("a dog", None, {})]


@pytest.mark.parametrize(
    ("name", "content", "column", "id_column", "message"),
    [
        ("a.tsv", "id\ttext\n1\tx\n", None, None, "name the column"),
        ("a.tsv", "id\ttext\n1\tx\n", "body", None, "no column 'body'"),
        ("a.tsv", "id\ttext\n1\tx\n", "text", "key", "no column 'key'"),
        ("a.tsv", "id\ttext\n1\tx\n2\n", "text", None, "line 3 has 1 column, not 2 as the first row"),
        ("a.tsv", "id\ttext\n\tx\n", "text", "id", "no id in the column 'id'"),
        ("a.tsv", "", "text", None, "is empty"),
        ("a.csv", 'id,text\n1,"x\n', "text", None, "not CSV"),
        ("a.jsonl", "[1]\n", "text", None, "write one JSON object"),
        ("a.jsonl", '{"text": 5}\n', "text", None, "is a int, not text"),
        ("a.txt", "a cat\n", "text", None, "has no column 'text'"),
        ("a.txt", "a cat\n", None, "id", "name the column to read"),
    ],
)
def test_errors_of_records(tmp_path, name, content, column, id_column, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        list(read_records(path, column, id_column))


def test_records_of_a_named_corpus():
    first = next(read_named_records("wordnet"))
    assert first.text.startswith("entity: that which is perceived")
    assert first.columns["pos"] == "n"
    with pytest.raises(InputError, match="no corpus is called 'news'"):
        read_named_records("news")
