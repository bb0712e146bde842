"""The partitions of a corpus have the same texts as the corpus."""

from __future__ import annotations

import gzip
import json
import os
import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.corpora import ReadOptions, read_records, read_texts
from tacit.corpora.partitions import partition_corpus
from tacit.errors import InputError

LINE = st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r"), max_size=12)
CELL = st.text(st.sampled_from('ab ,;"\n\té'), max_size=6)


def texts_of(parts, **options):
    return [text for part in parts for text in part.texts(**options)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cut")


@settings(max_examples=60)
@given(lines=st.lists(LINE, max_size=30), end=st.sampled_from(["\n", "\r\n"]), size=st.integers(1, 60))
def test_lines_are_split_at_their_ends(folder, lines, end, size):
    path = folder / "notes.txt"
    path.write_bytes(end.join(lines).encode())
    parts = partition_corpus([path], size=size)
    assert texts_of(parts) == list(read_texts(path))
    assert texts_of(parts, keep_blank=True) == list(read_texts(path, keep_blank=True))


@settings(max_examples=80)
@given(
    rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=20),
    mark=st.sampled_from(",;\t"),
    column=st.sampled_from(["text", "2"]),
    size=st.integers(1, 60),
)
def test_csv_is_split_between_rows_not_in_quotes(folder, rows, mark, column, size):
    path = folder / "table.csv"
    quoted = [tuple('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    table = ([("id", "text")] if column == "text" else []) + quoted
    path.write_text("".join(f"{mark.join(row)}\n" for row in table), encoding="utf-8", newline="")
    reading = ReadOptions(delimiter=mark)
    expected = list(read_records(path, column, options=reading))
    records = [
        record for part in partition_corpus([path], column, reading, size=size) for record in part.records()
    ]
    assert [record.text for record in records] == [record.text for record in expected]
    assert [list(record.columns.values()) for record in records] == [
        list(record.columns.values()) for record in expected
    ]


def test_a_quote_within_a_cell_is_no_quoted_cell(folder):
    path = folder / "inches.csv"
    rows = ['1,a 5" disk', '2,"two\nlines"', "3,plain"] * 30
    path.write_text("id,text\n" + "\n".join(rows) + "\n", encoding="utf-8", newline="")
    parts = partition_corpus([path], "text", size=50)
    assert len(parts) > 10
    assert texts_of(parts) == list(read_texts(path, "text"))


def test_damaged_csv_is_one_part_and_its_row_is_named(folder):
    path = folder / "damaged.csv"
    path.write_bytes(b"id,text\n" + b"1,plain\n" * 30 + b"31,a\rb\n" + b"32,plain\n" * 30)
    (part,) = partition_corpus([path], "text", size=50)
    with pytest.raises(InputError, match="the row that starts on line 32 is not CSV"):
        list(part.texts())


def test_csv_with_a_too_long_line_is_one_part(folder, monkeypatch):
    monkeypatch.setattr("tacit.corpora.partitions.MAX_LINE_BYTES", 20)
    path = folder / "long.csv"
    path.write_bytes(b"id,text\n" + b"1,plain\n" * 30 + b"31," + b"x" * 30 + b"\n")
    assert len(partition_corpus([path], "text", size=50)) == 1


def test_each_format_of_rows(folder):
    texts = [f"text number {n} is here" for n in range(200)]
    tsv, jsonl, parquet = folder / "t.tsv", folder / "t.jsonl", folder / "t.parquet"
    tsv.write_text("id\ttext\n" + "".join(f"{n}\t{t}\n" for n, t in enumerate(texts)), encoding="utf-8")
    jsonl.write_text("".join(json.dumps({"text": t}) + "\n" for t in texts), encoding="utf-8")
    pq.write_table(pa.table({"text": texts}), parquet, row_group_size=20)
    for path in (tsv, jsonl, parquet):
        parts = partition_corpus([path], "text", size=500)
        assert len(parts) > 2, path
        assert texts_of(parts) == texts


def test_files_that_cannot_be_split_are_one_part(folder):
    zipped, wide = folder / "t.txt.gz", folder / "wide.txt"
    zipped.write_bytes(gzip.compress(b"a cat\na dog\n"))
    wide.write_bytes("a cat\na dog\n".encode("utf-16"))
    for path in (zipped, wide):
        parts = partition_corpus([path], size=5)
        assert len(parts) == 1
        assert texts_of(parts) == ["a cat", "a dog"]


def test_pattern_is_sorted_and_small_files_are_grouped(tmp_path):
    for number in range(20):
        (tmp_path / f"part-{number:02}.txt").write_text(f"text {number}\n", encoding="utf-8")
    parts = partition_corpus([str(tmp_path / "part-*.txt")], size=40)
    assert texts_of(parts) == [f"text {number}" for number in range(20)]
    assert 2 < len(parts) < 8
    with pytest.raises(InputError, match=r"no file matches .*none-\*.txt; check the pattern"):
        partition_corpus([str(tmp_path / "none-*.txt")])


def test_a_partition_is_small_and_can_be_sent(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a cat\n" * 10_000, encoding="utf-8")
    part = partition_corpus([path], size=10_000)[3]
    sent = pickle.dumps(part)
    assert len(sent) < 2000
    assert list(pickle.loads(sent).texts()) == list(part.texts())


def test_named_corpora_are_partitions():
    (part,) = partition_corpus([], corpora=["wordnet"])
    assert next(part.texts()).startswith("entity")
    assert next(part.records()).id == "00001740-n"


def test_modified_or_missing_file_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a cat\n" * 100, encoding="utf-8")
    part = partition_corpus([path], size=100)[1]
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match=r"notes.txt was modified after the run started: start"):
        next(part.texts())
    path.write_text("a cat\n" * 10, encoding="utf-8")
    with pytest.raises(InputError, match=r"\(600 bytes, now 60\)"):
        part.check()
    path.unlink()
    with pytest.raises(InputError, match=r"no such file: .*notes.txt"):
        part.check()


def test_a_file_cut_short_while_it_is_read_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a cat\n" * 100_000, encoding="utf-8")
    part = partition_corpus([path], size=500_000)[0]
    texts = part.texts()
    next(texts)
    os.truncate(path, 300_000)
    with pytest.raises(InputError, match=r"notes.txt \(from byte 0\) is damaged \(it ends .* bytes early"):
        list(texts)


def test_standard_input_cannot_be_partitioned():
    with pytest.raises(InputError, match="save it to a file first"):
        partition_corpus(["-"])


def test_errors_name_the_start_of_the_range(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(b"a cat\n" * 100 + b"caf\xe9\n")
    part = partition_corpus([path], size=300)[-1]
    with pytest.raises(InputError, match=r"notes.txt \(from byte 600\), line 1, byte 4"):
        list(part.texts())


def test_identity_of_a_part_is_the_text_of_version_0_1(folder, monkeypatch):
    """Work folders store its digest: another text would make every stopped training start again."""
    monkeypatch.chdir(folder)
    table, second = folder / "it's.csv", 1_700_000_000 * 10**9
    table.write_bytes(b"id,text\r\n1,a cat\r\n2,a dog\r\n")
    os.utime(table, ns=(second, second))
    options = ReadOptions("tab", "latin-1", header=True, html=True)
    cut = partition_corpus([table.name], "text", size=15)
    whole = partition_corpus([table.name], None, options, corpora=["wordnet"], size=100)
    identities = [part.identity() for partition in [*cut, *whole] for part in partition.parts]
    assert identities == [
        "Piece(source=\"it's.csv\", part=FileRange(path=\"it's.csv\", start=0, stop=18, head=b'', "
        "unit='byte'), column='text', options=ReadOptions(delimiter=',', encoding=None, header=None, "
        "html=False), file_size=27, modified=1700000000000000000, named=False)",
        'Piece(source="it\'s.csv", part=FileRange(path="it\'s.csv", start=18, stop=27, '
        "head=b'id,text\\r\\n', unit='byte'), column='text', options=ReadOptions(delimiter=',', "
        "encoding=None, header=None, html=False), file_size=27, modified=1700000000000000000, named=False)",
        "Piece(source='wordnet', part=None, column=None, options=ReadOptions(delimiter='tab', "
        "encoding='latin-1', header=True, html=True), file_size=100, modified=0, named=True)",
        "Piece(source=\"it's.csv\", part=None, column=None, options=ReadOptions(delimiter='\\t', "
        "encoding='latin-1', header=True, html=True), file_size=27, modified=1700000000000000000, "
        "named=False)",
    ]


@pytest.mark.parametrize("size", [0, -5, 2.5])
def test_partition_size_must_be_a_positive_integer(tmp_path, size):
    path = tmp_path / "notes.txt"
    path.write_text("a cat\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"size={size}: expected an integer of at least 1"):
        partition_corpus([path], size=size)
