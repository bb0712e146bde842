"""Recorded runs are recomputed, and every figure compared to the digits that the page prints."""

from __future__ import annotations

import json
from dataclasses import replace
from unittest.mock import patch

import pytest

from helpers.cli_runs import call
from papers import ALL_TABLES, Column, ExperimentRunner, ModelSpec, RowSpec, TableSpec, find_tables
from papers import __main__ as command
from papers.experiments.verification import Verification, max_printed_decimals, select_fastest, select_under
from papers.tables.catalogue import PAPERS

KEY = "li06/30 pairs/pearson"
IR, RANDOM = ModelSpec("ir"), ModelSpec("random", is_random=True)


def verify(*args):
    return call(command.main, "papers", "verify", *args)


@pytest.fixture
def lab(folder, tmp_path, monkeypatch):
    """A runner that has run the only table there is: IR, and random scores by two seeds."""
    rows = (RowSpec("IR", IR), RowSpec("random", RANDOM))
    table = TableSpec("acl2012-tiny", "Tiny", "definitions", (Column("r", KEY),), rows, runs=2)
    monkeypatch.setattr("papers.experiments.verification.PAPERS", {"acl2012": "ACL 2012"})
    lab = ExperimentRunner(tmp_path / "runs.jsonl", folder)
    # monkeypatch.delitem would restore the tables in reverse order
    with patch.dict(ALL_TABLES, {table.name: table}, clear=True):
        for experiment in table.experiments(2):
            lab.run(experiment)
        yield lab


def places(lab):
    return ("--data", lab.data, "--runs", lab.cache.file)


def rewrite(lab, change):
    """Change a figure of every IR record of the file."""
    for record in lab.cache.records():
        if record.key.model == "ir":
            lab.cache.append(replace(record, numbers={**record.numbers, KEY: change(record.numbers[KEY])}))


@pytest.mark.parametrize("arguments", [(), ("--all-under", "1min")])
def test_unchanged_runs_have_no_difference(lab, arguments):
    before = lab.cache.file.read_bytes()
    done = verify(*arguments, *places(lab))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("3 runs recomputed, ")
    assert ": 0 differences beyond the printed digits; 0 figures are not the same" in done.out
    assert lab.cache.file.read_bytes() == before


def test_a_changed_printed_digit_is_printed_and_exits_with_1(lab):
    rewrite(lab, lambda value: value + 0.001)
    done = verify(*places(lab))
    assert done.code == 1
    assert done.out.startswith(f"ir on definitions: {KEY} is recorded as 0.")
    assert ": 1 differences beyond the printed digits; 1 figures" in done.out


def test_json_lists_the_differences(lab):
    rewrite(lab, lambda value: value + 0.001)
    done = verify("--json", *places(lab))
    found = json.loads(done.out)
    assert (done.code, found["runs"], len(found["differences"])) == (1, 3, 1)
    assert found["differences"][0]["figure"] == KEY
    assert found["largest_change"] == pytest.approx(0.001)


def test_a_change_in_later_digits_is_counted_but_no_difference(lab):
    rewrite(lab, lambda value: round(value, 4) + 1e-7)
    done = verify("--json", *places(lab))
    found = json.loads(done.out)
    assert (done.code, found["differences"], found["changed_figures"]) == (0, [], 1)


def test_a_figure_that_only_one_side_has_is_a_difference():
    verification = Verification({})
    found = verification.compare("ir", {"a": 1.0}, {"b": 1.0})
    assert [(each.figure, each.recorded, each.recomputed) for each in found] == [
        ("a", 1.0, None), ("b", None, 1.0)
    ]  # fmt: skip


def test_intervals_are_compared_to_the_digits_of_their_figure():
    verification = Verification({"sts12/all/pearson": 2})
    assert not verification.compare("ir", {"sts12/all/pearson_low": 0.501}, {"sts12/all/pearson_low": 0.502})
    assert verification.compare("ir", {"sts12/all/pearson_low": 0.501}, {"sts12/all/pearson_low": 0.512})


def test_printed_decimals_are_the_finest_of_all_tables():
    tables = find_tables(["acl2012-table3", "nips2002-table1", "few-labels-r8"])
    decimals = max_printed_decimals(tables)
    assert decimals["li06/30 pairs/pearson"] == 4
    assert decimals["few-labels/5/accuracy"] == 4
    assert decimals["med/query 20/C"] == 0


def test_the_limit_is_on_the_recorded_time(lab):
    slow, fast = (next(r for r in lab.cache.records() if r.key.model == kind) for kind in ("ir", "random"))
    lab.cache.append(replace(slow, seconds=12.0))
    lab.cache.append(replace(fast, seconds=9.9))
    chosen = select_under(lab, ALL_TABLES.values(), 10)
    assert {each.model.kind for each in chosen} == {"random"}


def test_a_run_that_shared_a_training_is_not_a_fast_one(lab):
    times = {("ir", 0): 20.0, ("random", 0): 300.0, ("random", 1): 0.1}
    for record in lab.cache.records():
        lab.cache.append(replace(record, seconds=times[record.key.model, record.key.seed]))
    assert [each.model.kind for each in select_fastest(lab)] == ["ir"]


def test_a_sample_is_spread_over_the_chosen_runs(lab):
    assert verify("--all-under", "1min", "--sample", 2, *places(lab)).out.startswith("2 runs recomputed")


def test_without_a_record_there_is_nothing_to_verify(lab, tmp_path):
    done = verify("--data", lab.data, "--runs", tmp_path / "none.jsonl")
    assert done.code == 1
    assert "none.jsonl has none of these runs" in done.err


@pytest.mark.quality
def test_the_fastest_rows_of_each_paper_have_their_figures(data):
    chosen = {each.title for each in select_fastest(ExperimentRunner(data=data))}
    for paper in PAPERS:
        runs = [each for table in find_tables([paper]) for each in table.experiments(table.runs)]
        assert chosen & {each.title for each in runs}, paper
    done = verify("--json", "--data", data)
    assert (done.code, json.loads(done.out)["differences"]) == (0, []), done
    assert json.loads(done.out)["runs"] == len(chosen)
