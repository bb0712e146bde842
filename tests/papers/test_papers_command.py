"""python -m papers, on a small artificial corpus and table."""

from __future__ import annotations

import json
import sys

import pytest

from helpers.cli_runs import call, one_line_error
from papers import ALL_TABLES, Column, ExperimentRunner, ModelSpec, PlotSpec, RowSpec, TableSpec
from papers import __main__ as command
from papers.experiments.corpora import CORPORA, Corpus, Source
from papers.experiments.run_cache import RunCache

KEY = "li06/30 pairs/pearson"
ANIMALS = [
    "the cat sleeps on the mat",
    "a kitten is a young cat",
    "the dog barks at the cat",
    "a puppy is a young dog",
]
MONEY = [
    "the bank lends money",
    "a loan from the bank",
    "the bank pays for the loan",
    "save money at the bank",
]


def papers(*args):
    return call(command.main, "papers", *args)


@pytest.fixture
def sentences():
    return [f"{text} {day}" for day in ("today", "at night", "each month") for text in (*ANIMALS, *MONEY)]


def wtmf(k):
    return ModelSpec("wtmf", {"n_components": k, "regularization": 1.0, "n_iter": 2}, is_random=True)


@pytest.fixture
def folder(tmp_path, sentences, monkeypatch):
    """A data folder with a corpus, and a figure of models trained on it."""
    data = tmp_path / "data"
    (data / "sts/li06").mkdir(parents=True)
    (data / "notes.txt").write_text("\n".join(sentences), encoding="utf-8")
    pairs = [f"{n % 5}\t{a}\t{b}\n" for n, (a, b) in enumerate(zip(sentences, sentences[7:], strict=False))]
    for name in ("li30_wtmf.tsv", "li65.tsv"):
        (data / "sts/li06" / name).write_text("".join(pairs), encoding="utf-8")
    (data / "sts/li06/li65.index").write_text("1\n0\n0\n" + "0\n" * (len(pairs) - 3), encoding="utf-8")
    monkeypatch.setitem(CORPORA, "notes", Corpus("notes", "Notes", (Source("notes.txt"),), ("li06",)))
    rows = (RowSpec("WTMF, K=2", wtmf(2)), RowSpec("WTMF, K=3", wtmf(3)))
    figure = TableSpec("tiny", "Tiny", "notes", (Column("r", KEY),), rows, PlotSpec("n_components", "K"))
    monkeypatch.setitem(ALL_TABLES, "tiny", figure)
    monkeypatch.setattr("papers.report.page.BEYOND", (figure,))
    return data


def test_names_are_listed():
    lines = papers("list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(ALL_TABLES)
    assert {"acl2012-table2", "sem2012-table3", "nips2002-table1", "few-labels-r8"} <= {
        line.split()[0] for line in lines
    }


@pytest.fixture
def path_options(folder, tmp_path):
    """Options for the data folder and the file of runs."""
    return ("--data", folder, "--runs", tmp_path / "runs.jsonl")


def recorded(tmp_path):
    return (tmp_path / "runs.jsonl").read_text(encoding="utf-8").splitlines()


def test_results_are_written_then_read_from_cache(path_options, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    run = ("run", "tiny", "--out", out, *path_options, "--seeds", 2, "--threads", 1)
    done = papers(*run)
    assert (done.code, done.err, done.out) == (0, "", f"{out / 'tiny.json'}\n")
    assert {path.name for path in out.iterdir()} == {"tiny.json", "tiny.png"}
    rows = json.loads((out / "tiny.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["title"], row["seeds"]) for row in rows] == [("WTMF, K=2", [0, 1]), ("WTMF, K=3", [0, 1])]
    before = (out / "tiny.json").read_bytes()
    records = RunCache(tmp_path / "runs.jsonl").records()
    assert recorded(tmp_path) == [record.to_line().rstrip() for record in records]  # sorted at the end
    assert len(records) == 4
    monkeypatch.setattr("papers.experiments.runner.train", None)
    assert papers(*run) == done
    assert (out / "tiny.json").read_bytes() == before


def test_interrupted_run_resumes(path_options, tmp_path, monkeypatch):
    run = ("run", "tiny", "--out", tmp_path / "out", *path_options, "--seeds", 2)
    real, computed = ExperimentRunner.compute, []

    def stopping(self, experiment):
        computed.append(experiment.title)
        if len(computed) == 3:
            raise KeyboardInterrupt
        return real(self, experiment)

    with monkeypatch.context() as patched:
        patched.setattr(ExperimentRunner, "compute", stopping)
        error = one_line_error(papers(*run), code=130)
    assert "stopped after 2 of 4 runs; the same command resumes" in error
    before = recorded(tmp_path)
    assert len(before) == 2
    assert papers(*run).code == 0
    assert len(recorded(tmp_path)) == 4
    assert set(recorded(tmp_path)) > set(before)


def test_tables_and_page_are_written_without_training(path_options, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    out, page = tmp_path / "out", tmp_path / "docs/page.md"
    page.parent.mkdir()
    run = ("run", "tiny", "--out", out, *path_options)
    assert papers(*run, "--seeds", 1).code == 0
    monkeypatch.setattr("papers.experiments.runner.train", None)
    done = papers(*run, "--seeds", 2, "--known")
    assert (done.code, done.out) == (0, f"{out / 'tiny.json'}\n")
    rows = json.loads((out / "tiny.json").read_text(encoding="utf-8"))["rows"]
    assert {(row["runs"], row["wanted"]) for row in rows} == {(1, 2)}
    assert papers("page", out, page).out == f"{page}\n"
    assert "(../out/tiny.png)" in page.read_text(encoding="utf-8")
    assert "WTMF, K=3" in page.read_text(encoding="utf-8")
    no_runs = papers(
        "run", "tiny", "--out", tmp_path / "new", *path_options[:3], tmp_path / "none.jsonl", "--known"
    )
    assert (no_runs.code, (tmp_path / "new/tiny.png").exists()) == (0, False)


def test_runs_that_are_not_recorded_are_listed(path_options, tmp_path):
    missing = papers("check", "tiny", *path_options, "--seeds", 1)
    assert missing.code == 1
    assert [line.partition(" ")[0] for line in missing.out.splitlines()] == ["wtmf", "wtmf"]
    assert "2 of 2 runs are not recorded" in missing.err
    assert papers("run", "tiny", "--out", tmp_path / "out", *path_options, "--seeds", 1).code == 0
    done = papers("check", "tiny", *path_options, "--seeds", 1)
    assert (done.code, done.out) == (0, "")


def test_without_matplotlib_numbers_are_written_with_a_note(path_options, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = papers("run", "tiny", "--out", tmp_path / "out", *path_options, "--seeds", 1)
    assert done.code == 0
    assert done.err.startswith("tacit: tiny.png is not drawn: ")
    assert "tacit[plots]" in done.err
    assert (tmp_path / "out/tiny.json").is_file()
    assert not (tmp_path / "out/tiny.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["run", "--out", "x"], "NAME...|all", 2),
        (["run", "tiny"], "'--out'", 2),
        (["run", "acl2012-table9", "--out", "x"], "'acl2012-table9'; there are all, acl2012-table2, ", 1),
        (["check", "tiny", "--data", "no/such/folder"], "no/such/folder (given as data) has no notes.txt", 1),
        (
            ["run", "tiny", "--out", "x", "--data", "OUT/data", "--runs", "OUT/data"],
            "data: Is a directory",
            1,
        ),
        (["run", "tiny", "--out", "x", "--seeds", "0"], "0 is not in the range", 2),
        (["verify", "--all-under", "soon"], "'soon' is not a time: give it as 10s or 2min", 2),
        (["verify", "tiny"], "give --all-under with names", 1),
    ],
)
def test_errors_are_one_line(folder, tmp_path, arguments, message, code):
    arguments_with_paths = [argument.replace("OUT", str(tmp_path)) for argument in arguments]
    assert message in one_line_error(papers(*arguments_with_paths), code=code)


def test_usage_is_printed_without_arguments():
    done = papers()
    assert (done.code, done.out.splitlines()[0]) == (0, "Usage: python -m papers [OPTIONS] COMMAND [ARGS]...")
