"""The machinery of reproduction, on a data folder made up here: every table of the papers in seconds."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest

from helpers.paper_data import make_data, write
from papers import (
    REPRODUCTIONS,
    Cell,
    Experiment,
    Laboratory,
    Model,
    Plot,
    Reproduction,
    Row,
    draw,
    laboratory,
    page,
    summarize,
    write_report,
)
from papers.acl2011 import SYSTEMS
from papers.corpora import CORPORA, Source
from papers.definition_retrieval import TASK, measure_atop
from papers.models import LatentScorer
from papers.published_rows import FLOOR
from papers.semeval2016 import OURS
from papers.trainers import train
from tacit import WTMF, InputError
from tacit.errors import MissingExtraError, TacitError
from tacit.evaluation import evaluate
from tacit.evaluation.definitions import load_retrieval, split

SMALL = {"n_components": 3, "regularization": 1.0, "n_iter": 3}
TINY = Model("wtmf", {**SMALL, "missing_weight": 0.01}, random=True)
R30 = Cell("r", "li06/30 pairs/pearson")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    make_data(root)
    return root


@pytest.fixture
def lab(folder, tmp_path):
    return Laboratory(tmp_path / "cache", folder)


def shrunk(table):
    """The same table with models that train in no time."""

    def small(model):
        languages = model.kind in ("b-wmf", "x-wmf")  # by their defaults; elsewhere lambda = 0 stays
        sizes = {name: SMALL[name] for name in SMALL if languages or model.parameters.get(name)}
        return replace(model, parameters={**model.parameters, **sizes})

    rows = [
        row if row.model is None else replace(row, model=small(row.model), most_runs=None)
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def table_of(*rows, cells=(R30,)):
    return Reproduction("mine", "My table", "definitions", cells, rows)


# word senses are learnt from a corpus of their own: test_papers_senses.py
@pytest.mark.parametrize("name", [name for name in REPRODUCTIONS if not name.startswith("acl2011")])
def test_every_table_runs_and_sets_paper_and_ours_side_by_side(name, folder, tmp_path):
    if any(row.model and row.model.kind == "lda" for row in REPRODUCTIONS[name].rows):
        pytest.importorskip("tomotopy")
    table, lab = shrunk(REPRODUCTIONS[name]), Laboratory(tmp_path, folder)
    lab.check(table.experiments(2))
    lines = summarize(table, lab, 2)["lines"]
    models = {row.title: row.model for row in table.rows}
    assert {line["model"] for line in lines} == set(models)
    for line in lines:
        model = models[line["model"]]
        if model is None:
            assert (line["ours"], line["seeds"], line["difference"]) == (None, 0, None)
            continue
        runs = [lab.numbers(Experiment(table.corpus, model, seed))[line["key"]] for seed in range(2)]
        assert line["seeds"] == (2 if model.random else 1)
        assert line["ours"] == pytest.approx(mean(runs) if model.random else runs[0])
        assert line["deviation"] == (pytest.approx(stdev(runs)) if model.random else None)
        if line["paper"] is not None:
            assert line["difference"] == pytest.approx(line["ours"] - line["paper"])


@pytest.mark.parametrize("name", [name for name in REPRODUCTIONS if "table" in name])
def test_every_row_of_a_table_has_what_the_paper_prints(name):
    """A row whose name is not that of a published figure would be compared with nothing."""
    table = REPRODUCTIONS[name]
    for row in table.rows:
        assert row.title in {**FLOOR, **OURS, **SYSTEMS} or any(
            cell.key in row.paper for cell in table.cells
        ), row.title


@pytest.mark.parametrize(
    ("name", "model", "key", "value"),
    [
        ("acl2012-table2", "LDA, alpha=.1 beta=.01", "cdr/dev/atop", 0.9466),
        ("acl2012-table2", "WTMF, w_m=0", "cdr/test/atop", 0.8645),
        ("acl2012-figure2", "WTMF, w_m=.0005", "cdr/test/atop", 0.9558),
        ("acl2012-figure3", "LDA, K=100", "cdr/test/atop", 0.9470),
        ("acl2012-table3", "WTMF, w_m=.05", "li06/35 pairs/spearman", 0.4766),
        ("acl2012-table4", "SPD-STS (Ho 2010)", "li06/30 pairs/spearman", 0.9034),
        ("acl2012-table5", "WTMF, w_m=.01", "msr04/test/accuracy", 0.7151),
        ("sem2012-table2", "LDA", "sts12/OnWN/pearson", 0.619),
        ("sem2012-table2", "WTMF, w_m=.01", "sts12/SMTnews/rank", 28),
        ("sem2012-table3", "WTMF, w_m=.01", "sts12/all_normalized/rank", 10),
        ("nips2002-table1", "K50, lambda=.197", "med/query 20/alignment", 0.863),
        ("nips2002-table1", "B80", "med/query 20/f1", 0.256),
        ("nips2002-table2", "K^20, line search", "med/query 20/lambda", 0.029),
        ("semeval2016-table1", "b-WMF", "sts16-en-es/news/pearson", 0.83),
        ("semeval2016-table1", "x-WMF", "sts16-en-es/multisource/pearson", 0.73),
        ("semeval2016-table1", "UWB, first of 2016", "sts16-en-es/mean/pearson", 0.86),
        ("acl2011-table1", "liberal", "wsi10/nouns/v_measure", 0.135),
        ("acl2011-table2", "conservative", "wsi10/verbs/paired_f", 0.684),
        ("acl2011-table3", "UoY", "wsi10/all/supervised_recall", 0.624),
    ],
)
def test_the_printed_values_are_the_papers(name, model, key, value):
    table = REPRODUCTIONS[name]
    assert key in {cell.key for cell in table.cells}
    assert {row.title: row.paper for row in table.rows}[model][key] == value


def test_the_numbers_are_those_of_training_and_evaluating_by_hand(lab, folder):
    found = lab.numbers(Experiment("definitions", TINY, seed=4))
    model = WTMF.paper(random_state=4, **SMALL)
    scorer = LatentScorer(model.fit(CORPORA["definitions"].texts(folder)))
    for task, name, measure in [("li06", "35 pairs", "spearman"), ("msr04", "test", "accuracy")]:
        assert found[f"{task}/{name}/{measure}"] == evaluate(task, scorer, folder).sets[name][measure]


def test_ranks_are_among_the_official_runs(lab):
    found = lab.numbers(Experiment("entries+sts12", TINY))
    assert {found[f"sts12/{name}/rank"] for name in ("all", "weighted_mean", "OnWN")} == {2}  # of -.9 and 1


def test_corpora_hold_what_the_papers_say(folder):
    definitions, trained = (CORPORA[name].texts(folder) for name in ("definitions", "entries+sts12"))
    assert len(definitions) == 40 + 30 + 30
    assert trained[7] == f"head_7,word {definitions[7]} say {definitions[7]}"
    assert trained[40] == f"w0 {definitions[40]}"
    names = ("MSRpar", "MSRvid", "SMTeuroparl")
    files = [folder / f"sts/sts12/train/{name}.tsv" for name in names]
    rows = [[line.split("\t")[1:] for line in file.read_text("utf-8").splitlines()] for file in files]
    assert trained[100:] == [text for pairs in rows for text in [a for a, _ in pairs] + [b for _, b in pairs]]


def test_a_sentence_of_several_pairs_is_read_once(tmp_path):
    write(tmp_path / "pairs.tsv", ["1\ta cat\ta dog", "2\ta cat\ta bird"])
    assert [*Source("pairs.tsv", pairs=True).texts(tmp_path / "pairs.tsv")] == ["a cat", "a dog", "a bird"]


def test_an_experiment_is_run_once(lab, folder, monkeypatch):
    experiment = Experiment("definitions", TINY)
    first = lab.numbers(experiment)
    monkeypatch.setattr(laboratory, "train", None)
    assert Laboratory(lab.cache, folder).numbers(experiment) == first
    with pytest.raises(TypeError):  # another seed would have to be trained
        lab.numbers(replace(experiment, seed=1))


def test_tables_share_experiments():
    seeds = 10
    table2, figure2, figure3 = (
        {experiment.title for experiment in REPRODUCTIONS[f"acl2012-{name}"].experiments(seeds)}
        for name in ("table2", "figure2", "figure3")
    )
    assert len(table2) == 4 + 6 * seeds
    assert len(table2 & figure2) == len(table2 & figure3) == 2 * seeds  # two weights; LDA and WTMF of K = 100


def test_a_stopped_run_is_taken_up(lab, monkeypatch):
    experiments = table_of(Row("WTMF", TINY)).experiments(3)
    trained = []

    def stopping(experiment, *rest):
        trained.append(experiment.seed)
        if len(trained) == 2:
            raise KeyboardInterrupt
        return train(experiment, *rest)

    monkeypatch.setattr(laboratory, "train", stopping)
    with pytest.raises(KeyboardInterrupt):
        [lab.numbers(experiment) for experiment in experiments]
    [lab.numbers(experiment) for experiment in experiments]
    assert trained == [0, 1, 1, 2]


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"numbers": 3}', '{"numbers": {"x": "y"}}'])
def test_damaged_numbers_are_found_again(lab, damage):
    experiment = Experiment("definitions", Model("ir"))
    before = lab.numbers(experiment)
    (file,) = lab.cache.iterdir()
    file.write_text(damage, encoding="utf-8")
    assert lab.known(experiment) is None
    assert lab.numbers(experiment) == before


def test_the_fingerprint_tells_everything_apart(monkeypatch):
    base = Experiment("definitions", TINY)
    others = [
        replace(base, seed=1),
        replace(base, corpus="entries+sts12"),
        replace(base, model=Model("lsa", TINY.parameters)),
        replace(base, model=Model("wtmf", {**TINY.parameters, "n_iter": 4})),
    ]
    found = {experiment.fingerprint({"f": 1}) for experiment in [base, *others]}
    found |= {base.fingerprint({"f": 2})}
    monkeypatch.setattr("papers.experiments.__version__", "0")
    found |= {base.fingerprint({"f": 1})}
    assert len(found) == 7
    turned = replace(base, model=Model("wtmf", dict(reversed(TINY.parameters.items()))))
    assert turned.fingerprint({"f": 1}) == base.fingerprint({"f": 1})


def test_wtmf_is_stopped_at_the_best_sweep_of_the_dev_queries(folder):
    corpus, retrieval = CORPORA["definitions"].texts(folder), load_retrieval(TASK, folder)
    dev = retrieval.take(split(len(retrieval.queries))[0])
    model = Model("wtmf-stopped", {**SMALL, "missing_weight": 0.0, "n_iter": 5, "patience": 5})
    chosen = train(Experiment("definitions", model), corpus, folder, None)

    def atop(scorer):
        return measure_atop(scorer, dev).full.mean()

    parameters = {**SMALL, "missing_weight": 0.0}
    by_hand = [atop(LatentScorer(WTMF.paper(**{**parameters, "n_iter": n}).fit(corpus))) for n in range(1, 6)]
    assert len(set(by_hand)) > 1
    assert atop(chosen) == max(by_hand)


def test_lda_can_be_sampled_less():
    table = REPRODUCTIONS["acl2012-table5"].with_lda(n_iter=7, most_runs=2)
    runs = {row.model.kind: len(table.of_row(row, 3)) for row in table.rows if row.model}
    assert runs == {"lda": 2, "wtmf": 3, "random": 3, "ir": 1}
    iterations = {row.model.kind: row.model.parameters.get("n_iter") for row in table.rows if row.model}
    assert iterations == {"lda": 7, "wtmf": 20, "random": None, "ir": None}
    told = summarize(replace(table, cells=(R30,)), Given(), 1)["note"]
    assert told.endswith("The paper runs 5,000 Gibbs iterations for LDA. Ours runs 7.")


@pytest.mark.parametrize(
    ("experiment", "message"),
    [
        (Experiment("news", TINY), "no corpus is called 'news'; there are definitions, entries"),
        (Experiment("definitions", Model("bert")), "no model is called 'bert'; there are ir, "),
    ],
)
def test_what_cannot_be_run_is_refused_before_work_starts(lab, experiment, message):
    with pytest.raises(InputError, match=message):
        lab.check([experiment])


def test_absent_data_is_named(tmp_path):
    with pytest.raises(InputError, match=r"'definitions' is not there: .* has no corpora/wordnet.tsv.gz"):
        Laboratory(tmp_path, tmp_path).check([Experiment("definitions", TINY)])


def test_lda_without_its_package_is_refused_before_work_starts(lab, monkeypatch):
    monkeypatch.setattr("papers.baselines.lda.find_spec", lambda name: None)
    with pytest.raises(TacitError, match="LDA needs tomotopy: pip install --group papers"):
        lab.check([Experiment("definitions", Model("lda"))])
    lab.check([Experiment("definitions", TINY)])


class Given:
    """A laboratory that knows the numbers: a tenth of the seed plus one."""

    def numbers(self, experiment):
        return {R30.key: (experiment.seed + 1) / 10}


def test_a_report_in_markdown_and_json(tmp_path):
    table = table_of(
        Row("WTMF", TINY, {R30.key: 0.25}), Row("Liu 2007", None, {R30.key: 0.841}), Row("IR", TINY)
    )
    write_report(summarize(table, Given(), 3), tmp_path)
    rows = (tmp_path / "mine.md").read_text(encoding="utf-8").splitlines()[4:]
    assert rows == [
        "| model | measure | paper | ours | deviation | difference | seeds |",
        "|---|---|---:|---:|---:|---:|---:|",
        "| WTMF | r | .2500 | .2000 | .1000 | -.0500 | 3 |",
        "| Liu 2007 | r | .8410 |  |  |  |  |",
        "| IR | r |  | .2000 | .1000 |  | 3 |",
    ]
    kept = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert kept["lines"][0]["parameters"] == TINY.parameters


def test_a_page_has_every_report_and_the_pictures_there_are(tmp_path):
    for name in ("b", "a"):
        table = replace(table_of(Row("WTMF", TINY)), name=name, title=f"Table {name}")
        write_report(summarize(table, Given(), 1), tmp_path)
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    text = page(tmp_path, "images/")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## Table a", "## Table b"]
    assert text.count("![") == text.count("![Table a](images/a.png)") == 1


def test_the_page_in_the_docs_is_that_of_the_results_beside_it():
    docs = Path(__file__).parents[2] / "docs"
    kept = (docs / "reproduction.md").read_text(encoding="utf-8")
    assert page(docs / "reproduction", "reproduction/") == kept


def test_a_page_of_nothing_says_what_to_do(tmp_path):
    with pytest.raises(InputError, match="has no results; `python -m papers all --out"):
        page(tmp_path)


FIGURE = replace(table_of(Row("WTMF, K=3", TINY, {R30.key: 0.2})), plot=Plot("n_components", "K"))


def test_a_figure_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    path = draw(FIGURE, summarize(FIGURE, Given(), 2), tmp_path)
    assert path == tmp_path / "mine.png"
    assert path.read_bytes().startswith(b"\x89PNG")


def test_drawing_without_its_extra_says_which(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"tacit\[plots\]"):
        draw(FIGURE, summarize(FIGURE, Given(), 1), tmp_path)


def test_a_table_is_not_drawn(tmp_path):
    with pytest.raises(InputError, match="mine is a table, not a figure"):
        draw(table_of(), {"lines": []}, tmp_path)


def test_bars_and_intervals(folder, tmp_path):
    pytest.importorskip("matplotlib")
    table, lab = shrunk(REPRODUCTIONS["semeval2016-table1"]), Laboratory(tmp_path / "cache", folder)
    report = summarize(table, lab, 2)
    lines = {(line["model"], line["measure"]): line for line in report["lines"]}
    low, high = lines["blend", "news"]["interval"]
    assert low <= lines["blend", "news"]["ours"] <= high
    assert "interval" not in lines["UWB, first of 2016", "news"]
    write_report(report, tmp_path)
    assert "95 % interval" in (tmp_path / "semeval2016-table1.md").read_text(encoding="utf-8")
    assert draw(table, report, tmp_path).read_bytes()[:4] == b"\x89PNG"
