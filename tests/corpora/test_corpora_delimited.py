"""TSV, CSV and Excel tables, with or without a header."""

from __future__ import annotations

import csv
import gzip
from functools import partial
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.sources import error_message, write_file
from tacit.corpora import ReadOptions, read_records, read_texts
from tacit.corpora.formats.delimited import DELIMITERS

CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
WORDS = st.text(st.sampled_from('ab ,;|\t"\n'), min_size=1).filter(str.strip)
TSV = 'id\ttext\tlabel\n1\ta cat\tpet\n2\t\tpet\n\n3\t"a dog\tpet\n'
TEXTS = ["a cat", '"a dog']


def write_table(folder: Path, kind: str, rows: list[list[str]]) -> Path:
    """Write a table with these rows."""
    path = folder / f"table{kind}"
    if kind == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append([cell or None for cell in row])
        book.save(path)
    else:
        mark = "\t" if kind == ".tsv" else ","
        path.write_text("".join(mark.join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_tsv_by_name_skips_the_header_and_blank_cells(tmp_path, caplog):
    path = write_file(tmp_path, "a.tsv", TSV)
    with caplog.at_level("INFO", "tacit.corpora"):
        assert list(read_texts(path, "text")) == TEXTS
    assert caplog.messages == [f"{path}: 1 of 3 rows have an empty text and are left out"]
    assert list(read_texts(path, "text", keep_blank=True)) == ["a cat", "", "", '"a dog']


@pytest.mark.parametrize("column", [2, "2"])
def test_tsv_by_number_has_no_header_by_default(tmp_path, column):
    path = write_file(tmp_path, "a.tsv", TSV)
    assert list(read_texts(path, column)) == ["text", *TEXTS]
    assert list(read_texts(path, column, ReadOptions(header=True))) == TEXTS


def test_tsv_may_be_gzip_with_windows_line_ends(tmp_path):
    path = write_file(tmp_path, "a.tsv.gz", gzip.compress(TSV.replace("\n", "\r\n").encode()))
    assert list(read_texts(path, "label")) == ["pet"] * 3


@pytest.mark.parametrize("kind", [".tsv", ".csv", ".xlsx"])
class TestRowsOfCells:
    """Behavior that all three formats have in common."""

    @pytest.fixture
    def table(self, tmp_path, kind):
        return partial(write_table, tmp_path, kind)

    def test_error_for_a_missing_column_lists_the_columns(self, table):
        path = table([["id", "text"], ["1", "a cat"]])
        assert (
            error_message(read_texts, path, "body") == f"{path} has no column 'body'; it has 2: 'id', 'text'"
        )

    def test_table_without_a_column_raises_input_error(self, table):
        message = error_message(read_texts, table([["id", "text"]]))
        assert message.endswith(
            "is a table; it has 2: 'id', 'text'; name the column to read with column=NAME"
        )

    def test_a_header_is_checked_by_the_call(self, table):
        path = table([["id", "text"]])
        with pytest.raises(ValueError, match="no column 'body'"):
            read_texts(path, "body")

    @pytest.mark.parametrize("column", [0, 3, "0", "3", "1" * 5000])
    def test_column_number_out_of_range_lists_the_columns(self, table, column):
        assert "it has 2: '" in error_message(read_texts, table([["1", "a cat"]]), column)

    def test_longer_row_raises_an_error_with_its_line(self, table, kind):
        path = table([["id", "text"], ["1", "a cat"], ["2", "a dog", "and more"]])
        unit = "row" if kind == ".xlsx" else "line"
        for read in (read_texts, read_records):
            message = error_message(read, path, "text")
            assert message.startswith(f"{path}, {unit} 3 has 3 columns, not 2 as the first row; fix the row")
        assert next(read_texts(path, "text")) == "a cat"

    def test_an_empty_file_has_no_header(self, table):
        path = table([])
        assert "is empty: it has no header line" in error_message(read_texts, path, "text")
        assert list(read_texts(path, 1)) == []

    def test_many_and_long_column_names_are_shortened(self, table):
        message = error_message(read_texts, table([["x" * 1000, *(f"c{i}" for i in range(24))]]), "text")
        assert "it has 25: 'xxxx" in message
        assert message.endswith("'c7', 'c8' and 15 more")
        assert len(message) < 300

    def test_duplicate_column_name_raises_an_error_if_read(self, table):
        path = table([["text", "text", "id"], ["a cat", "a dog", "7"]])
        assert "has more than one column 'text'" in error_message(read_texts, path, "text")
        assert "has more than one column 'text'" in error_message(read_records, path, "id")
        assert list(read_texts(path, "id")) == ["7"]
        assert list(read_texts(path, 2, ReadOptions(header=False))) == ["text", "a dog"]

    def test_columns_without_a_name_are_named_by_number(self, table):
        path = table([["text", "", "votes"], ["a cat", "x", "3"]])
        assert next(read_records(path, "text")).columns == {"2": "x", "votes": "3"}

    def test_columns_by_number_beside_columns_by_name(self, table):
        path = table([["id", "2020", "team"], ["7", "a cat", "pets"]])
        assert list(read_records(path, "2020", "id")) == [("a cat", "7", {"team": "pets"})]
        assert list(read_records(path, 2, 1, ReadOptions(header=True))) == [("a cat", "7", {"team": "pets"})]

    def test_empty_texts_are_counted(self, table, caplog):
        path = table([["id", "text"], ["1", "a cat"], ["2", ""], ["3", "  "]])
        for read in (read_texts, read_records):
            with caplog.at_level("INFO", "tacit.corpora"):
                assert len(list(read(path, "text"))) == 1
            assert caplog.messages[-1] == f"{path}: 2 of 3 rows have an empty text and are left out"


@pytest.mark.parametrize("kind", [".tsv", ".csv"])
def test_a_short_row_is_named_by_its_line(tmp_path, kind):
    path = write_table(tmp_path, kind, [["id", "text"], ["1", "a cat"], ["2"]])
    assert f"{path}, line 3 has 1 column, not 2 as the first row" in error_message(read_texts, path, "text")


def test_lines_of_spaces_are_blank(tmp_path):
    path = write_file(tmp_path, "a.csv", " \nid,text\n  \n1,a cat\n,\n")
    assert list(read_texts(path, "text")) == ["a cat"]


@given(rows=st.lists(st.tuples(CELL, CELL)), number=st.sampled_from([1, 2]))
def test_csv_cells_come_back_as_written(tmp_path_factory, rows, number):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("left", "right"), *rows])
    wanted = [row[number - 1] for row in rows if row[number - 1].strip()]
    assert list(read_texts(path, ["left", "right"][number - 1])) == wanted
    assert list(read_texts(path, number))[1:] == wanted


@given(
    rows=st.lists(st.tuples(WORDS, WORDS, WORDS)), mark=st.sampled_from(list(DELIMITERS)), sep=st.booleans()
)
def test_delimiter_is_detected_for_any_cells(tmp_path_factory, rows, mark, sep):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        stream.write(f"sep={mark}\r\n" * sep)
        csv.writer(stream, delimiter=mark).writerows([("id", "text", "label"), *rows])
    assert list(read_texts(path, "text")) == [row[1] for row in rows]


def test_delimiter_is_logged_and_can_be_set(tmp_path, caplog):
    path = write_file(tmp_path, "a.csv", "id;text\n7;yes, but\n")
    with caplog.at_level("INFO", "tacit.corpora"):
        assert list(read_texts(path, "text")) == ["yes, but"]
    assert caplog.messages == [f"{path}: cells are separated by semicolons"]
    assert "it has 1: 'id;text'" in error_message(read_texts, path, "text", ReadOptions(delimiter=","))
    odd = write_file(tmp_path, "odd.csv", "id^text\n7^a cat\n")
    assert list(read_texts(odd, "text", ReadOptions(delimiter="^"))) == ["a cat"]
    tabs = write_file(tmp_path, "b.tsv", 'id;text\n7;"a; cat"\n')
    assert list(read_texts(tabs, "text", ReadOptions(delimiter=";"))) == ["a; cat"]
    named = write_file(tmp_path, "c.csv", "id\ttext\n7\ta, cat\n")
    assert list(read_texts(named, "text", ReadOptions(delimiter="tab"))) == ["a, cat"]


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "\n"])
def test_invalid_delimiter_raises_input_error(tmp_path, delimiter):
    path = write_file(tmp_path, "a.csv", "id,text\n")
    message = error_message(read_texts, path, "text", ReadOptions(delimiter=delimiter))
    assert message == f"delimiter={delimiter!r}: give one character other than a quote, or tab"


def test_delimiter_of_a_ragged_file(tmp_path):
    path = write_file(tmp_path, "a.csv", "id;text\n" + "1;a, cat\n" * 5 + "2\n")
    assert f"{path}, line 7 has 1 column, not 2 as the first row" in error_message(read_texts, path, "text")


def test_windows_1252_and_utf_16_tables_as_excel_writes_them(tmp_path):
    table = "id;text\r\n7;un café à 3 €\r\n"
    path = write_file(tmp_path, "a.csv", table.encode("windows-1252"))
    assert "encoding=windows-1252" in error_message(read_texts, path, "text")
    assert list(read_texts(path, "text", ReadOptions(encoding="windows-1252"))) == ["un café à 3 €"]
    wide = write_file(tmp_path, "b.csv", ("\ufeff" + table.replace(";", "\t")).encode("utf-16-le"))
    assert list(read_texts(wide, "text")) == ["un café à 3 €"]


def test_csv_errors_name_the_line_on_which_the_row_starts(tmp_path):
    path = write_file(tmp_path, "a.csv", 'sep=,\ntext\n"two\nlines"\n"never closed\nand on\n')
    message = error_message(read_texts, path, "text")
    assert f"{path}, the row that starts on line 5 is not CSV" in message
    assert "check its quotes" in message


def test_csv_short_rows_after_long_cells_are_named_by_their_line(tmp_path):
    path = write_file(tmp_path, "a.csv", 'id,text\n1,"two\nlines"\n2\n')
    assert "line 4 has 1 column" in error_message(read_texts, path, "text")


def test_a_cell_of_a_million_characters_is_read(tmp_path):
    long = "long text " * 100_000
    path = write_file(tmp_path, "a.csv", f'id,text\n1,"{long}"\n')
    assert list(read_texts(path, "text")) == [long]


def test_html_is_stripped_with_the_option(tmp_path, caplog):
    path = write_file(tmp_path, "a.csv", 'id,text\n1,"<p>Q&amp;A</p>"\n2,<br/>\n')
    assert list(read_texts(path, "text")) == ["<p>Q&amp;A</p>", "<br/>"]
    with caplog.at_level("INFO", "tacit.corpora"):
        assert [record.text for record in read_records(path, "text", options=ReadOptions(html=True))] == [
            "Q&A"
        ]
    assert "1 of 2 rows have an empty text" in caplog.messages[-1]
    lines = write_file(tmp_path, "a.txt", "<p>a <b>c</b>at</p>\n<br>\na dog\n")
    assert list(read_texts(lines, options=ReadOptions(html=True))) == ["a cat", "a dog"]
