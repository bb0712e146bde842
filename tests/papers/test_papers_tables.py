"""Reproduction of every table on a small artificial data folder, in seconds."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest

from helpers.paper_data import write
from papers import ALL_TABLES, Column, Experiment, ExperimentRunner, ModelSpec, PlotSpec, RowSpec, TableSpec
from papers.experiments import runner as runner
from papers.experiments.corpora import CORPORA, Source
from papers.experiments.definition_retrieval import TASK, measure_atop
from papers.experiments.model_kinds import train
from papers.experiments.wmf_models import LatentScorer
from papers.report.page import render_page
from papers.report.plots import draw
from papers.report.summary import build_report, read_report, write_report
from tacit import WTMF, InputError
from tacit.errors import MissingExtraError
from tacit.evaluation import evaluate
from tacit.evaluation.search_task import load_retrieval, split_dev_test

SMALL = {"n_components": 3, "regularization": 1.0, "n_iter": 3}
TINY = ModelSpec("wtmf", {**SMALL, "missing_weight": 0.01}, is_random=True)
R30 = Column("r", "li06/30 pairs/pearson")


@pytest.fixture
def lab(folder, tmp_path):
    return ExperimentRunner(tmp_path / "runs.jsonl", folder)


def shrunk(table):
    """Return the same table with small models, one of each kind."""

    def small(model):
        languages = model.kind in ("b-wmf", "x-wmf")  # by their defaults; elsewhere lambda = 0 stays
        sizes = {name: SMALL[name] for name in SMALL if languages or model.parameters.get(name)}
        return replace(model, parameters={**model.parameters, **sizes})

    rows = {}
    for row in table.rows:
        small_table = replace(
            row, model=small(row.model), max_runs=None, title=f"{row.title}|{row.published_row}"
        )
        settings = [
            small_table.model.parameters.get(name)
            for name in ("kernel", "searched", "cost", "measure", "normalize")
        ]
        rows.setdefault((small_table.model.kind, row.corpus, *settings), small_table)
    return replace(table, rows=tuple(rows.values()))


def table_of(*rows, cells=(R30,)):
    return TableSpec("mine", "My table", "definitions", cells, rows)


# word senses are learnt from a corpus of their own: test_papers_senses.py
@pytest.mark.parametrize("name", [name for name in ALL_TABLES if not name.startswith("acl2011")])
def test_every_table_runs_with_all_columns(name, folder, tmp_path):
    table, lab = shrunk(ALL_TABLES[name]), ExperimentRunner(tmp_path / "runs.jsonl", folder)
    lab.check_inputs(table.experiments(2))
    rows = build_report(table, lab, 2)["rows"]
    assert [row["title"] for row in rows] == [row.title for row in table.rows]
    for row, report in zip(table.rows, rows, strict=True):
        assert report["runs"] == report["wanted"] == (2 if row.model.is_random else 1)
        for cell in table.columns:
            runs = [
                lab.numbers(row_experiments)[cell.key] for row_experiments in table.row_experiments(row, 2)
            ]
            values = report["values"][cell.key]
            assert values["mean"] == pytest.approx(mean(runs))
            assert values.get("deviation") == (pytest.approx(stdev(runs)) if row.model.is_random else None)


def test_numbers_equal_direct_training_and_evaluation(lab, folder):
    numbers = lab.numbers(Experiment("definitions", TINY, seed=4))
    model = WTMF.paper(random_state=4, **SMALL)
    scorer = LatentScorer(model.fit(CORPORA["definitions"].texts(folder)))
    for task, name, measure in [("li06", "35 pairs", "spearman"), ("msr04", "test", "accuracy")]:
        assert numbers[f"{task}/{name}/{measure}"] == evaluate(task, scorer, folder).sets[name][measure]


def test_ranks_are_among_the_official_runs(lab):
    numbers = lab.numbers(Experiment("entries+sts12", TINY))
    assert {numbers[f"sts12/{name}/rank"] for name in ("all", "weighted_mean", "OnWN")} == {2}  # of -.9 and 1


def test_corpora_have_texts_of_the_papers(folder):
    definitions, trained = (CORPORA[name].texts(folder) for name in ("definitions", "entries+sts12"))
    assert len(definitions) == 40 + 30 + 30
    assert trained[7] == f"head_7,word {definitions[7]} say {definitions[7]}"
    assert trained[40] == f"w0 {definitions[40]}"
    names = ("MSRpar", "MSRvid", "SMTeuroparl")
    files = [folder / f"sts/sts12/train/{name}.tsv" for name in names]
    rows = [[line.split("\t")[1:] for line in file.read_text("utf-8").splitlines()] for file in files]
    assert trained[100:] == [text for pairs in rows for text in [a for a, _ in pairs] + [b for _, b in pairs]]


def test_repeated_sentence_of_pairs_is_read_once(tmp_path):
    write(tmp_path / "pairs.tsv", ["1\ta cat\ta dog", "2\ta cat\ta bird"])
    assert [*Source("pairs.tsv", pairs=True).texts(tmp_path / "pairs.tsv")] == ["a cat", "a dog", "a bird"]


def test_experiment_is_run_once(lab, folder, monkeypatch):
    experiment = Experiment("definitions", TINY)
    first = lab.numbers(experiment)
    monkeypatch.setattr(runner, "train", None)
    assert ExperimentRunner(lab.cache.file, folder).numbers(experiment) == first
    with pytest.raises(TypeError):  # another seed would have to be trained
        lab.numbers(replace(experiment, seed=1))


def test_tables_share_experiments():
    seeds = 10
    table2, figure2, figure3 = (
        {experiment.title for experiment in ALL_TABLES[f"acl2012-{name}"].experiments(seeds)}
        for name in ("table2", "figure2", "figure3")
    )
    assert len(table2 & figure2) == 2 * seeds  # two weights
    assert len(table2 & figure3) == seeds + 3  # WTMF and LDA of K = 100


def test_stopped_run_resumes(lab, monkeypatch):
    experiments = table_of(RowSpec("WTMF", TINY)).experiments(3)
    trained = []

    def stopping(experiment, *rest):
        trained.append(experiment.seed)
        if len(trained) == 2:
            raise KeyboardInterrupt
        return train(experiment, *rest)

    monkeypatch.setattr(runner, "train", stopping)
    with pytest.raises(KeyboardInterrupt):
        [lab.numbers(experiment) for experiment in experiments]
    [lab.numbers(experiment) for experiment in experiments]
    assert trained == [0, 1, 1, 2]


def test_wtmf_stops_at_best_sweep_of_dev_queries(folder):
    corpus, retrieval = CORPORA["definitions"].texts(folder), load_retrieval(TASK, folder)
    dev = retrieval.select_queries(split_dev_test(len(retrieval.queries))[0])
    model = ModelSpec("wtmf-stopped", {**SMALL, "missing_weight": 0.0, "n_iter": 5, "patience": 5})
    chosen = train(Experiment("definitions", model), corpus, folder, None)

    def atop(scorer):
        return measure_atop(scorer, dev).full.mean()

    parameters = {**SMALL, "missing_weight": 0.0}
    by_hand = [atop(LatentScorer(WTMF.paper(**{**parameters, "n_iter": n}).fit(corpus))) for n in range(1, 6)]
    assert len(set(by_hand)) > 1
    assert atop(chosen) == max(by_hand)


def test_lda_iterations_and_runs_can_be_reduced():
    table = ALL_TABLES["acl2012-table5"].with_lda(n_iter=7, max_runs=2)
    runs = {row.model.kind: len(table.row_experiments(row, 3)) for row in table.rows}
    assert runs == {"lda": 2, "wtmf": 3, "random": 3, "ir": 1, "coin": 3}
    assert {row.model.parameters["n_iter"] for row in table.rows if row.model.kind == "lda"} == {7}
    assert ALL_TABLES["acl2012-table5"].with_lda(None, None) == ALL_TABLES["acl2012-table5"]


def test_continued_lda_chain_has_same_bits(folder, tmp_path):
    shared = {"n_components": 2, "min_df": 1}
    short, long = (
        Experiment("definitions", ModelSpec("lda", {**shared, "n_iter": n}, True)) for n in (12, 30)
    )
    texts = CORPORA["definitions"].texts(folder)
    train(short, texts, folder, 1)
    further = train(long, texts, folder, 1).word_vectors_
    train(
        Experiment("definitions", ModelSpec("lda", {**shared, "n_iter": 1, "alpha": 0.2}, True)),
        texts,
        folder,
        1,
    )
    assert (train(long, texts, folder, 1).word_vectors_ == further).all()


@pytest.mark.parametrize(
    ("experiment", "message"),
    [
        (Experiment("news", TINY), "no corpus is called 'news'; there are definitions, "),
        (Experiment("definitions", ModelSpec("bert")), "no model is called 'bert'; there are ir, "),
    ],
)
def test_invalid_experiment_raises_before_work_starts(lab, experiment, message):
    with pytest.raises(InputError, match=message):
        lab.check_inputs([experiment])


def test_error_has_missing_data(tmp_path):
    with pytest.raises(InputError, match=r"'definitions' is missing: .* has no corpora/wordnet.tsv.gz"):
        ExperimentRunner(tmp_path / "runs.jsonl", tmp_path).check_inputs([Experiment("definitions", TINY)])


def in_paper(name="acl2012-table5", label="WTMF, w_m = 0.01, lambda = 20", **changes):
    """Return a published table with one small row of ours."""
    row = RowSpec("ours", TINY, label, deviations={}, reason="for a test")
    return replace(ALL_TABLES[name], rows=(replace(row, **changes),))


def test_page_uses_decimals_of_the_paper(lab, tmp_path):
    report = build_report(in_paper(), lab, 2)
    report["rows"][0]["values"]["msr04/test/accuracy"] = {"mean": 0.70814, "deviation": 0.0041}
    write_report(report, tmp_path)
    lines = render_page(tmp_path).splitlines()
    place = lines.index("| **WTMF** | w_m = 0.01, lambda = 20 | **71.51** |  |")
    assert lines[place + 1] == "| ours |  | 70.81 ± 0.41 | 2 |"
    row = "| table 5 | WTMF, w_m = 0.01, lambda = 20 | Accuracy | 71.51 | 70.81 ± 0.41 | 2 | "
    assert f"{row}below the paper (by 1.7 joint deviations) | for a test |" in lines
    assert lines.index("## Summary") < place < lines.index("## Extensions")


def test_page_has_commits_and_missing_runs(lab, tmp_path):
    report = build_report(in_paper(), lab, 2)
    report["rows"][0]["commits"] = ["abc123", "def456 with changes"]
    write_report(report, tmp_path)
    text = render_page(tmp_path)
    assert " by commits abc123, def456 with changes; seeds 0 to 1" in text
    assert "Not run: `python -m papers run acl2012-table2 --out" in text
    empty = build_report(in_paper(), ExperimentRunner(tmp_path / "none.jsonl", lab.data), 2, known=True)
    write_report(empty, tmp_path)
    assert "| ours |  | not run | 0 |" in render_page(tmp_path)


def test_deviations_are_listed_below_the_table(lab, tmp_path):
    table = in_paper(settings_sections=("acl2012.wtmf",), deviations={"n_iter": "for a test"})
    write_report(build_report(table, lab, 1), tmp_path)
    assert "`n_iter` is 3, in the paper 20: for a test" in render_page(tmp_path)


def test_page_in_docs_equals_its_results():
    docs = Path(__file__).parents[2] / "docs"
    kept = (docs / "reproduction.md").read_text(encoding="utf-8")
    assert render_page(docs / "reproduction", "reproduction/") == kept


def test_page_without_results_has_remedy(tmp_path):
    with pytest.raises(InputError, match="has no results; `python -m papers run all --out"):
        render_page(tmp_path)
    (tmp_path / "acl2012-table2.json").write_text("[]", encoding="utf-8")
    assert read_report(tmp_path / "acl2012-table2.json") is None
    (tmp_path / "acl2012-table2.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="is not JSON"):
        render_page(tmp_path)


FIGURE = in_paper("acl2012-figure2", "w_m = 0.01")


def test_figure_has_both_curves(lab, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    plotted = []
    from matplotlib.axes import Axes

    real = Axes.errorbar
    monkeypatch.setattr(
        Axes,
        "errorbar",
        lambda self, x, y, *a, **k: (plotted.append((k["label"], list(y))), real(self, x, y, *a, **k))[1],
    )
    path = draw(FIGURE, build_report(FIGURE, lab, 2), tmp_path)
    assert path == tmp_path / "acl2012-figure2.png"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [label for label, _ in plotted] == ["WTMF, paper", "WTMF, ours"]
    assert plotted[0][1] == [0.9558, 0.9511]


def test_plot_without_extra_raises(lab, tmp_path, monkeypatch):
    report = build_report(FIGURE, lab, 1)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"tacit\[plots\]"):
        draw(FIGURE, report, tmp_path)


def test_plot_of_table_raises(tmp_path):
    with pytest.raises(InputError, match="mine is a table, not a figure"):
        draw(table_of(), {"rows": []}, tmp_path)


def test_bars_have_intervals(folder, tmp_path):
    pytest.importorskip("matplotlib")
    table, lab = shrunk(ALL_TABLES["semeval2016-table1"]), ExperimentRunner(tmp_path / "runs.jsonl", folder)
    report = build_report(replace(table, plot=PlotSpec("bars", "r")), lab, 2)
    values = report["rows"][0]["values"]["sts16-en-es/news/pearson"]
    low, high = values["interval"]
    assert low <= values["mean"] <= high
    assert draw(replace(table, plot=PlotSpec("bars", "r")), report, tmp_path).read_bytes()[:4] == b"\x89PNG"
