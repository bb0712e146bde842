"""Files as people have them: dialects, encodings, Excel, HTML, tables on standard input, damage."""

from __future__ import annotations

import gzip
import os
import threading

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from helpers.cli_runs import command, one_line_error, tacit

SMALL = ("--components", 8, "--regularization", 1)


def corpus_of(folder) -> str:
    """The fingerprint of what a model learnt from."""
    return tacit("info", folder, "--json").json["training"]["corpus"]


def semicolons(sentences: list[str]) -> str:
    return "id;said\n" + "".join(f"{number};{text}\n" for number, text in enumerate(sentences))


def workbook(sentences: list[str]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for row in [("id", "said"), *enumerate(sentences)]:
        book.active.append(row)
    return book


def test_a_dialect_is_recognised_and_stated_once(tmp_path, sentences, model):
    (tmp_path / "t.csv").write_text(semicolons([*sentences, ""]), encoding="utf-8-sig")
    result = tacit("train", tmp_path / "m", tmp_path / "t.csv", "--column", "said", *SMALL)
    assert result.code == 0
    assert result.err.splitlines() == [
        f"tacit: {tmp_path}/t.csv: cells are separated by semicolons",
        f"tacit: {tmp_path}/t.csv: 1 of 31 rows have an empty text and are left out",
    ]
    assert corpus_of(tmp_path / "m") == corpus_of(model)


@pytest.mark.parametrize(
    ("name", "encoding", "options"),
    [
        ("t.csv", "utf-8", ["--column", "2", "--header"]),
        ("t.tsv", "utf-8", ["--column", "said", "--delimiter", ";"]),
        ("t.csv", "utf-16", ["--column", "said"]),
        ("t.txt", "windows-1252", ["--column", "said", "--encoding", "windows-1252"]),
    ],
)
def test_reading_options_override_detection(tmp_path, sentences, model, name, encoding, options):
    (tmp_path / name).write_bytes(semicolons(sentences).encode(encoding))
    assert tacit("train", tmp_path / "m", tmp_path / name, *options, *SMALL).code == 0
    assert corpus_of(tmp_path / "m") == corpus_of(model)


def test_excel_and_html_and_standard_input_teach_the_same(tmp_path, sentences, model):
    workbook(sentences).save(tmp_path / "t.xlsx")
    tagged = semicolons([f"<p>{text}</p>" for text in sentences]).encode()
    for source, options, stdin in [
        (tmp_path / "t.xlsx", [], b""),
        ("-", ["--html"], tagged),
        ("-", [], semicolons(sentences).encode()),
    ]:
        trained = tacit("train", tmp_path / "m", source, "--column", "said", *options, *SMALL, stdin=stdin)
        assert trained.code == 0, trained.err
        assert corpus_of(tmp_path / "m") == corpus_of(model)


def test_every_verb_that_reads_tables_reads_them_so(tmp_path, sentences, model):
    (tmp_path / "t.csv").write_bytes(semicolons(["un café", *sentences]).encode("windows-1252"))
    windows = ("--encoding", "windows-1252")
    table = (tmp_path / "t.csv", "--column", "said", *windows)
    assert tacit("embed", model, *table, "-o", tmp_path / "v.npy", "--json").json["rows"] == 31
    assert tacit("index", tmp_path / "i", *table, "--id-column", "id", "--model", model).code == 0
    pairs = tmp_path / "pairs.csv"
    pairs.write_bytes("a;b\nun café;a cat\nthe cat;a cat\n".encode("windows-1252"))
    compared = tacit("compare", model, "--pairs", pairs, "--header", *windows)
    assert [line.split("\t")[1:] for line in compared.out.splitlines()] == [
        ["un café", "a cat"],
        ["the cat", "a cat"],
    ]
    judged = tmp_path / "judged.csv"
    judged.write_text("score,a,b\n5,the cat,a cat\n0,the cat,rain\n3,a cat,a dog\n", encoding="utf-8")
    assert tacit("evaluate", "pairs", "--file", judged, "--header", "--model", model).code == 0
    assert "give --header if" in one_line_error(
        tacit("evaluate", "pairs", "--file", judged, "--model", model)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delimiter", "ab"], "--delimiter 'ab': give one character"),
        (["--encoding", "ansi-8"], "--encoding 'ansi-8' is unknown"),
        (["--no-header"], "has no column 'said'; it has 2: '1', '2'"),
    ],
)
def test_invalid_reading_options_are_errors(tmp_path, options, message):
    (tmp_path / "t.csv").write_text("id,said\n1,a cat\n", encoding="utf-8")
    arguments = (tmp_path / "m", tmp_path / "t.csv", "--column", "said", *options)
    assert message in one_line_error(tacit("train", *arguments))


def test_a_cut_archive_is_one_line_and_no_interruption(tmp_path):
    variant = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'.format
    units = (variant("en", f"a cat {i}") + variant("es", f"gato {i * 7919}") for i in range(3000))
    body = "".join(f"<tu>{unit}</tu>" for unit in units)
    packed = gzip.compress(f"<tmx><body>{body}</body></tmx>".encode())
    (tmp_path / "t.tmx.gz").write_bytes(packed[: len(packed) // 2])
    arguments = ("--parallel", tmp_path / "t.tmx.gz", "--languages", "en,es")
    error = one_line_error(command("train", tmp_path / "m", *arguments))
    assert "t.tmx.gz is damaged, or not TMX (Compressed file ended" in error


def test_a_damaged_parquet_file_is_one_line_for_an_index_too(tmp_path, model):
    texts = [f"text number {i} about banks and money" for i in range(50)]
    pyarrow.parquet.write_table(pyarrow.table({"text": texts}), tmp_path / "t.parquet", compression="none")
    raw = bytearray((tmp_path / "t.parquet").read_bytes())
    raw[raw.index(b"banks")] = 0xFF
    (tmp_path / "t.parquet").write_bytes(raw)
    error = one_line_error(
        tacit("index", tmp_path / "i", tmp_path / "t.parquet", "--column", "text", "--model", model)
    )
    assert "t.parquet is damaged, or not Parquet ('utf-8' codec" in error


def test_end_of_file_is_not_reported_as_ctrl_c(tmp_path, monkeypatch, corpus):
    def fit(*_args: object) -> None:
        raise EOFError("of something else")

    monkeypatch.setattr("tacit.training.wtmf.WTMF.fit", fit)
    assert "a file ends too early (of something else)" in one_line_error(
        tacit("train", tmp_path / "m", corpus)
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_indexed_and_read_once(tmp_path, sentences, model):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("\n".join(sentences), "utf-8"), daemon=True)
    writer.start()
    result = command("index", tmp_path / "i", pipe, "--model", model)
    assert (result.code, result.err) == (0, "")
    assert f"{tmp_path}/i: 30 texts, 30 of them new" in result.out


def test_missing_second_file_is_reported_before_loading(tmp_path, corpus):
    for absent in ([tmp_path / "absent.txt", "--model", tmp_path / "no-model"], [tmp_path / "absent.txt"]):
        result = tacit("index", tmp_path / "i", corpus, *absent)
        assert "no such file" in one_line_error(result)
        assert "absent.txt" in result.err
    assert not (tmp_path / "i").exists()
