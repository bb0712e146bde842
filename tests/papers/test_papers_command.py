"""python -m papers, on a corpus and tables made up here."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from helpers.cli_runs import call, one_line_error, tree
from papers import REPRODUCTIONS, Cell, Laboratory, Model, Plot, Reproduction, Row
from papers import __main__ as command
from papers.corpora import CORPORA, Corpus, Source

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
    return call(command.run, "papers", *args)


@pytest.fixture(autouse=True)
def _logging_as_before():
    """The command takes the library's log for itself; other tests read it."""
    logger = logging.getLogger("tacit")
    handlers, propagate = list(logger.handlers), logger.propagate
    yield
    logger.handlers[:], logger.propagate = handlers, propagate


@pytest.fixture
def sentences():
    return [f"{text} {day}" for day in ("today", "at night", "each month") for text in (*ANIMALS, *MONEY)]


def wtmf(k):
    return Model("wtmf", {"n_components": k, "regularization": 1.0, "n_iter": 2}, random=True)


@pytest.fixture
def folder(tmp_path, sentences, monkeypatch):
    """A data folder, a corpus of it, and a figure to reproduce from that."""
    data = tmp_path / "data"
    (data / "sts/li06").mkdir(parents=True)
    (data / "notes.txt").write_text("\n".join(sentences), encoding="utf-8")
    pairs = [f"{n % 5}\t{a}\t{b}\n" for n, (a, b) in enumerate(zip(sentences, sentences[7:], strict=False))]
    for name in ("li30_wtmf.tsv", "li65.tsv"):
        (data / "sts/li06" / name).write_text("".join(pairs), encoding="utf-8")
    (data / "sts/li06/li65.index").write_text("1\n0\n0\n" + "0\n" * (len(pairs) - 3), encoding="utf-8")
    monkeypatch.setitem(CORPORA, "notes", Corpus("notes", "Notes", (Source("notes.txt"),), ("li06",)))
    rows = (Row("WTMF, K=2", wtmf(2)), Row("WTMF, K=3", wtmf(3)))
    figure = Reproduction("tiny", "Tiny", "notes", (Cell("r", KEY),), rows, Plot("n_components", "K"))
    monkeypatch.setitem(REPRODUCTIONS, "tiny", figure)
    monkeypatch.setattr("papers.page.BEYOND", (figure,))
    return data


def test_the_names_are_listed():
    lines = papers("--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(REPRODUCTIONS)
    assert {"acl2012-table2", "sem2012-table3", "nips2002-table1", "few-labels-r8"} <= {
        line.split()[0] for line in lines
    }


def test_results_are_written_and_then_taken_from_the_cache(folder, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    run = ("tiny", "--out", out, "--data", folder, "--seeds", 2, "--threads", 1)
    done = papers(*run)
    assert (done.code, done.err, done.out) == (0, "", f"{out / 'tiny.json'}\n")
    assert {path.name for path in out.iterdir()} == {"runs", "tiny.json", "tiny.png"}
    rows = json.loads((out / "tiny.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["title"], row["seeds"]) for row in rows] == [("WTMF, K=2", [0, 1]), ("WTMF, K=3", [0, 1])]
    before = (out / "tiny.json").read_bytes()
    assert len(list((out / "runs").iterdir())) == 4
    monkeypatch.setattr("papers.laboratory.train", None)
    assert papers(*run) == done
    assert (out / "tiny.json").read_bytes() == before


def test_an_interrupt_leaves_a_cache_that_is_taken_up(folder, tmp_path, monkeypatch):
    run = ("tiny", "--out", tmp_path / "out", "--data", folder, "--seeds", 2)
    real, asked = Laboratory.run, []

    def stopping(self, experiment):
        asked.append(experiment.title)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(self, experiment)

    with monkeypatch.context() as patched:
        patched.setattr(Laboratory, "run", stopping)
        error = one_line_error(papers(*run), code=130)
    assert "stopped after 2 of 4 experiments; the same command takes up from there" in error
    assert len(list((tmp_path / "out/runs").iterdir())) == 2
    kept = tree(tmp_path / "out/runs")
    assert papers(*run).code == 0
    assert len(tree(tmp_path / "out/runs")) == 4
    assert tree(tmp_path / "out/runs").items() >= kept.items()


def test_what_is_known_so_far_is_written_and_nothing_trained(folder, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    out, page = tmp_path / "out", tmp_path / "docs/page.md"
    page.parent.mkdir()
    run = ("tiny", "--out", out, "--data", folder)
    assert papers(*run, "--seeds", 1).code == 0
    monkeypatch.setattr("papers.laboratory.train", None)
    done = papers(*run, "--seeds", 2, "--known", "--page", page)
    assert (done.code, done.out) == (0, f"{out / 'tiny.json'}\n{page}\n")
    rows = json.loads((out / "tiny.json").read_text(encoding="utf-8"))["rows"]
    assert {(row["runs"], row["wanted"]) for row in rows} == {(1, 2)}
    nothing = papers("tiny", "--out", tmp_path / "new", "--data", folder, "--known")
    assert (nothing.code, (tmp_path / "new/tiny.png").exists()) == (0, False)
    assert papers("tiny", "--out", out, "--data", "no/such/folder", "--known").code == 1
    assert "(../out/tiny.png)" in page.read_text(encoding="utf-8")
    assert "WTMF, K=3" in page.read_text(encoding="utf-8")


def test_what_this_code_has_not_computed_is_listed(folder, tmp_path):
    run = ("tiny", "--out", tmp_path / "out", "--data", folder)
    missing = papers(*run, "--seeds", 1, "--check")
    assert missing.code == 1
    assert [line.partition(":")[0] for line in missing.out.splitlines()] == ["not run", "not run"]
    assert "2 of 2 runs are not of this code" in missing.err
    assert papers(*run, "--seeds", 1).code == 0
    done = papers(*run, "--seeds", 1, "--check")
    assert (done.code, done.out) == (0, "")


def test_without_matplotlib_the_numbers_are_there_and_the_lack_is_said(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = papers("tiny", "--out", tmp_path / "out", "--data", folder, "--seeds", 1)
    assert done.code == 0
    assert done.err.startswith("tacit: tiny.png is not drawn: ")
    assert "tacit[plots]" in done.err
    assert (tmp_path / "out/tiny.json").is_file()
    assert not (tmp_path / "out/tiny.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x"], "name what to reproduce and --out DIR"),
        (["tiny"], "--out DIR"),
        (["acl2012-table9", "--out", "x"], "'acl2012-table9'; there are all, acl2012-table2, "),
        (
            ["tiny", "--out", "OUT", "--data", "no/such/folder"],
            "no/such/folder (given as data) has no notes.txt",
        ),
        (["tiny", "--out", "OUT/data/notes.txt", "--data", "OUT/data"], "notes.txt"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, tmp_path, arguments, message):
    given = [argument.replace("OUT", str(tmp_path)) for argument in arguments]
    assert message in one_line_error(papers(*given))


def test_without_arguments_it_says_how_it_is_called():
    done = papers()
    assert (done.code, done.out.splitlines()[0]) == (0, "Usage: python -m papers [OPTIONS] NAME...|all")


def test_no_seed_is_refused(folder, tmp_path):
    assert "0 is not in the range" in one_line_error(papers("tiny", "--out", tmp_path, "--seeds", 0), code=2)
