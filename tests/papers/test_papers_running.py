"""Experiments are run in the order that serves best, in one process or several, with the same numbers."""

from __future__ import annotations

from multiprocessing import active_children

import pytest

from helpers.waiting import wait_until
from papers import Laboratory, Model
from papers.experiments import Experiment
from papers.running import missing, run_all
from tacit import InputError

WTMF = Model("wtmf", {"n_components": 2, "n_iter": 2, "min_df": 1}, random=True)


def lda(n_iter):
    return Model("lda", {"n_components": 2, "min_df": 1, "n_iter": n_iter}, random=True)


def senses(kind, features):
    return Experiment("semeval2010", Model(kind, {"features": features}, random=True))


@pytest.fixture
def lab(folder, tmp_path):
    return Laboratory(tmp_path / "one.jsonl", folder, 1)


def test_a_chain_is_taken_further_and_a_reading_serves_all_its_systems(lab):
    chains = [Experiment("definitions", lda(n_iter), seed) for seed in (0, 1) for n_iter in (500, 20)]
    found = missing(chains, lab)
    assert [(each.seed, each.model.parameters["n_iter"]) for each in found] == [
        (0, 20), (0, 500), (1, 20), (1, 500)
    ]  # fmt: skip
    systems = [senses(kind, read) for kind in ("conservative", "liberal") for read in ("parse", "positions")]
    read = [each.model.parameters["features"] for each in missing(systems, Known())]
    assert read == ["parse", "parse", "positions", "positions"]


class Known(Laboratory):
    """One that has nothing and needs no data."""

    def __init__(self):
        super().__init__("")

    def find_run(self, experiment):
        return None


def test_several_processes_give_the_numbers_of_one(lab, folder, tmp_path):
    wanted = [Experiment("definitions", model, seed) for model in (WTMF, lda(2), lda(12)) for seed in (0, 1)]
    wanted.append(Experiment("definitions", Model("ir")))
    others = Laboratory(tmp_path / "two.jsonl", folder)
    done = list(run_all(missing(wanted, others), others, jobs=2))
    assert {each.title for each in done} == {each.title for each in wanted}
    assert missing(wanted, others) == []
    assert missing(wanted, Laboratory(others.cache.file, folder)) == []
    assert list(run_all(missing(wanted, lab), lab)) == missing(wanted, Known())
    for each in wanted:
        assert others.numbers(each) == lab.numbers(each)


def test_each_is_given_when_it_is_done_though_one_process_runs_them_one_after_another(lab):
    wanted = [Experiment("definitions", model) for model in (lda(2), lda(10_000_000))]
    run = run_all(wanted, lab, jobs=2)
    assert next(run) == wanted[0]
    run.close()
    wait_until(lambda: not active_children())


def test_what_fails_in_a_process_is_told_and_ends_the_others(lab):
    wrong = Experiment("definitions", Model("lda", {"n_components": 0}))
    with pytest.raises(InputError, match="n_components=0"):
        list(run_all([wrong, Experiment("definitions", lda(10_000_000))], lab, jobs=2))
    wait_until(lambda: not active_children())


def test_who_stops_waiting_leaves_no_process(lab):
    run = run_all([Experiment("definitions", model) for model in (WTMF, lda(10_000_000))], lab, jobs=2)
    assert next(run).model == WTMF
    run.close()
    wait_until(lambda: not active_children())
    assert [each.model.kind for each in missing([Experiment("definitions", WTMF)], lab)] == []
