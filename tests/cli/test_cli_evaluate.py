"""tacit evaluate, on pairs of our own and on standard sets."""

from __future__ import annotations

import json

import numpy as np
import pytest

from helpers.cli_runs import tacit
from tacit.evaluation import TASKS, DataFile, PublishedResult, Task
from tacit.evaluation.pair_tasks import PER_SET

PAIRS = """\
5\tthe cat sleeps\ta cat sleeps
4\ta puppy barks\ta dog barks
1\tthe bank lends money\tthe wind brings rain
0\tsnow at night\tpay the loan
2\t\ta dog barks
"""


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


@pytest.mark.parametrize("measure", ["blend", "latent", "lexical", "alignment"])
def test_pairs_of_our_own(model, pairs, measure):
    import tacit as library

    results = tacit(
        "evaluate", "pairs", "--file", pairs, "--model", model, "--measure", measure, "--json", "-"
    ).json
    assert [result["scorer"] for result in results] == list(
        dict.fromkeys([measure, "latent", "lexical", "random"])
    )
    rows = [line.split("\t") for line in PAIRS.splitlines()]
    gold, left, right = zip(*rows, strict=True)
    scores = library.load(model).similarity_pairwise(left, right, measure=measure)
    expected = np.corrcoef(np.array(gold, float), scores)[0, 1]
    assert results[0]["pearson"] == pytest.approx(expected, abs=1e-6)
    assert results[0]["pairs"] == 5
    assert results[0]["without_known_words"] == 1


def test_labels_give_precision_and_recall_at_thresholds(model, tmp_path):
    from sklearn.metrics import average_precision_score, f1_score

    import tacit as library

    rows = [line.split("\t") for line in PAIRS.splitlines()]
    labels = [int(float(score) >= 2) for score, _, _ in rows]
    file = tmp_path / "labels.tsv"
    lines = [f"{label}\t{a}\t{b}\n" for label, (_, a, b) in zip(labels, rows, strict=True)]
    file.write_text("".join(lines), encoding="utf-8")
    done = tacit("evaluate", "pairs", "--file", file, "--model", model, "--json", tmp_path / "r.json")
    assert "threshold from  precision" in done.out
    assert "pairs: calibration_error" in done.out
    metrics = next(iter(json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))[0]["sets"].values()))
    scores = library.load(model).similarity_pairwise([row[1] for row in rows], [row[2] for row in rows])
    assert metrics["average_precision"] == pytest.approx(average_precision_score(labels, scores), abs=1e-6)
    assert metrics["f1_at_0.5"] == pytest.approx(f1_score(labels, scores >= 0.5, zero_division=0), abs=1e-6)
    assert metrics["best_f1"] == pytest.approx(
        max(f1_score(labels, scores >= cut, zero_division=0) for cut in scores), abs=1e-6
    )


def test_a_table_for_people_and_json_in_a_file(model, pairs, tmp_path):
    file = tmp_path / "results.json"
    done = tacit("evaluate", "pairs", "--file", pairs, "--model", model, "--json", file)
    assert done.code == 0
    assert "pairs: pearson" in done.out
    assert "blend" in done.out
    assert "1 text without a known word" in done.err
    assert {result["task"] for result in json.loads(file.read_text(encoding="utf-8"))} == {"pairs"}


def test_the_tasks_are_listed():
    done = tacit("evaluate", "--list")
    assert {line.split()[0] for line in done.out.splitlines()} >= {"sts12", "stsb", "li06", "msr04", "search"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sts12"], "--model MODEL"),
        (["sts11", "--model", "m"], "there is no task 'sts11'"),
        (["pairs", "--model", "m"], "--file FILE.tsv"),
        (["sts12", "--model", "no/such/model"], "no model at no/such/model"),
    ],
)
def test_missing_arguments_are_named(arguments, message):
    done = tacit("evaluate", *arguments)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1


def test_bad_pairs_measures_and_data(model, tmp_path, monkeypatch):
    bad = tmp_path / "bad.tsv"
    bad.write_text("5\ta cat\ta dog\n5\ta cat\n", encoding="utf-8")
    done = tacit("evaluate", "pairs", "--file", bad, "--model", model)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "line 2" in done.err
    done = tacit("evaluate", "pairs", "--file", bad, "--model", model, "--measure", "cos")
    assert done.code == 1
    monkeypatch.delenv("TACIT_DATA", raising=False)
    done = tacit("evaluate", "sts12", "--model", model)
    assert done.code == 1
    assert "TACIT_DATA" in done.err


def test_a_standard_set_beside_the_published_figures(model, data):
    done = tacit("evaluate", "li06", "--model", model, "--data", data)
    assert done.code == 0
    assert "Guo & Diab" in done.out


def test_a_task_is_one_entry_in_one_table(model, pairs, monkeypatch):
    files = (DataFile("notes", str(pairs), languages=("en", "en")),)
    figures = (PublishedResult("a model", "a paper", {"pearson": {"notes": 0.5}}),)
    monkeypatch.setitem(TASKS, "mine", Task("mine", "My notes", PER_SET, files, "mine", figures))
    assert "My notes" in tacit("evaluate", "--list").out
    done = tacit("evaluate", "mine", "--model", model)
    assert done.code == 0
    tables = done.out.split("\n\n")
    assert [table.split("\n")[0] for table in tables[:2]] == ["mine: pearson", "mine: spearman"]
    assert tables[0].split("\n")[-1].split() == ["a", "model", "(a", "paper)", ".5000"]
