"""JSON Lines, Parquet and Excel tables, and pairs of texts."""

from __future__ import annotations

import io
import json
import random
import sys

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.sources import error_message, write_file
from tacit.corpora import ReadOptions, read_pairs, read_records, read_texts
from tacit.errors import InputError, MissingExtraError


def test_jsonl_reads_a_key_and_skips_nulls_and_blanks(tmp_path):
    rows = [{"text": "a café", "id": 1}, {"text": None}, {"text": " "}, {"text": "\U0001f63a\nmew"}]
    path = write_file(tmp_path, "a.jsonl", "\n\n".join(map(json.dumps, rows)))
    assert list(read_texts(path, "text")) == ["a café", "\U0001f63a\nmew"]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("{", "line 2 is not JSON (Expecting property name"),
        ("[" * 100_000, "line 2 is not JSON"),
        ('{"text": ' + "1" * 5000 + "}", "line 2 is not JSON"),
        ('["a"]', "line 2 is a JSON list; write one JSON object per line"),
        ('{"id": 1, "body": "a"}', "line 2 has no column 'text'; it has 2: 'id', 'body'"),
        ('{"text": 7}', "line 2: 7 is a int, not text"),
        (r'{"text": "a \ud83d"}', "line 2 is not valid Unicode"),
        (r'{"text": "a", "other": "\ud83d"}', "line 2 is not valid Unicode"),
    ],
)
def test_jsonl_errors_name_the_line(tmp_path, line, parts):
    path = write_file(tmp_path, "a.jsonl", '{"text": "a cat"}\n' + line)
    assert f"{path}, {parts}" in error_message(read_texts, path, "text")


def test_jsonl_errors_are_raised_by_the_call(tmp_path):
    path = write_file(tmp_path, "a.jsonl", '{"text": "a cat"}')
    with pytest.raises(InputError, match="name the column"):
        read_texts(path)
    with pytest.raises(InputError, match="no column '1'; it has 1: 'text'"):
        read_texts(path, 1)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet_reads_a_column_of_strings(tmp_path, kind):
    texts = pa.array(["a cat", None, " ", "a dog"] * 5000).cast(kind)
    pq.write_table(pa.table({"id": range(20000), "text": texts}), tmp_path / "a.parquet")
    assert list(read_texts(tmp_path / "a.parquet", "text")) == ["a cat", "a dog"] * 5000


def test_parquet_columns_are_read_by_name_in_any_order(tmp_path):
    table = pa.table({"votes": [3], "id": [7], "text": ["a cat"], "day": pa.array([0], pa.date32())})
    pq.write_table(table, tmp_path / "a.parquet")
    records = read_records(tmp_path / "a.parquet", "text", "id")
    assert list(records) == [("a cat", "7", {"votes": 3, "day": "1970-01-01"})]


def test_parquet_errors_are_raised_by_the_call(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [1], "text": ["a cat"]}), path)
    for column, parts in [
        (None, "name the column to read"),
        ("body", "has no column 'body'; it has 2: 'id', 'text'"),
        (2, "has no column '2'; it has 2"),
        ("id", "row 1: 1 is a int, not text; name a column of texts"),
    ]:
        with pytest.raises(InputError) as caught:
            read_texts(path, column)
        assert parts in str(caught.value)


@pytest.mark.parametrize(("name", "kind"), [("a.parquet", "Parquet"), ("a.xlsx", "an Excel workbook")])
def test_file_with_a_wrong_suffix_raises_input_error(tmp_path, name, kind):
    for content in (b"", b"a cat", b"PK\3\4" + bytes(50)):
        message = error_message(read_texts, write_file(tmp_path, name, content), "text")
        assert f"{name} is damaged, or not {kind} (" in message
        assert message.endswith("; copy or write it again")
    (tmp_path / f"folder.{name}").mkdir()
    assert "is a directory" in error_message(read_texts, tmp_path / f"folder.{name}", "text")


def parquet() -> bytes:
    stream = io.BytesIO()
    texts = [f"text number {i} about banks and money" for i in range(50)]
    pq.write_table(pa.table({"text": texts, "id": list(map(str, range(50)))}), stream, compression="none")
    return stream.getvalue()


@pytest.mark.parametrize("damage", ["bad UTF-8", "page header", "footer", "cut"])
@pytest.mark.parametrize("read", [read_texts, read_records])
def test_a_damaged_parquet_file_is_refused(tmp_path, damage, read):
    raw = bytearray(parquet())
    if damage == "bad UTF-8":
        raw[raw.index(b"banks")] = 0xFF
    elif damage == "page header":
        raw[4:8] = b"\xff" * 4
    elif damage == "footer":
        raw[-60:-40] = bytes(20)
    else:
        del raw[len(raw) // 2 :]
    message = error_message(read, write_file(tmp_path, "a.parquet", bytes(raw)), "text")
    assert "a.parquet is damaged, or not Parquet (" in message


def workbook(*rows: tuple[object, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "make"), [
    ("a.parquet", parquet),
    ("a.xlsx", lambda: workbook(("id", "text"), *((i, f"text number {i}") for i in range(50)))),
])  # fmt: skip
def test_damaged_file_raises_one_line_or_nothing(tmp_path, name, make):
    content, rng, messages = make(), random.Random(0), []
    for _ in range(150):
        raw = bytearray(content)
        start = rng.randrange(len(raw))
        raw[start : start + rng.choice([1, 1, 4, 40])] = rng.randbytes(rng.choice([0, 1, 4]))
        path = write_file(tmp_path, name, bytes(raw))
        for read in (read_texts, read_records):
            try:
                list(read(path, "text"))
            except InputError as error:
                messages.append(str(error))
    assert len(messages) > 50
    assert {len(message.splitlines()) for message in messages} == {1}


def test_excel_cells_become_text(tmp_path, caplog):
    path = write_file(
        tmp_path, "a.xlsx", workbook((), ("id", "text", "votes"), (7, 1984, 2.5), (8, "a cat"), (), (9,))
    )
    with caplog.at_level("INFO", "tacit.corpora"):
        assert list(read_records(path, "text", "id")) == [
            ("1984", "7", {"votes": "2.5"}),
            ("a cat", "8", {"votes": ""}),
        ]
    assert caplog.messages == [f"{path}: 1 of 3 rows have an empty text and are left out"]


def test_excel_logs_which_of_several_sheets_is_read(tmp_path, caplog):
    book = openpyxl.Workbook()
    book.active.append(["text"])
    book.active.append(["a cat"])
    book.create_sheet("More")
    book.save(tmp_path / "a.xlsx")
    with caplog.at_level("INFO", "tacit.corpora"):
        assert list(read_texts(tmp_path / "a.xlsx", "text")) == ["a cat"]
    assert caplog.messages[0].endswith("a.xlsx has 2 sheets; the first, 'Sheet', is read")


@pytest.mark.parametrize(
    ("name", "modules", "message"),
    [
        ("a.parquet", ["pyarrow", "pyarrow.parquet"], r"reading Parquet .* 'tacit\[frames\]'"),
        ("a.xlsx", ["openpyxl"], r"reading Excel files .* 'tacit\[excel\]'"),
    ],
)
def test_missing_extra_of_a_format_is_named(tmp_path, monkeypatch, name, modules, message):
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=message):
        read_texts(tmp_path / name, "text")


def test_pairs_keep_empty_sides_but_not_empty_lines(tmp_path):
    path = write_file(tmp_path, "a.tsv", "a cat\tun gato\r\n\t\n\na dog\t\n\tun perro\n")
    assert list(read_pairs(path)) == [("a cat", "un gato"), ("", ""), ("a dog", ""), ("", "un perro")]


def test_pairs_of_other_tables(tmp_path):
    path = write_file(tmp_path, "a.csv", 'en;es\n"a; cat";un gato\n')
    assert list(read_pairs(path)) == [("en", "es"), ("a; cat", "un gato")]
    assert list(read_pairs(path, options=ReadOptions(header=True))) == [("a; cat", "un gato")]
    book = write_file(tmp_path, "a.xlsx", workbook(("a cat", "un gato"), ("a dog",)))
    assert list(read_pairs(book)) == [("a cat", "un gato"), ("a dog", "")]
    assert list(
        read_pairs(write_file(tmp_path, "a.txt", "a cat\t<b>un</b> gato\n"), options=ReadOptions(html=True))
    ) == [("a cat", "un gato")]


@pytest.mark.parametrize(("line", "columns"), [("a dog", "1 column,"), ("a\tb\tc", "3 columns,")])
def test_pairs_of_another_number_are_refused(tmp_path, line, columns):
    path = write_file(tmp_path, "a.tsv", f"a cat\tun gato\n{line}\n")
    assert f"{path}, line 2 has {columns} not 2; put two texts in each row" in error_message(read_pairs, path)
    with pytest.raises(InputError, match="line 1"):
        read_pairs(write_file(tmp_path, "b.tsv", line))
