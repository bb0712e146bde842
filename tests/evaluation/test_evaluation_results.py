"""Results as JSON and as tables."""

from __future__ import annotations

import json

import pytest

import tacit
from tacit import InputError
from tacit.evaluation import TASKS, DataFile, Result, Task, compare, evaluate, render
from tacit.evaluation.baselines import RandomScorer, SurfaceScorer
from tacit.evaluation.pairs import SIMILARITY

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


def test_the_json_says_what_it_is(result):
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


def test_a_result_reads_what_it_wrote(result, tmp_path):
    result.save(tmp_path / "result.json")
    assert Result.from_json((tmp_path / "result.json").read_text(encoding="utf-8")) == result


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "JSON list"),
        ('{"format": 9}', "format 9"),
        ("{}", "format None"),
        ('{"format": 1, "task": "x"}', "without scorer, pairs, without_known_words, seconds, tacit, sets"),
    ],
)
def test_what_is_no_result_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        Result.from_json(text)


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_table_has_every_set_and_average_by_both_measures(result):
    lines = render(result, markdown=True).splitlines()
    assert lines[:2] == ["mine: surface", ""]
    assert cells(lines[2]) == ["", "pairs", "without_known_words", "pearson", "spearman"]
    rows = {cells(line)[0]: cells(line)[1:] for line in lines[4:10]}
    assert list(rows) == ["first", "second", "all", "all_normalized", "mean", "weighted_mean"]
    for name in ("first", "second"):
        assert float(rows[name][2]) == pytest.approx(result.sets[name]["pearson"], abs=5e-5)
        assert float(rows[name][3]) == pytest.approx(result.sets[name]["spearman"], abs=5e-5)
    for name in ("all", "all_normalized", "mean", "weighted_mean"):
        assert float(rows[name][2]) == pytest.approx(result.summary[name], abs=5e-5)
        assert float(rows[name][3]) == pytest.approx(result.summary[f"{name}_spearman"], abs=5e-5)
    assert rows["mean"][2] != rows["mean"][3]
    assert lines[-1] == "1 texts have no known word and score 0"


def test_plain_text_is_aligned_and_says_the_same(result):
    plain, markdown = render(result).splitlines(), render(result, markdown=True).splitlines()
    kept = [line for line in markdown if line and not line.startswith("|--")]
    assert [line.replace("|", " ").split() for line in kept] == [line.split() for line in plain]
    ends = {len(line) for line in plain[1:-1]}
    assert len(ends) == 1


def test_scorers_are_compared_with_the_papers(task, tmp_path):
    results = [evaluate(task, scorer, tmp_path) for scorer in (RandomScorer(), SurfaceScorer())]
    lines = compare(results, "spearman", TASKS["li06"].figures[:1]).splitlines()
    assert lines[1].split() == ["first", "second", "all", "all_normalized", "mean", "weighted_mean"]
    assert [line.split()[0] for line in lines[2:4]] == ["random", "surface"]
    assert lines[4].startswith("WTMF, w_m=.0005 (Guo & Diab")
    assert float(lines[3].split()[1]) == pytest.approx(results[1].value("spearman", "first"), abs=5e-5)


def test_a_figure_without_the_measure_is_left_out(result):
    assert "Guo" not in compare([result], "spearman", TASKS["sts12"].figures)


def test_a_table_is_of_one_task(result):
    other = Result("other", "x", {}, {}, 0)
    with pytest.raises(InputError, match="not on 2: mine, other"):
        compare([result, other])


def test_figures_go_by_the_names_of_sets_and_averages():
    averages = {"all", "all_normalized", "mean", "weighted_mean"}
    for name, sets in (("sts12", averages), ("li06", set()), ("msr04", set())):
        names = {file.name for file in TASKS[name].files} | sets
        for figure in TASKS[name].figures:
            assert all(set(values) <= names for values in figure.values.values())


def test_the_papers_weighted_mean_is_that_of_its_sets():
    sizes = {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}
    for figure in TASKS["sts12"].figures:
        values = figure.values["pearson"]
        if "weighted_mean" in values:
            mean = sum(sizes[name] * values[name] for name in sizes) / 3108
            assert values["weighted_mean"] == pytest.approx(mean, abs=1e-3)
