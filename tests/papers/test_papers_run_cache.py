"""The key of a run is its corpus, data, kind of model, settings, seed and results version."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from papers import ALL_TABLES, Experiment, ExperimentRunner, ModelSpec
from papers.experiments.corpora import CORPORA
from papers.experiments.few_labels import resolve_few_labels
from papers.experiments.measurement import bootstrap_metrics, official_averages
from papers.experiments.medline import resolve_med
from papers.experiments.model_kinds import MODEL_KINDS
from papers.experiments.run_cache import RUNS, RunCache, RunRecord, data_digest, file_digest, git_state
from tacit import InputError, TextVectorizer
from tacit.evaluation.metrics import averages
from tacit.factorize.wmf_settings import PAPER_SETTINGS
from tacit.kernels.semantic import SemanticKernel

SMALL = {"n_components": 3, "regularization": 1.0, "n_iter": 3, "missing_weight": 0.01}
TINY = ModelSpec("wtmf", SMALL, is_random=True)
IR = Experiment("definitions", ModelSpec("ir"))
RECORDED = 1_342
NUMBERS = "0848d2bf47ba0ddbbb0f3ff3a6b95619903ea29651eb6cb1fe88295313308e02"
"""The digest of the numbers of all runs: of files before ``runs.jsonl``, and eight of changed measures."""


@pytest.fixture
def lab(folder, tmp_path):
    return ExperimentRunner(tmp_path / "runs.jsonl", folder)


def all_experiments():
    return [experiment for table in ALL_TABLES.values() for experiment in table.experiments(table.runs)]


def test_converted_runs_are_found(data):
    lab = ExperimentRunner(data=data)
    records = {lab.key(experiment).text: lab.find_run(experiment) for experiment in all_experiments()}
    assert len(records) == RECORDED
    assert None not in records.values()
    numbers = sorted(json.dumps(record.numbers, sort_keys=True) for record in records.values())
    assert sha256("\n".join(numbers).encode()).hexdigest() == NUMBERS


def test_every_run_has_one_record(monkeypatch):
    monkeypatch.setattr("papers.experiments.runner.data_digest", lambda files: "")
    monkeypatch.setattr("papers.experiments.corpora.Corpus.files", lambda corpus, data: {})
    monkeypatch.setattr("papers.experiments.corpora.ParallelCorpus.files", lambda corpus, data: {})
    lab = ExperimentRunner()
    records = [replace(record.key, data="").text for record in RunCache().records()]
    assert len(set(records)) == len(records) == RECORDED
    assert {lab.key(each).text for each in all_experiments()} == set(records)


def test_file_is_sorted_with_complete_lines():
    lines = RUNS.read_text(encoding="utf-8").splitlines(keepends=True)
    assert lines == [record.to_line() for record in RunCache().records()]


def test_records_have_commit_and_key():
    record = json.loads(RUNS.read_text(encoding="utf-8").partition("\n")[0])
    assert {"corpus", "data", "model", "settings", "seed", "results_version", "commit"} <= set(record)


def test_key_has_every_setting_with_defaults(lab):
    base = Experiment("definitions", TINY)
    assert lab.key(replace(base, model=ModelSpec("wtmf", {**SMALL, "normalize": "stem"}))) == lab.key(base)
    others = [
        replace(base, seed=1),
        replace(base, corpus="definitions, 393,666"),
        replace(base, model=ModelSpec("wtmf-stopped", {**SMALL, "patience": 1})),
        replace(base, model=ModelSpec("wtmf", {**SMALL, "normalize": "none"})),
        replace(base, model=ModelSpec("wtmf", {**SMALL, "n_iter": 4})),
    ]
    assert len({lab.key(each).text for each in [base, *others]}) == 6


def test_changed_default_changes_the_key(lab, monkeypatch):
    before = lab.key(Experiment("definitions", ModelSpec("wtmf")))
    monkeypatch.setitem(PAPER_SETTINGS, "n_iter", 21)
    assert lab.key(Experiment("definitions", ModelSpec("wtmf"))).text != before.text


@pytest.mark.parametrize(
    ("resolve", "parameters"),
    [
        (resolve_few_labels, {"collection": "r8", "kernel": "exponential", "lambda_": 6.0}),
        (resolve_med, {"kernel": "exponential", "query": 20, "train": 0.8}),
    ],
)
def test_kernel_rows_resolve_the_defaults_of_their_objects(resolve, parameters):
    settings = resolve(parameters)
    assert {f"kernel__{name}" for name in SemanticKernel().get_params(deep=False)} - set(settings) == {
        "kernel__background", "kernel__lambda_", "kernel__vectorizer"
    }  # fmt: skip
    assert set(TextVectorizer().get_params()) <= set(settings)
    assert json.loads(json.dumps(settings)) == settings


def test_names_of_corpora_and_fields_are_not_in_the_key(lab, monkeypatch):
    before = lab.key(IR).text
    monkeypatch.setitem(CORPORA, "other", replace(CORPORA["definitions"], name="other", title="Other"))
    assert lab.key(replace(IR, corpus="other")).text == before
    assert CORPORA["sentences+pairs"].describe_input()["sources"][1] == {
        "path": "corpora/wiktionary.tsv.gz", "columns": ["word", "gloss", "examples"]
    }  # fmt: skip


def test_results_version_is_part_of_key(lab, monkeypatch):
    record = lab.run(IR)
    monkeypatch.setitem(MODEL_KINDS, "ir", replace(MODEL_KINDS["ir"], results_version=2))
    assert lab.find_run(IR) is None
    again = lab.run(IR)
    assert (again.key.results_version, again.numbers) == (2, record.numbers)


def test_data_digest_depends_on_content_and_path(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("one", encoding="utf-8")
    first = data_digest({"a.tsv": path})
    assert data_digest({"b.tsv": path}) != first
    file_digest.cache_clear()
    path.write_text("two", encoding="utf-8")
    assert data_digest({"a.tsv": path}) != first


def test_run_has_commit_date_and_time(lab):
    record = lab.run(IR)
    assert (record.commit, record.clean) == git_state()
    assert record.date.startswith("20")
    assert record.seconds >= 0
    assert record.cpu_seconds >= 0
    assert RunCache(lab.cache.file).find(lab.key(IR)) == record


@pytest.mark.parametrize("kept", [0, 1, 50, -1])
def test_incomplete_last_line_is_replaced(lab, kept):
    first, second = lab.run(IR), lab.run(Experiment("definitions", TINY))
    line = second.to_line()
    lab.cache.file.write_text(first.to_line() + line[:kept], encoding="utf-8")
    cache = RunCache(lab.cache.file)
    assert cache.records() == [first]
    cache.append(second)
    assert lab.cache.file.read_text(encoding="utf-8") == first.to_line() + line


@pytest.mark.parametrize("damage", ["{", "[]", "<<<<<<< HEAD", '{"numbers": {}}'])
def test_error_has_number_of_damaged_line(lab, damage):
    line = lab.run(IR).to_line()
    lab.cache.file.write_text(f"{line}{damage}\n{line}", encoding="utf-8")
    with pytest.raises(InputError, match=r"runs.jsonl, line 2, is not a run record"):
        RunCache(lab.cache.file).records()


def test_sort_keeps_latest_records(lab, folder):
    experiments = [Experiment("definitions", TINY, seed) for seed in (1, 0)]
    records = [lab.run(each) for each in experiments]
    other = RunCache(lab.cache.file)
    other.append(replace(records[0], numbers={"r": 0.5}))
    lab.cache.sort()
    assert [record.key.seed for record in lab.cache.records()] == [0, 1]
    assert lab.find_run(experiments[0]).numbers == {"r": 0.5}
    assert len(lab.cache.file.read_text(encoding="utf-8").splitlines()) == 2


def test_nan_is_not_recorded(lab):
    record = RunRecord.measure(lab.key(IR), lambda: {"r": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        lab.cache.append(record)


def test_bootstrap_metrics_equal_task_metrics():
    rng = np.random.default_rng(0)
    sets = [(rng.random(n), rng.random(n)) for n in (20, 30)]
    result, checked = official_averages(sets), averages(sets)
    for name in ("all", "all_normalized", "weighted_mean"):
        assert result[f"{name}/pearson"] == pytest.approx(checked[name])
    samples = bootstrap_metrics(sets, official_averages, n_samples=20)["all/pearson"]
    assert len(set(samples.tolist())) == 20


def test_interval_contains_the_metric(lab):
    numbers = lab.numbers(Experiment("entries+sts12", TINY))
    key = "sts12/weighted_mean/pearson"
    assert numbers[f"{key}_low"] < numbers[key] < numbers[f"{key}_high"]
