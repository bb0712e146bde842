"""Excel workbooks that unpack to more than they should are refused before their content is in memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import openpyxl
import pytest

from helpers.cli_runs import one_line_error, tacit
from tacit import InputError
from tacit.corpora import ReadOptions, read_texts
from tacit.corpora.formats import excel

SHEET = "xl/worksheets/sheet1.xml"


def cell(text: str) -> str:
    return f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>'


def workbook(rows: str) -> bytes:
    """A workbook with these rows of XML after the header ``text``."""
    empty, packed = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(empty)
    with zipfile.ZipFile(empty) as parts, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in parts.namelist():
            content = parts.read(name)
            if name == SHEET:
                before, _, after = content.partition(b"</sheetData>")
                content = before + (cell("text") + rows).encode() + b"</sheetData>" + after
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.fixture
def write(tmp_path):
    def write_workbook(content: bytes):
        path = tmp_path / "a.xlsx"
        path.write_bytes(content)
        return path

    return write_workbook


def test_cells_of_the_maximum_length_are_read(write):
    texts = ["a" * 32_767, "&amp;" * 32_767, "&#x1F600;" * 32_767]
    lengths = [len(text) for text in read_texts(write(workbook("".join(map(cell, texts)))), "text")]
    assert lengths == [32_767] * 3


@pytest.mark.parametrize("length", [32_768, 50_000_000])
def test_longer_cells_are_refused_unread(write, length):
    path = write(workbook(cell("a" * length)))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="a cell has more than 32,767 characters, the limit of Excel"):
            list(read_texts(path, "text"))
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("row", ["<row/>", cell("a text")])
def test_more_rows_than_excel_has_are_refused(write, monkeypatch, row):
    monkeypatch.setattr(excel, "MAX_ROWS", 5000)
    assert len(list(read_texts(write(workbook(cell("a text") * 4999)), "text"))) == 4999
    with pytest.raises(InputError, match="more than 5,000 rows, the limit of Excel"):
        list(read_texts(write(workbook(row * 5000)), "text"))


def test_a_larger_unpacked_size_is_requested_by_option(write, tmp_path):
    path = write(workbook(cell("the card was declined") * 40_000))
    assert path.stat().st_size < 100_000
    with pytest.raises(
        InputError, match=r"expands to more than 1,000,000 bytes: .* larger max_unpacked=SIZE"
    ):
        read_texts(path, "text", ReadOptions(max_unpacked=1_000_000))
    assert len(list(read_texts(path, "text", ReadOptions(max_unpacked=10_000_000)))) == 40_000
    arguments = ("embed", tmp_path / "no.model", path, "--column", "text", "-o", tmp_path / "a.npy")
    assert "larger --max-unpacked SIZE" in one_line_error(tacit(*arguments, "--max-unpacked", "1MB"))
    assert "--max-unpacked=much: give a size" in one_line_error(tacit(*arguments, "--max-unpacked", "much"))


def test_an_archive_that_states_a_wrong_size_is_refused(write):
    """Only as many bytes as stated are unpacked."""
    content = bytearray(workbook(cell("a text") * 100_000))
    entry = content.rindex(b"PK\x01\x02", 0, content.rindex(SHEET.encode()))
    struct.pack_into("<I", content, entry + 24, 1000)
    with pytest.raises(InputError, match="damaged, or not an Excel workbook"):
        list(read_texts(write(bytes(content)), "text"))
