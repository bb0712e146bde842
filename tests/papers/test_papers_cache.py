"""Results are found under what was asked, the data and the code; never under anything else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from papers import Experiment, Laboratory, Model, laboratory
from papers.cache import Cache, Key, code_state, file_digest
from papers.chance import official_averages, redrawn
from papers.code_digest import UNUSED, code_digest, imports, modules_used
from papers.laboratory import code_of, resolved
from tacit.evaluation.metrics import averages
from tacit.factorize.settings import PAPER

SMALL = {"n_components": 3, "regularization": 1.0, "n_iter": 3, "missing_weight": 0.01}
TINY = Model("wtmf", SMALL, random=True)


@pytest.fixture
def lab(folder, tmp_path):
    return Laboratory(tmp_path / "runs", folder)


def test_the_key_has_every_setting_defaults_included(lab):
    base = Experiment("definitions", TINY)
    assert lab.key(replace(base, model=Model("wtmf", {**SMALL, "normalize": "stem"}))) == lab.key(base)
    others = [
        replace(base, seed=1),
        replace(base, corpus="definitions, 393,666"),
        replace(base, model=Model("wtmf-stopped", {**SMALL, "patience": 1})),
        replace(base, model=Model("wtmf", {**SMALL, "normalize": "none"})),
        replace(base, model=Model("wtmf", {**SMALL, "n_iter": 4})),
    ]
    assert len({lab.key(each).question for each in [base, *others]}) == 6


def test_a_default_that_changes_changes_the_key(lab, monkeypatch):
    before = lab.key(Experiment("definitions", Model("wtmf")))
    monkeypatch.setitem(PAPER, "n_iter", 21)
    assert lab.key(Experiment("definitions", Model("wtmf"))).question != before.question


def test_data_of_the_same_size_but_other_content_is_other_data(lab, folder, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("one", encoding="utf-8")
    first = file_digest(path)
    file_digest.cache_clear()
    path.write_text("two", encoding="utf-8")
    assert file_digest(path) != first


def test_other_code_is_not_found_but_can_be_asked_for(lab, monkeypatch):
    experiment = Experiment("definitions", Model("ir"))
    now = lab.run(experiment)
    monkeypatch.setattr(laboratory, "code_digest", lambda roots: "0ther")
    assert lab.known(experiment) is None
    assert lab.older(experiment) == now
    again = lab.run(experiment)
    assert (again.code, again.numbers) == ("0ther", now.numbers)
    assert lab.known(experiment) == again


def test_a_run_says_which_code_and_when(lab):
    run = lab.run(Experiment("definitions", Model("ir")))
    assert (run.commit, run.clean) == code_state()
    assert run.date.startswith("20")
    assert run.facts["resolved"] == resolved(Experiment("definitions", Model("ir")))
    assert run.seconds >= 0
    assert run.cpu_seconds >= 0


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"format": 2, "numbers": 3}', '{"format": 1, "numbers": {}}']
)
def test_damaged_numbers_are_found_again(lab, damage):
    experiment = Experiment("definitions", Model("ir"))
    before = lab.numbers(experiment)
    (file,) = lab.cache.folder.iterdir()
    file.write_text(damage, encoding="utf-8")
    assert lab.known(experiment) is None
    assert lab.numbers(experiment) == before


def test_the_newest_of_older_results_is_taken(tmp_path):
    cache, key = Cache(tmp_path), Key("question", "now")
    for code, date in (("a", "2026-01-02"), ("b", "2026-03-01"), ("c", "2026-02-01")):
        run = cache.run(Key("question", code), {}, lambda: {"x": 1.0})
        kept = json.loads((tmp_path / f"question-{code}.json").read_text("utf-8"))
        (tmp_path / f"question-{code}.json").write_text(json.dumps({**kept, "date": date}), "utf-8")
    assert cache.find(key) is None
    assert cache.older(key).code == "b"
    assert run.numbers == {"x": 1.0}


def test_code_counts_if_it_is_used(tmp_path):
    used = modules_used(code_of(Experiment("definitions", TINY)))
    assert {"tacit.factorize.als", "tacit.text.vectorizer", "papers.definition_retrieval"} <= used
    assert "tacit.models.measures.latent" in used  # found by its file, not by an import
    assert not [name for name in used if name.startswith(("tacit.server", "tacit.cli", "papers.senses"))]
    assert not {"papers.page", "papers.report", "papers.laboratory", "papers.corpora"} & used


def test_code_that_is_imported_and_never_used_does_not_count():
    from tacit.storage import read_model

    used = modules_used(code_of(Experiment("definitions", TINY)))
    assert "tacit.models.text_model" in used  # which writes models, and not here: conftest.py sees to it
    assert not UNUSED & used
    with pytest.raises(AssertionError, match="leaves out"):
        read_model("anything")


def test_what_measures_itself_uses_its_own_code_alone():
    used = modules_used(code_of(Experiment("med", Model("med-query"))))
    assert {"papers.med", "tacit.kernels.lambda_search"} <= used
    assert not [name for name in used if name.startswith(("tacit.training", "papers.measuring"))]


def test_comments_and_docstrings_do_not_count_and_code_does(tmp_path, monkeypatch):
    from papers import code_digest as module

    file = tmp_path / "thing.py"
    monkeypatch.setattr(module, "_file", lambda name: file if name == "papers.thing" else None)

    def digest(source):
        file.write_text(source, encoding="utf-8")
        for cached in (module._tree, imports, code_digest):
            cached.cache_clear()
        return code_digest(frozenset({"papers.thing"}))

    first = digest('"""One."""\nX = 1\n')
    assert digest('"""Two."""\n\n# a comment\nX = 1\n') == first
    assert digest('"""One."""\nX = 2\n') != first
    first = digest("if X < 0:\n    raise ValueError('X')")
    assert digest("if X < 0:\n    raise ValueError(f'X is {X}')") == first
    assert digest("if X < 1:\n    raise ValueError('X')") != first
    assert digest("if X < 0:\n    raise TypeError('X')") != first


def test_chance_measures_what_the_task_measures():
    import numpy as np

    rng = np.random.default_rng(0)
    sets = [(rng.random(n), rng.random(n)) for n in (20, 30)]
    found, checked = official_averages(sets), averages(sets)
    for name in ("all", "all_normalized", "weighted_mean"):
        assert found[f"{name}/pearson"] == pytest.approx(checked[name])
    drawn = redrawn(sets, official_averages, n_samples=20)["all/pearson"]
    assert len(set(drawn.tolist())) == 20


def test_the_interval_holds_the_figure(lab):
    numbers = lab.numbers(Experiment("entries+sts12", TINY))
    key = "sts12/weighted_mean/pearson"
    assert numbers[f"{key}_low"] < numbers[key] < numbers[f"{key}_high"]
