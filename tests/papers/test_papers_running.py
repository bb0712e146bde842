"""Experiments are run in the order that serves best, in one process or several, with the same numbers."""

from __future__ import annotations

from multiprocessing import active_children

import pytest

from helpers.waiting import wait_until
from papers import ExperimentRunner, ModelSpec
from papers.experiments.runner import pending_experiments, run_experiments
from papers.specs import Experiment
from tacit import InputError

WTMF = ModelSpec("wtmf", {"n_components": 2, "n_iter": 2, "min_df": 1}, is_random=True)


def lda(n_iter):
    return ModelSpec("lda", {"n_components": 2, "min_df": 1, "n_iter": n_iter}, is_random=True)


def senses(kind, features):
    return Experiment("semeval2010", ModelSpec(kind, {"features": features}, is_random=True))


@pytest.fixture
def lab(folder, tmp_path):
    return ExperimentRunner(tmp_path / "one.jsonl", folder, 1)


def test_a_chain_is_taken_further_and_a_reading_serves_all_its_systems(lab):
    chains = [Experiment("definitions", lda(n_iter), seed) for seed in (0, 1) for n_iter in (500, 20)]
    found = pending_experiments(chains, lab)
    assert [(each.seed, each.model.parameters["n_iter"]) for each in found] == [
        (0, 20), (0, 500), (1, 20), (1, 500)
    ]  # fmt: skip
    systems = [senses(kind, read) for kind in ("conservative", "liberal") for read in ("parse", "positions")]
    read = [each.model.parameters["features"] for each in pending_experiments(systems, Known())]
    assert read == ["parse", "parse", "positions", "positions"]


class Known(ExperimentRunner):
    """One that has nothing and needs no data."""

    def __init__(self):
        super().__init__("")

    def find_run(self, experiment):
        return None


def test_several_processes_give_the_numbers_of_one(lab, folder, tmp_path):
    wanted = [Experiment("definitions", model, seed) for model in (WTMF, lda(2), lda(12)) for seed in (0, 1)]
    wanted.append(Experiment("definitions", ModelSpec("ir")))
    others = ExperimentRunner(tmp_path / "two.jsonl", folder)
    done = list(run_experiments(pending_experiments(wanted, others), others, jobs=2))
    assert {each.title for each in done} == {each.title for each in wanted}
    assert pending_experiments(wanted, others) == []
    assert pending_experiments(wanted, ExperimentRunner(others.cache.file, folder)) == []
    assert list(run_experiments(pending_experiments(wanted, lab), lab)) == pending_experiments(
        wanted, Known()
    )
    for each in wanted:
        assert others.numbers(each) == lab.numbers(each)


def test_each_is_given_when_it_is_done_though_one_process_runs_them_one_after_another(lab):
    wanted = [Experiment("definitions", model) for model in (lda(2), lda(10_000_000))]
    run = run_experiments(wanted, lab, jobs=2)
    assert next(run) == wanted[0]
    run.close()
    wait_until(lambda: not active_children())


def test_what_fails_in_a_process_is_told_and_ends_the_others(lab):
    wrong = Experiment("definitions", ModelSpec("lda", {"n_components": 0}))
    with pytest.raises(InputError, match="n_components=0"):
        list(run_experiments([wrong, Experiment("definitions", lda(10_000_000))], lab, jobs=2))
    wait_until(lambda: not active_children())


def test_who_stops_waiting_leaves_no_process(lab):
    run = run_experiments(
        [Experiment("definitions", model) for model in (WTMF, lda(10_000_000))], lab, jobs=2
    )
    assert next(run).model == WTMF
    run.close()
    wait_until(lambda: not active_children())
    assert [each.model.kind for each in pending_experiments([Experiment("definitions", WTMF)], lab)] == []
