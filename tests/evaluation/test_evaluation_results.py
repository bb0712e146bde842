"""Results as JSON and as tables."""

from __future__ import annotations

import json

import pytest

import tacit
from papers.baselines.scorers import SurfaceScorer
from tacit import InputError
from tacit.evaluation import TASKS, DataFile, Result, Task, evaluate, format_comparison
from tacit.evaluation.pair_tasks import SIMILARITY
from tacit.evaluation.registry import AVERAGES
from tacit.evaluation.scorers import RandomScorer

LINES = "5\ta cat\ta cat\n2\ta cat\ta dog\n0\ta cat\tstocks\n"


@pytest.fixture
def task(tmp_path):
    for name in ("first", "second"):
        (tmp_path / f"{name}.tsv").write_text(
            LINES + ("0\t\tx\n" if name == "second" else ""), encoding="utf-8"
        )
    files = (DataFile("first", "first.tsv"), DataFile("second", "second.tsv"))
    return Task("mine", "mine", SIMILARITY, files, "mine")


@pytest.fixture
def result(task, tmp_path):
    return evaluate(task, SurfaceScorer(), tmp_path)


def test_json_has_all_fields(result):
    values = json.loads(result.to_json())
    assert values["format"] == 1
    assert (values["task"], values["scorer"], values["tacit"]) == ("mine", "surface", tacit.__version__)
    assert (values["pairs"], values["without_known_words"]) == (7, 1)
    assert values["seconds"] >= 0
    assert set(values["sets"]) == {"first", "second"}
    assert set(values["sets"]["first"]) == {"pairs", "without_known_words", "pearson", "spearman"}
    for name in ("all", "all_normalized", "mean", "weighted_mean"):
        assert -1 <= values[f"{name}_spearman"] <= 1
        assert -1 <= values[name] <= 1


def test_table_columns_are_aligned(result):
    lines = format_comparison([result]).splitlines()
    assert lines[0] == "mine: pearson"
    assert len({len(line) for line in lines[1:]}) == 1
    assert [float(cell) for cell in lines[2].split()[1:]] == pytest.approx(
        [
            *(metrics["pearson"] for metrics in result.sets.values()),
            *(result.summary[name] for name in AVERAGES),
        ],
        abs=5e-5,
    )


def test_published_results_follow_scorers(task, tmp_path):
    results = [evaluate(task, scorer, tmp_path) for scorer in (RandomScorer(), SurfaceScorer())]
    lines = format_comparison(results, "spearman", TASKS["li06"].published[:1]).splitlines()
    assert lines[1].split() == ["first", "second", "all", "all_normalized", "mean", "weighted_mean"]
    assert [line.split()[0] for line in lines[2:4]] == ["random", "surface"]
    assert lines[4].startswith("WTMF, w_m=.0005 (Guo & Diab")
    assert float(lines[3].split()[1]) == pytest.approx(results[1].value("spearman", "first"), abs=5e-5)


def test_published_result_without_metric_is_left_out(result):
    assert "Guo" not in format_comparison([result], "spearman", TASKS["sts12"].published)


def test_results_of_two_tasks_raise(result):
    other = Result("other", "x", {}, {}, 0)
    with pytest.raises(InputError, match="not on 2: mine, other"):
        format_comparison([result, other])


def test_published_keys_are_sets_and_averages():
    averages = {"all", "all_normalized", "mean", "weighted_mean"}
    for name, sets in (("sts12", averages), ("li06", set()), ("msr04", set())):
        names = {file.name for file in TASKS[name].files} | sets
        for figure in TASKS[name].published:
            assert all(set(values) <= names for values in figure.values.values())


def test_published_weighted_mean_equals_that_of_sets():
    sizes = {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}
    for figure in TASKS["sts12"].published:
        values = figure.values["pearson"]
        if "weighted_mean" in values:
            mean = sum(sizes[name] * values[name] for name in sizes) / 3108
            assert values["weighted_mean"] == pytest.approx(mean, abs=1e-3)
