"""teach: judgements of given pairs and of work folders."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import numpy as np
import pytest

import tacit
from helpers.products import product_lists
from tacit.decisions.judging import average_precision, best_f1_cut, fit_judged, next_pairs
from tacit.errors import InputError
from tacit.workflows import open_session

A, B = product_lists(60)
PAIRS = [(A[k], B[k if k % 2 else (k + 2) % 60]) for k in range(60)]
LABELS = [k % 2 for k in range(60)]


def test_judged_pairs_teach_the_others():
    taught = tacit.teach(PAIRS, [label if row < 30 else None for row, label in enumerate(LABELS)])
    assert taught.is_taught
    assert [pair.is_match for pair in taught.pairs] == list(map(bool, LABELS))
    assert 0 <= taught.precision[0] <= taught.precision[1] <= 1
    assert len(taught.next_pairs) == 5
    assert not set(taught.next_pairs) & set(range(30))
    assert "cross-validated: average precision" in taught.notes[0]
    assert "50 more judgements" in taught.notes[0]


def test_judgements_can_be_a_mapping():
    labels = dict(enumerate(LABELS[:20]))
    by_number, in_order = tacit.teach(PAIRS, labels), tacit.teach(PAIRS, LABELS[:20])
    assert [p.score for p in by_number.pairs] == [p.score for p in in_order.pairs]


@pytest.mark.parametrize(
    ("judgements", "message"),
    [
        ([1, 0, 2], "label=2: give 1 for a match or 0 for none"),
        ({99: 1}, "there is no pair 99: there are 60, from 0"),
        (["yes"], "label='yes'"),
    ],
)
def test_invalid_labels_are_errors(judgements, message):
    with pytest.raises(InputError) as error:
        tacit.teach(PAIRS, judgements)
    assert message in str(error.value)


def test_contradictions_are_an_error():
    with pytest.raises(InputError, match="are judged both 1 and 0: keep one judgement"):
        tacit.teach([*PAIRS, PAIRS[0]], {0: 1, 60: 0})


@pytest.mark.parametrize(
    ("judgements", "note"),
    [
        ([1, 0, 1], "3 judgements are too few to learn from: judge at least 10 pairs"),
        ([1] * 12, "all 12 judgements are 1: judge a pair of the other class too"),
        ([], "0 judgements are too few"),
    ],
)
def test_judgements_that_do_not_suffice_give_one_line(judgements, note):
    taught = tacit.teach(PAIRS, judgements)
    assert not taught.is_taught
    assert len(taught.notes) == 1
    assert note in taught.notes[0]
    assert len(taught.next_pairs) == max(10 - len(judgements), 5)


def test_a_model_of_random_labels_is_not_used():
    labels = np.random.default_rng(5).permutation(LABELS).tolist()
    notes = tacit.teach(PAIRS, labels).notes
    taught = tacit.teach(PAIRS, labels)
    assert taught.is_taught or "is not used" in notes[0]
    assert any(
        "is not used" in tacit.teach(PAIRS, np.random.default_rng(seed).permutation(LABELS).tolist()).notes[0]
        for seed in range(4)
    )


@pytest.fixture
def work(tmp_path):
    tacit.link(A, B, work=tmp_path / "work")
    return tmp_path / "work"


def test_judgements_of_a_work_folder_are_appended_lines(work):
    rows = [(str(k), str(k), 1) for k in range(1, 16)]
    tacit.teach(work, rows)
    tacit.teach(work, [("20", "20", 0)])
    lines = (work / "judgements.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [*([a, b, 1.0] for a, b, _ in rows), ["20", "20", 0.0]]


def test_judgements_survive_linking_again(work):
    tacit.teach(work, [("7", "7", 0)])
    links = tacit.link(A, B, work=work)
    assert ("7", "7") not in {(p.a.id, p.b.id) for p in links}
    assert ("7", "7") not in {(p.a.id, p.b.id) for p in tacit.link(work=work)}


def test_undone_judgements_do_not_count(work):
    session = open_session(work)
    pair = session.result().numbers[0]
    session.judge(pair, 0.0)
    assert session.undo() == pair
    assert session.undo() is None
    assert open_session(work).labels == {}


def test_sessions_continue_where_they_ended(work):
    session = open_session(work)
    for place in session.result().next_pairs:
        session.judge(session.result().numbers[place], 1.0)
    assert open_session(work).labels == session.labels
    assert len(open_session(work).result().next_pairs) == 5


def test_unknown_ids_and_contradictions_of_ids_are_errors(work):
    with pytest.raises(InputError, match="check the ids"):
        tacit.teach(work, [("x", "y", 1)])
    with pytest.raises(InputError, match="'1' and '1' are judged both 1 and 0"):
        tacit.teach(work, [("1", "1", 1), ("1", "1", 0)])
    assert not (work / "judgements.jsonl").exists()


def test_judgements_let_dedupe_remove_near_copies(tmp_path):
    work = tmp_path / "work"
    tacit.dedupe([*A, *B], work=work)
    session = open_session(work)
    result = session.result()
    for number, pair in list(zip(result.numbers, result.pairs, strict=True))[::3]:
        session.judge(number, float(abs(int(pair.a.id) - int(pair.b.id)) == 60))
    taught = tacit.dedupe(work=work, precision=0.9)
    assert taught.is_taught
    assert taught.precision[0] <= taught.precision[1]
    assert len(taught.removed_rows) > 40


def test_pairs_of_a_table_keep_their_judgements(tmp_path):
    table = tmp_path / "pairs.csv"
    rows = [
        f'"{a}","{b}",{label if k < 12 else ""}'
        for k, ((a, b), label) in enumerate(zip(PAIRS, LABELS, strict=True))
    ]
    table.write_text("\n".join(["text_a,text_b,label", *rows]) + "\n", encoding="utf-8")
    session = open_session(table)
    assert session.labels == dict(enumerate(map(float, LABELS[:12])))
    session.judge(20, 0.0)
    assert open_session(table).labels == {**session.labels, 20: 0.0}


def test_all_judgements_can_be_listed(work):
    session = open_session(work)
    pair = session.result().numbers[3]
    session.judge(pair, 1.0)
    a, b = session.records(pair)
    assert open_session(work).list_judgements() == [(a.id, b.id, 1.0)]


@pytest.fixture(scope="module")
def graded():
    """Pairs whose grade is the share of words that they have in common, a model, and the grades."""
    rng = np.random.default_rng(0)
    words = [f"w{k}" for k in range(40)]
    pairs, grades = [], []
    for _ in range(60):
        a = rng.choice(words, 5, replace=False).tolist()
        n_shared = int(rng.integers(0, 6))
        b = [*a[:n_shared], *rng.choice([w for w in words if w not in a], 5 - n_shared, replace=False)]
        pairs.append((" ".join(a), " ".join(b)))
        grades.append(float(n_shared))
    return pairs, tacit.learn([text for pair in pairs for text in pair], language=None).model, grades


def test_grades_teach_a_measure_that_compare_uses(graded, tmp_path):
    pairs, model, grades = graded
    taught = tacit.teach(pairs, dict(enumerate(grades[:40])), model=model)
    assert taught.is_taught
    assert taught.score_name == "grade"
    assert "40 grades, cross-validated: correlation" in taught.notes[0]
    assert len(taught.next_pairs) == 10
    assert not set(taught.next_pairs) & set(range(40))
    scores = [pair.score for pair in taught.pairs]
    assert np.abs(np.subtract(scores, grades)[40:]).mean() < 0.5
    compared = model.compare_pairs(*zip(*pairs, strict=True), taught.measure)
    assert [each.score for each in compared] == pytest.approx(scores)
    taught.measure.save(tmp_path / "measure")
    loaded = tacit.load(tmp_path / "measure", "measure")
    assert model.similarity_pairwise(*zip(*pairs, strict=True), loaded) == pytest.approx(scores)


def test_grades_of_a_table_are_stored_beside_it(graded, tmp_path):
    pairs, model, grades = graded
    table = tmp_path / "pairs.csv"
    rows = [f"{a},{b},{grades[k] if k < 20 else ''}" for k, (a, b) in enumerate(pairs)]
    table.write_text("\n".join(["text_a,text_b,label", *rows]) + "\n", encoding="utf-8")
    tacit.teach(table, [("30", "30", 4.5)], model=model)
    session = open_session(table, model=model)
    assert session.labels == {**dict(enumerate(grades[:20])), 29: 4.5}
    measure = tacit.load(tmp_path / "pairs.csv.judgements" / "measure", "measure")
    assert measure.grade(session.problem.pairs.features).tolist() == [p.score for p in session.result().pairs]


@pytest.mark.parametrize(
    ("grades", "note"),
    [([5, 0, 1], "3 grades are too few to learn from"), ([4] * 12, "all 12 grades are 4: grade a pair")],
)
def test_grades_that_do_not_suffice_give_one_line(graded, grades, note):
    taught = tacit.teach(graded[0], grades, model=graded[1])
    assert not taught.is_taught
    assert taught.measure is None
    assert note in taught.notes[0]


def test_grades_are_from_zero_to_five(graded):
    with pytest.raises(InputError, match="label=6: give a grade from 0 to 5"):
        tacit.teach(graded[0], [6], model=graded[1])


AIMS = {"amazon_google": (0.51, 0.55), "wdc_products": (0.73, 0.76), "medical_questions": (0.69, 0.72)}


@pytest.mark.parametrize("name", AIMS)
def test_quality_on_the_evaluation_pairs(data, monkeypatch, name):
    """The mean over 100 seeds is at most .01 below the aims at 50 and at 200 judgements."""
    monkeypatch.setattr(sys, "path", [str(data / "pairs"), *sys.path])
    rows = import_module("make_lists").pairs(name)
    labels = np.array([float(match) for match, _, _ in rows])
    _, features, prior = open_session([(a, b) for _, a, b in rows]).problem.pairs.teaching_set
    f1 = {50: [], 200: []}
    for seed in range(100):
        judged, p = {}, np.full(len(rows), 0.5)
        while len(judged) < 200:
            judged |= {pair: labels[pair] for pair in next_pairs(p, judged, seed).tolist()}
            p = fit_judged(features, judged, prior).probabilities(features)
            if len(judged) in f1:
                rest = np.setdiff1d(np.arange(len(p)), list(judged))
                accepted, y = p[rest] >= best_f1_cut(p[rest]), labels[rest]
                f1[len(judged)].append(2 * y[accepted].sum() / (accepted.sum() + y.sum()))
    assert [np.mean(values) >= least for values, least in zip(f1.values(), AIMS[name], strict=True)] == [
        True
    ] * 2
    assert average_precision(p, labels) > average_precision(features @ prior[:-1], labels)
