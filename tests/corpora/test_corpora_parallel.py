"""Pairs of texts from TSV, two files and TMX; what is wrong is named by its line."""

from __future__ import annotations

import gzip

import openpyxl
import pytest

from helpers.sources import error_message, write_file
from tacit.corpora import ReadOptions, read_parallel
from tacit.errors import InputError

TMX = """<?xml version="1.0"?>
<tmx version="1.4"><header/><body>
<tu><tuv xml:lang="en-GB"><seg>a cat</seg></tuv><tuv xml:lang="es"><seg>un <b>gato</b></seg></tuv></tu>
<tu><tuv xml:lang="EN"><seg>a dog</seg></tuv><tuv xml:lang="de"><seg>ein Hund</seg></tuv></tu>
<tu><tuv xml:lang="es_MX"><seg>una casa</seg></tuv><tuv xml:lang="en"><seg>a house</seg></tuv></tu>
</body></tmx>
"""


def test_a_table_of_two_columns(tmp_path):
    path = write_file(tmp_path, "a.tsv", "a cat\tun gato\n\na dog\tun perro\r\n")
    assert list(read_parallel([path], ["en", "es"])) == [("a cat", "un gato"), ("a dog", "un perro")]


def test_two_files_line_by_line(tmp_path):
    paths = [write_file(tmp_path, "a.en", "a cat\n\na dog"), tmp_path / "a.es.gz"]
    paths[1].write_bytes(gzip.compress(b"un gato\n\nun perro\n"))
    assert list(read_parallel(paths, ["en", "es"])) == [("a cat", "un gato"), ("a dog", "un perro")]


def test_tmx_languages_without_region_in_any_order(tmp_path):
    path = write_file(tmp_path, "a.tmx", TMX)
    assert list(read_parallel([path], ["en", "es"])) == [("a cat", "un gato"), ("a house", "una casa")]
    assert list(read_parallel([path], ["de", "en"])) == [("ein Hund", "a dog")]


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_any_table_of_two_columns(tmp_path, name):
    path = tmp_path / name
    if name == "a.csv":
        path.write_text("en;es\na cat;un gato\n", encoding="utf-8")
    else:
        book = openpyxl.Workbook()
        for row in [("en", "es"), ("a cat", "un gato")]:
            book.active.append(row)
        book.save(path)
    assert list(read_parallel([path], ["en", "es"], ReadOptions(header=True))) == [("a cat", "un gato")]


@pytest.mark.parametrize("damage", ["cut", "garbled"])
def test_a_damaged_archive_of_translations_is_refused(tmp_path, damage):
    units = "".join(TMX.splitlines()[2] for _ in range(2000))
    packed = gzip.compress(TMX.replace("</body>", units + "</body>").encode(), mtime=0)
    middle = len(packed) // 2
    whole = {"cut": packed[:middle], "garbled": packed[:middle] + b"\xff" * 40 + packed[middle + 40 :]}
    message = error_message(read_parallel, [write_file(tmp_path, "a.tmx.gz", whole[damage])], ["en", "es"])
    assert "a.tmx.gz is damaged, or not TMX (" in message
    assert message.endswith("; copy or write it again")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.tsv": "a\tb\nalone\n"}, r"a\.tsv, line 2 has 1 column, not 2"),
        ({"a.tsv": "a\tb\n\na\tb\tc\n"}, r"a\.tsv, line 3 has 3 columns, not 2"),
        ({"a.tsv": "a\tb\n\tb\n"}, r"a\.tsv, line 2: the first text is empty"),
        ({"a.tsv": "a\t \n"}, r"a\.tsv, line 1: the second text is empty"),
        ({"a.en": "a\nb\n", "a.es": "x\n"}, r"a\.es ends before line 2"),
        ({"a.en": "a\n", "a.es": "x\ny\n"}, r"a\.en ends before line 2"),
        ({"a.en": "a\nb\n", "a.es": "x\n\n"}, r"a\.es, line 2: the second text is empty"),
        ({"a.tmx": TMX.replace("un <b>gato</b>", " ")}, r"a\.tmx, unit 1: the second text is empty"),
        ({"a.tmx": TMX.replace('"es', '"fr')}, r"no texts of 'es'; its languages: de, en, fr"),
        ({"a.tmx": TMX[:200]}, r"a\.tmx is damaged, or not TMX \(no element found"),
        ({"a.tmx": "<?xml version='1.0' encoding='ansi-8'?><tmx/>"}, r"a\.tmx is damaged, or not TMX"),
        ({"a": "", "b": "", "c": ""}, "3 files of pairs"),
    ],
)
def test_errors_name_the_line(tmp_path, files, message):
    paths = [write_file(tmp_path, name, text) for name, text in files.items()]
    with pytest.raises(InputError, match=message):
        list(read_parallel(paths, ["en", "es"]))
