"""link: ids and columns, options, work folders, and quality on the evaluation data."""

from __future__ import annotations

import csv
import sys
from importlib import import_module

import numpy as np
import pytest

import tacit
from helpers.products import product_lists
from tacit.corpora import Record
from tacit.decisions.decision import ESTIMATE_REMARK
from tacit.errors import InputError, ModelError
from tacit.workflows.linking import PairResult, list_cuts

A, B = product_lists(60)


@pytest.fixture(scope="module")
def links():
    return tacit.link(A, B)


def test_rows_are_linked_with_ids_from_one(links):
    assert len(links) > 50
    assert np.mean([pair.a.id == pair.b.id for pair in links]) > 0.95
    assert [A[int(pair.a.id) - 1] for pair in links] == [pair.a.text for pair in links]


def test_scores_are_the_sums_of_their_evidence_best_first(links):
    scores = [pair.score for pair in links]
    assert scores == sorted(scores, reverse=True)
    for pair in links:
        assert sum(pair.evidence.values()) == pytest.approx(pair.score)
        assert list(pair.evidence) == ["words", "codes", "meaning", "length", "typical_pair"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_ids_and_columns_of_data_frames_survive(library, links):
    frames = pytest.importorskip(library)
    a = frames.DataFrame({"sku": [f"a{k}" for k in range(60)], "name": A, "price": range(60)})
    b = frames.DataFrame({"code": [f"b{k}" for k in range(60)], "title": B, "stock": range(60)})
    result = tacit.link(a, b, text="name", id="sku", text_b="title", id_b="code")
    table = getattr(result, f"to_{library}")()
    columns = list(table.columns)
    assert columns[:5] == ["id_a", "id_b", "text_a", "text_b", "score"]
    assert columns[-2:] == ["price_a", "stock_b"]
    rows = list(zip(*(table[name].to_list() for name in ("id_a", "text_a", "price_a", "score")), strict=True))
    assert [(int(name[1:]), A[int(name[1:])]) for name, _, _, _ in rows] == [(p, t) for _, t, p, _ in rows]
    assert [row[3] for row in rows] == [round(pair.score, 6) for pair in links]
    assert "<table>" in result._repr_html_()
    assert repr(result) == f"<Links: {len(result)} links>"


def test_number_of_threads_does_not_change_links(links):
    result = tacit.link(A, B, n_threads=1)
    assert [(p.a.id, p.b.id, p.score) for p in result] == [(p.a.id, p.b.id, p.score) for p in links]


def test_equal_texts_are_paired_in_order_or_all_with_many():
    one = tacit.link([*A, A[0].upper()], [*B, B[0]])
    assert {("1", "1"), ("61", "61")} <= {(p.a.id, p.b.id) for p in one}
    many = tacit.link([*A, A[0].upper()], [*B, B[0]], many=True)
    pairs = {(p.a.id, p.b.id) for p in many}
    assert {("1", "1"), ("1", "61"), ("61", "1"), ("61", "61")} <= pairs
    assert many.precision == ()


def test_threshold_replaces_the_estimate(links):
    middle = links.links[20].score
    result = tacit.link(A, B, threshold=middle)
    assert [p.score for p in result] == [p.score for p in links if p.score >= middle]
    assert result.cut == middle


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recall": 0.9}, "recall=0.9 needs judgements: judge some pairs with tacit teach FOLDER"),
        ({"precision": 1.5}, "precision=1.5: expected a number above 0, at most 1"),
        (
            {"precision": 0.5, "threshold": 2.0},
            "threshold, precision and recall exclude each other",
        ),
    ],
)
def test_invalid_options_are_errors(options, message):
    with pytest.raises(InputError) as error:
        tacit.link(A[:25], B[:25], **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (["a cat"], None, "link needs two lists, or the work folder"),
        (["a cat"], [], "the list has no text"),
        ([{"id": "7", "t": "a cat"}, {"id": "7", "t": "a dog"}], ["x"], "the id '7' occurs twice"),
    ],
)
def test_unusable_lists_are_errors(a, b, message):
    columns = {"text": "t", "id": "id"} if a and isinstance(a[0], dict) else {}
    with pytest.raises(InputError, match=message):
        tacit.link(a, b, **columns)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (["a cat"], ["a cat"]),
        (["a cat"], ["stocks fell"]),
        (["!!", "tea"], ["??"]),
        (["a cat", "a dog"], ["my cat"]),
    ],
)
def test_tiny_lists_can_be_linked(a, b):
    links = tacit.link(a, b)
    assert len(links) <= min(len(a), len(b))
    assert all(np.isfinite(pair.score) for pair in links)


def test_a_work_folder_gives_the_same_links(links, tmp_path):
    first = tacit.link(A, B, work=tmp_path / "work")
    again = tacit.link(work=tmp_path / "work")
    for result in (first, again):
        assert [(p.a, p.b, p.score) for p in result] == [(p.a, p.b, p.score) for p in links]


def test_work_folder_of_dedupe_or_a_model_is_an_error(tmp_path):
    tacit.dedupe(A, work=tmp_path / "one")
    with pytest.raises(InputError, match="a work folder of dedupe"):
        tacit.link(work=tmp_path / "one")
    tacit.learn(A).save(tmp_path / "model")
    with pytest.raises(ModelError, match="not a work folder"):
        tacit.link(work=tmp_path / "model")


@pytest.mark.parametrize(("name", "least"), [("amazon_google", 0.66), ("medical_questions", 0.77)])
def test_links_of_the_evaluation_lists(data, tmp_path, monkeypatch, name, least):
    """At most .01 below the published aims, without labels."""
    monkeypatch.setattr(sys, "path", [str(data / "pairs"), *sys.path])
    a, b, truth = import_module("make_lists").lists(name, False)
    links = tacit.link(sorted(a), sorted(b))
    right = sum((pair.a.text, pair.b.text) in truth for pair in links)
    assert 2 * right / (len(links) + len(truth)) >= least


def test_tables_are_written_in_every_format(links, tmp_path):
    from tacit.workflows.table_writing import write_table

    write_table(tmp_path / "links.csv", links.table_columns(), links.table_rows())
    with open(tmp_path / "links.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id_a"] for row in rows] == [pair.a.id for pair in links]
    assert float(rows[0]["evidence_words"]) == pytest.approx(links.links[0].evidence["words"], abs=1e-3)


def test_cuts_have_the_pairs_around_each_threshold():
    scores = [k / 100 for k in range(100)]
    pairs = [PairResult(Record("a", "1", {}), Record("b", "2", {}), score, {}) for score in scores]
    cuts = list_cuts(pairs, 20)
    assert len(cuts) == 20
    for threshold, n_pairs, around in cuts:
        assert n_pairs == sum(score >= threshold for score in scores)
        assert len(around) == 10
        assert around[-1].score <= threshold <= around[0].score
        assert around == sorted(around, key=lambda pair: -pair.score)
    assert [cut[0] for cut in cuts] == sorted((cut[0] for cut in cuts), reverse=True)
    assert list_cuts([], 5) == []


@pytest.fixture
def tables(tmp_path):
    """Two tables with one column of texts each."""
    for name, (id_name, text_name), texts in (("a", ("sku", "name"), A), ("b", ("code", "title"), B)):
        with open(tmp_path / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(
                [[id_name, text_name], *([f"{name}{k}", t] for k, t in enumerate(texts))]
            )
    return tmp_path / "a.csv", tmp_path / "b.csv"


def test_the_text_column_and_the_ids_of_tables_are_detected(tables, links):
    expected = [(f"a{int(p.a.id) - 1}", f"b{int(p.b.id) - 1}", p.score) for p in links]
    assert [(p.a.id, p.b.id, p.score) for p in tacit.link(*tables)] == expected
    texts = {record.text for record in tacit.dedupe(tables[0]).clean}
    assert texts == set(A)


def test_an_index_is_linked_like_its_texts(tables, links, tmp_path):
    index = tacit.build_index(A)
    index.save(tmp_path / "a.index")
    expected = [(p.a.text, p.b.text, p.score) for p in links]
    for a in (index, tmp_path / "a.index", str(tmp_path / "a.index")):
        assert [(p.a.text, p.b.text, p.score) for p in tacit.link(a, tables[1])] == expected
    with pytest.raises(InputError, match="names a column of a file"):
        tacit.link(tmp_path / "a.index", tables[1], text="name")


FEW_A = ["Sony DSC-W120 camera, black", "Canon EOS 450D body", "Nikon D60 kit", "a bag of rice", "green tea"]
FEW_B = ["nikon d60 digital slr kit", "sony cybershot dscw120 black", "canon eos 450d body only"]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["a cat"], ["a dog"], set()),
        (["a cat"], ["A  cat"], {(0, 0)}),
        (FEW_A[:2], FEW_B[:2], {(0, 1)}),
        (FEW_A, FEW_B, {(0, 1), (1, 2), (2, 0)}),
        (FEW_A[3:], FEW_B, set()),
        (FEW_A, ["xylophone", "a cello"], set()),
    ],
)
def test_few_rows_are_linked_only_if_they_are_similar(a, b, expected):
    links = tacit.link(a, b)
    assert {(int(p.a.id) - 1, int(p.b.id) - 1) for p in links} == expected
    assert links.precision == ()
    assert len(links.notes) == 1
    assert "too few to learn from and to estimate the precision" in links.notes[0]


def test_a_precision_cannot_be_asked_for_with_few_rows():
    with pytest.raises(InputError, match=r"precision=0\.9 needs at least 20 texts in each list, got 3"):
        tacit.link(FEW_A, FEW_B, precision=0.9)
    with pytest.raises(InputError, match=r"recall=0\.9 needs"):
        tacit.link(FEW_A, FEW_B, recall=0.9)


def test_few_rows_can_be_judged(tmp_path):
    work = tmp_path / "work"
    tacit.link(FEW_A, FEW_B, work=work)
    tacit.teach(work, [("1", "2", 0), ("3", "1", 1)])
    assert {(p.a.id, p.b.id) for p in tacit.link(work=work)} == {("2", "3"), ("3", "1")}
    assert {(p.a.id, p.b.id) for p in tacit.link(work=work, threshold=0.99)} == {("3", "1")}


def test_the_remark_on_the_estimate_is_always_among_the_notes(links):
    assert len(links.precision) == 1
    assert links.notes == [ESTIMATE_REMARK]
    assert tacit.link(A, B, many=True).notes == []


def test_several_text_columns_are_joined(links):
    frame = [{"maker": text.split()[0], "rest": " ".join(text.split()[1:])} for text in A]
    result = tacit.link(frame, [{"maker": text, "rest": ""} for text in B], text=["maker", "rest"])
    assert [(p.a.id, p.b.id) for p in result] == [(p.a.id, p.b.id) for p in links]
    assert result.links[0].a.text.count("\n") == 1


def test_taught_links_have_probabilities(tmp_path):
    work = tmp_path / "work"
    links = tacit.link(A, B, work=work)
    tacit.teach(work, [(pair.a.id, pair.b.id, int(k < 10)) for k, pair in enumerate(links.links[:14])])
    taught = tacit.link(work=work)
    assert taught.is_taught, taught.notes
    assert taught.table_columns()[4] == "probability"
    assert all(0 <= pair.score <= 1 for pair in taught)
