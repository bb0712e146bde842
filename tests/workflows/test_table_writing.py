"""Tables are read back with the same cells from each format."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from pathlib import Path

import openpyxl
import pandas as pd
import polars as pl
import pytest

from tacit.errors import InputError
from tacit.result_table import MAX_HTML_ROWS, ResultTable
from tacit.workflows.table_writing import check_table_path, write_table

COLUMNS = ["id", "text", "score", "team"]
ROWS = [
    ("1", 'a "quoted", cell\nwith two lines\tand a tab', 0.25, None),
    ("2", "Grüße ☃", -1.5, "web"),
    ("3", "", 3.0, "'"),
]
SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet", ".xlsx")


def read_cells(path: Path) -> list[list[str]]:
    """All cells of a table as text; a missing cell is empty."""
    if path.suffix == ".parquet":
        table = pl.read_parquet(path)
        rows = [table.columns, *table.rows()]
    elif path.suffix == ".xlsx":
        rows = list(openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True))
    elif path.suffix == ".jsonl":
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows = [list(records[0]), *(list(record.values()) for record in records)] if records else []
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    return as_text(rows)


def as_text(rows: Iterable[Iterable[object]]) -> list[list[str]]:
    """Cells as text: a missing cell is empty, 3.0 is 3."""
    return [["" if cell is None else re.sub(r"\.0$", "", str(cell)) for cell in row] for row in rows]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_tables_are_read_back_equal(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(path, COLUMNS, ROWS)
    assert read_cells(path) == as_text([COLUMNS, *ROWS])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_table_has_a_header_only(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(path, COLUMNS, [])
    assert read_cells(path) == ([] if suffix == ".jsonl" else [COLUMNS])


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_pandas_and_polars_read_quoted_cells(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(path, COLUMNS, ROWS)
    separator = "\t" if suffix == ".tsv" else ","
    for table in (pd.read_csv(path, sep=separator), pl.read_csv(path, separator=separator)):
        assert list(table["text"])[:2] == [row[1] for row in ROWS[:2]]


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|x", "-1+2", "@SUM(A1)", "\tx", "\uff1dA1"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_cells_that_look_like_formulas_are_escaped(tmp_path: Path, suffix: str, cell: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(path, ["text"], [(cell,)])
    assert read_cells(path)[1] == [f"'{cell}"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_unescaped_cells_stay_as_they_are(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(path, ["text"], [("=1+1",), ("-5",)], escape_formulas=False)
    assert read_cells(path) == [["text"], ["=1+1"], ["-5"]]
    if suffix == ".xlsx":
        assert openpyxl.load_workbook(path).worksheets[0]["A2"].data_type == "s"


def test_parquet_holds_columns_of_mixed_types_as_text(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_table(path, ["price", "tags"], [(1, ["a"]), ("n/a", {"b": 1})])
    assert pl.read_parquet(path).rows() == [("1", '["a"]'), ("n/a", '{"b": 1}')]


def test_excel_cells_lose_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "table.xlsx"
    write_table(path, ["text"], [("a\x00b" + "x" * 40_000,)])
    text = read_cells(path)[1][0]
    assert text.startswith("a\ufffdb")
    assert len(text) == 32_767


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("hits.txt", "must end in .csv, .tsv"),
        ("hits", "must end in"),
        ("missing/hits.csv", "no folder"),
        ("folder.csv", "is a folder"),
    ],
)
def test_bad_paths_are_reported_before_writing(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=problem):
        check_table_path(tmp_path / name)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        write_table(path, ["n"], ([1 / n] for n in (1, 0)))
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


class Scores(ResultTable, list[tuple[object, ...]]):
    def table_columns(self) -> list[str]:
        return COLUMNS

    def table_rows(self) -> list[tuple[object, ...]]:
        return list(self)


def test_results_become_data_frames() -> None:
    scores = Scores(ROWS)
    assert scores.to_pandas()["id"].tolist() == scores.to_polars()["id"].to_list() == ["1", "2", "3"]
    mixed = Scores([("1", "a", 0.5, 3), ("2", "b", 0.5, "x")]).to_polars()
    assert mixed["team"].to_list() == ["3", "x"]
    assert list(Scores().to_pandas().columns) == Scores().to_polars().columns == COLUMNS


def test_html_tables_are_escaped_and_limited() -> None:
    page = Scores([("<b>", "a & b", 0.123456, None)] * (MAX_HTML_ROWS + 1))._repr_html_()
    assert page.count("<tr>") == MAX_HTML_ROWS + 1
    assert '<td style="text-align: left">&lt;b&gt;</td>' in page
    assert "<td>0.1235</td>" in page
    assert '<th style="text-align: left">id</th>' in page
