"""themes and report, as people use them."""

from __future__ import annotations

import csv
import json

import pytest

from helpers.cli_runs import tacit
from helpers.complaints import complaints
from tacit.workflows import RecordOptions, RecordSource

TEXTS, TOPICS = complaints(120)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "complaints.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "topic"])
        rows.writerows(
            [f"C{i}", text, topic] for i, (text, topic) in enumerate(zip(TEXTS, TOPICS, strict=True))
        )
    return path


COLUMNS = ("--column", "text", "--id-column", "id")


def test_themes_are_printed_with_counts_and_quotes(table):
    printed = tacit("themes", table, *COLUMNS, "--themes", 4, "--by", "topic")
    assert printed.code == 0, printed.err
    lines = printed.out.splitlines()
    assert len([line for line in lines if line[:2] in (" 1", " 2", " 3", " 4")]) == 4
    assert lines[1].strip().strip("“”") in TEXTS
    assert any(line.startswith("  delivery, 30 texts: more ") for line in lines)


def test_stability_of_the_compared_numbers_is_printed(table):
    values = json.loads(tacit("themes", table, *COLUMNS, "--json").out)
    (other,) = {"5", "6"} - {str(values["n_themes"])}
    lines = tacit("themes", table, *COLUMNS).out.splitlines()
    assert f"half the texts agree to {values['stability']:.2f} (1 is the maximum)." in lines[-2]
    assert lines[-1] == f"Other numbers of themes: {other} {values['agreement'][other]:.2f} (--themes N)."
    assert "Stability" not in tacit("themes", table, *COLUMNS, "--themes", 4).out


def test_json_and_table_have_the_same_themes(table, tmp_path):
    out = tmp_path / "themes.csv"
    printed = tacit("themes", table, *COLUMNS, "-o", out, "--json")
    values = json.loads(printed.out)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [f"C{i}" for i in range(len(TEXTS))]
    assert [row["topic"] for row in rows] == TOPICS
    for theme in values["themes"]:
        assert sum(row["theme"] == theme["name"] for row in rows) == theme["n_texts"]


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl", ".parquet", ".xlsx"])
def test_table_is_written_in_every_format(table, tmp_path, suffix):
    extra = {".parquet": "pyarrow", ".xlsx": "openpyxl"}.get(suffix)
    if extra:
        pytest.importorskip(extra, reason=f"{extra} is not installed")
    out = tmp_path / f"themes{suffix}"
    assert tacit("themes", table, *COLUMNS, "--themes", 4, "-o", out).code == 0
    records = list(RecordSource((str(out),), options=RecordOptions("text", "id")).records())
    assert [record.text for record in records] == TEXTS
    assert list(records[0].columns) == ["theme", "subtheme", "strength", "topic"]


def test_work_folder_takes_new_texts_names_and_numbers(table, tmp_path):
    work, new = tmp_path / "work", tmp_path / "new.csv"
    new.write_text("id,text\nN1,the parcel is with the courier and the driver\n", encoding="utf-8")
    assert tacit("themes", table, *COLUMNS, "--work", work).code == 0
    renamed = tacit("themes", work, "--themes", 4, "--rename", "1=First theme")
    assert "1  First theme: 30 texts" in renamed.out
    added = tacit("themes", work, "--add", new, *COLUMNS, "--json")
    assert json.loads(added.out)["n_texts"] == len(TEXTS) + 1
    assert "1  First theme" in tacit("themes", work).out


def test_the_second_run_says_that_it_trains_nothing(table, tmp_path):
    again = "the model and the graph of an earlier run are used again"
    first = tacit("themes", table, *COLUMNS)
    assert again not in first.err
    second = tacit("themes", table, *COLUMNS, "--themes", 8)
    assert again in second.err
    assert second.out == tacit("themes", table, *COLUMNS, "--themes", 8, "--no-cache").out
    report = tacit("report", table, *COLUMNS, "-o", tmp_path / "report.md", "--themes", 3)
    assert again in report.err


def test_no_cache_keeps_nothing(table, cache_folder):
    tacit("themes", table, *COLUMNS, "--themes", 3, "--no-cache")
    assert not cache_folder.exists()


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_report_is_written(table, tmp_path, suffix):
    out = tmp_path / f"report{suffix}"
    written = tacit("report", table, *COLUMNS, "-o", out, "--title", "What they say", "--themes", 4)
    assert written.code == 0, written.err
    assert written.out.strip() == f"{out}: 120 texts, 4 themes"
    content = out.read_text(encoding="utf-8")
    assert "What they say" in content
    assert "delivery" in content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["themes"], "Missing argument|nothing to read"),
        (["themes", "TABLE", "--themes", "1"], "from 2 to 500"),
        (["themes", "TABLE", "--rename", "3"], "new name"),
        (["themes", "TABLE", "--column", "text", "--by", "nope"], "no column 'nope'"),
        (["report", "TABLE", "-o", "x.pdf"], "must end in"),
        (["themes", "TABLE", "-o", "x.doc"], "must end in"),
    ],
)
def test_mistakes_are_one_line(table, arguments, message):
    failed = tacit(*(table if argument == "TABLE" else argument for argument in arguments))
    assert failed.code != 0
    assert any(part in failed.err for part in message.split("|"))
