"""The order of experiments, and equal results of one process and several."""

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


def test_experiments_that_share_work_are_adjacent(lab):
    chains = [Experiment("definitions", lda(n_iter), seed) for seed in (0, 1) for n_iter in (500, 20)]
    ordered = pending_experiments(chains, lab)
    assert [(experiment.seed, experiment.model.parameters["n_iter"]) for experiment in ordered] == [
        (0, 20), (0, 500), (1, 20), (1, 500)
    ]  # fmt: skip
    systems = [
        senses(kind, features) for kind in ("conservative", "liberal") for features in ("parse", "positions")
    ]
    features = [
        experiment.model.parameters["features"] for experiment in pending_experiments(systems, Known())
    ]
    assert features == ["parse", "parse", "positions", "positions"]


class Known(ExperimentRunner):
    """A runner without records and data."""

    def __init__(self):
        super().__init__("")

    def find_run(self, experiment):
        return None


def test_results_do_not_depend_on_processes(lab, folder, tmp_path):
    experiments = [
        Experiment("definitions", model, seed) for model in (WTMF, lda(2), lda(12)) for seed in (0, 1)
    ]
    experiments.append(Experiment("definitions", ModelSpec("ir")))
    others = ExperimentRunner(tmp_path / "two.jsonl", folder)
    done = list(run_experiments(pending_experiments(experiments, others), others, jobs=2))
    assert {experiment.title for experiment in done} == {experiment.title for experiment in experiments}
    assert pending_experiments(experiments, others) == []
    assert pending_experiments(experiments, ExperimentRunner(others.cache.file, folder)) == []
    assert list(run_experiments(pending_experiments(experiments, lab), lab)) == pending_experiments(
        experiments, Known()
    )
    for experiment in experiments:
        assert others.numbers(experiment) == lab.numbers(experiment)


def test_finished_experiment_is_yielded_at_once(lab):
    experiments = [Experiment("definitions", model) for model in (lda(2), lda(10_000_000))]
    run = run_experiments(experiments, lab, jobs=2)
    assert next(run) == experiments[0]
    run.close()
    wait_until(lambda: not active_children())


def test_error_in_worker_is_raised_and_stops_others(lab):
    invalid = Experiment("definitions", ModelSpec("lda", {"n_components": 0}))
    with pytest.raises(InputError, match="n_components=0"):
        list(run_experiments([invalid, Experiment("definitions", lda(10_000_000))], lab, jobs=2))
    wait_until(lambda: not active_children())


def test_closing_the_iterator_stops_all_processes(lab):
    run = run_experiments(
        [Experiment("definitions", model) for model in (WTMF, lda(10_000_000))], lab, jobs=2
    )
    assert next(run).model == WTMF
    run.close()
    wait_until(lambda: not active_children())
    assert [
        experiment.model.kind for experiment in pending_experiments([Experiment("definitions", WTMF)], lab)
    ] == []
