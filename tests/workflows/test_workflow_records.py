"""Records from files, lists, Series and DataFrames."""

from __future__ import annotations

import datetime
import io
import os
import sys

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from tacit import InputError
from tacit.corpora.table_rows import Record
from tacit.workflows.python_records import as_source, read_labelled
from tacit.workflows.records import RecordOptions, RecordSource

ROWS = [
    {"id": 7, "title": "Login", "body": "how do I log in?", "votes": 3},
    {"id": 8, "title": "Parcel", "body": "where is my parcel?", "votes": 5},
]
EXPECTED = [
    Record("Login\nhow do I log in?", "7", {"votes": 3}),
    Record("Parcel\nwhere is my parcel?", "8", {"votes": 5}),
]
COLUMNS = {"text": ["title", "body"], "id": "id", "columns": ["votes"]}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "faq.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)
    return path


def test_text_columns_are_joined_by_a_newline(table):
    source = RecordSource((str(table),), options=RecordOptions(**COLUMNS))
    assert list(source.records()) == EXPECTED
    assert list(source.texts()) == [record.text for record in EXPECTED]


@pytest.mark.parametrize("create", [list, pandas.DataFrame, polars.DataFrame])
def test_python_tables_give_the_records_of_a_file(create):
    source = as_source(create(ROWS), **COLUMNS)
    assert list(source.records()) == EXPECTED
    assert list(source.records()) == EXPECTED, "it can be read again"


def test_all_other_columns_are_kept_by_default():
    assert next(as_source(ROWS, "body", "id").records()).columns == {"title": "Login", "votes": 3}


@pytest.mark.parametrize("create", [list, pandas.Series, polars.Series])
def test_lists_and_series_are_texts(create):
    assert list(as_source(create(["a cat", "a dog"])).texts()) == ["a cat", "a dog"]


def test_missing_texts_of_a_table_are_left_out():
    frame = pandas.DataFrame({"text": ["a cat", None, float("nan"), pandas.NA, "  ", "a dog"]})
    assert list(as_source(frame, "text").texts()) == ["a cat", "a dog"]
    assert list(as_source(frame["text"]).texts()) == ["a cat", "a dog"]


def test_values_that_json_cannot_hold_become_text_or_none():
    day = datetime.date(2024, 2, 1)
    frame = pandas.DataFrame({"text": ["a"], "price": [float("nan")], "day": [day], "none": [pandas.NaT]})
    (record,) = as_source(frame, "text").records()
    assert record.columns == {"price": None, "day": "2024-02-01", "none": None}


@pytest.mark.parametrize(
    ("records", "columns", "message"),
    [
        (pandas.DataFrame(ROWS), {}, "name the text column; the columns are 'id', 'title', 'body', 'votes'"),
        (ROWS, {"text": "said"}, "there is no column 'said'"),
        (ROWS, {"text": "votes"}, "3 is a int, not a text"),
        (["a cat"], {"text": "body"}, "text= and id= name columns"),
        (7, {}, "a int holds no texts"),
    ],
)
def test_input_without_a_text_column_is_an_error(records, columns, message):
    with pytest.raises(InputError, match=message):
        list(as_source(records, **columns).records())


def test_files_are_read_in_order_and_again(tmp_path):
    for name, line in (("b.txt", "second"), ("a.txt", "first"), ("c.log", "third")):
        (tmp_path / name).write_text(f"{line}\n\n", encoding="utf-8")
    source = RecordSource((str(tmp_path / "*.txt"), str(tmp_path / "c.log")))
    assert list(source.texts()) == list(source.texts()) == ["first", "second", "third"]
    assert source.is_rereadable
    assert [text for part in source.partitions() for text in part.texts()] == ["first", "second", "third"]


def test_a_later_file_that_is_missing_is_an_error_at_once(tmp_path):
    (tmp_path / "a.txt").write_text("first\n", encoding="utf-8")
    source = RecordSource((str(tmp_path / "a.txt"), str(tmp_path / "gone.txt")))
    for read in (source.texts, source.records):
        with pytest.raises(InputError, match="no such file"):
            read()


def test_standard_input_is_opened_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n")))
    source = RecordSource(("-",))
    assert not source.is_rereadable
    assert list(source.texts()) == ["one", "two"]


def test_a_pipe_is_not_rereadable(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert not RecordSource((str(tmp_path / "pipe"),)).is_rereadable


def test_blank_rows_are_kept_on_request(tmp_path):
    (tmp_path / "a.txt").write_text("one\n\ntwo\n", encoding="utf-8")
    source = RecordSource((str(tmp_path / "a.txt"),))
    assert list(source.texts(keep_blank=True)) == ["one", "", "two"]
    assert list(source.rows()) == [("one", None), ("", None), ("two", None)]


def test_named_corpora_come_before_files(tmp_path):
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    source = RecordSource((str(tmp_path / "a.txt"),), ("wordnet",))
    assert next(source.records()).id == "00001740-n"
    assert next(source.texts()).startswith("entity")


def test_labels_are_read_with_their_texts(table):
    source = RecordSource((str(table),), options=RecordOptions("body"))
    assert read_labelled(source, "title") == ([row["body"] for row in ROWS], ["Login", "Parcel"])
    with pytest.raises(InputError, match="label_column=kind: no such column; the columns are id, title"):
        read_labelled(source, "kind")
