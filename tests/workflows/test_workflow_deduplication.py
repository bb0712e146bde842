"""dedupe: exact copies, groups of near copies, and the rows that stay."""

from __future__ import annotations

import csv

import pytest

import tacit
from helpers.products import product_lists
from tacit.corpora import Record
from tacit.errors import InputError
from tacit.workflows import RecordOptions, RecordSource, write_clean

A, _ = product_lists(60)
COPIES = [f"{text} new" for text in A[:20]]
TEXTS = [*A, *COPIES, A[0].upper(), f"  {A[1]} ", "1.5 mg daily", "15 mg daily", "learn C", "learn C++"]


@pytest.fixture(scope="module")
def result():
    return tacit.dedupe(TEXTS)


def test_only_exact_copies_are_removed_by_default(result):
    assert repr(result).startswith(f"<Duplicates: {len(result.groups)} groups in ")
    assert result.removed_rows == {80, 81}
    assert [record.text for record in result.clean] == [
        t for row, t in enumerate(TEXTS) if row not in (80, 81)
    ]


def test_composed_and_decomposed_letters_are_exact_copies():
    assert tacit.dedupe(["Café Noir", "cafe\u0301  noir", "cafe noir"]).removed_rows == {1}


def test_near_copies_are_grouped_for_review(result):
    near = [group for group in result.groups if any(member.decision == "review" for member in group)]
    for group in near:
        assert [member.decision for member in group].count("representative") == 1
        texts = [TEXTS[member.row] for member in group]
        assert len(texts[0]) == max(map(len, texts))
    assert not any({82, 83} <= {member.row for member in group} for group in result.groups)


def test_groups_do_not_share_rows(result):
    rows = [member.row for group in result.groups for member in group]
    assert len(rows) == len(set(rows))


def test_number_of_threads_does_not_change_groups(result):
    again = tacit.dedupe(TEXTS, n_threads=1)
    assert again.groups == result.groups
    assert [pair.score for pair in again.pairs] == [pair.score for pair in result.pairs]


def test_threshold_removes_near_copies():
    result = tacit.dedupe(TEXTS, threshold=0.5)
    assert len(result.removed_rows) > 10
    for group in result.groups:
        assert [member.row in result.removed_rows for member in group] == [False] + [True] * (len(group) - 1)


def test_a_higher_threshold_removes_fewer():
    counts = [len(tacit.dedupe(TEXTS, threshold=value).removed_rows) for value in (0.4, 0.6, 0.8, 0.99)]
    assert counts == sorted(counts, reverse=True)


def test_scores_are_the_sums_of_their_evidence(result):
    scores = [pair.score for pair in result.pairs]
    assert scores == sorted(scores, reverse=True)
    for pair in result.pairs:
        assert sum(pair.evidence.values()) == pytest.approx(pair.score)
        assert pair.score <= 1 + 1e-6


def test_limits_need_judgements():
    for name in ("precision", "recall"):
        with pytest.raises(InputError, match=f"{name}=0.9 needs judgements.*tacit teach"):
            tacit.dedupe(A, **{name: 0.9})


@pytest.mark.parametrize(
    "texts", [["a cat"], ["a cat", "a cat"], ["!!", "??", "tea"], ["a cat", "a dog", "stocks"]]
)
def test_tiny_lists_can_be_deduplicated(texts):
    result = tacit.dedupe(texts)
    assert len(result.clean) == len(set(texts))


def test_review_table_has_the_other_columns(result):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"name": TEXTS, "sku": [f"s{k}" for k in range(len(TEXTS))], "price": range(len(TEXTS))}
    )
    table = tacit.dedupe(frame, text="name", id="sku").to_pandas()
    assert list(table.columns)[:5] == ["group", "decision", "id", "text", "score"]
    assert list(table.columns)[-1] == "price"
    assert [f"s{price}" for price in table["price"]] == table["id"].tolist()
    assert len(table) == sum(map(len, result.groups))


def test_clean_rows_of_a_file_are_unchanged(tmp_path):
    rows = [["sku", "price", "name", "note"], ["7", "1.50", "a red lamp", "=1+1"], ["8", "", "", "no text"]]
    rows += [["9", "2", "A  red LAMP", "copy"], ["10", "3", "a blue lamp", "x,y"]]
    path = tmp_path / "in.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    before = path.read_bytes()
    source = RecordSource((str(path),), options=RecordOptions(text="name", id="sku"))
    result = tacit.dedupe(source)
    assert write_clean(tmp_path / "clean.csv", result, source) == 3
    with open(tmp_path / "clean.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [rows[0], rows[1], rows[2], rows[4]]
    assert path.read_bytes() == before


def test_clean_rows_of_records_have_all_columns(tmp_path):
    records = [
        Record("a lamp", "1", {"price": 5}),
        Record("A lamp", "2", {"price": 6}),
        Record("tea", "3", {}),
    ]
    result = tacit.dedupe(records)
    write_clean(tmp_path / "clean.csv", result, records)
    assert (tmp_path / "clean.csv").read_text(encoding="utf-8") == "id,text,price\n1,a lamp,5\n3,tea,\n"


def test_columns_of_the_list_are_told_apart_from_those_of_the_result():
    rows = [
        {"text": text, "score": 7, "group": "x"} for text in ("a red lamp", "A red  lamp", "a blue kettle")
    ]
    duplicates = tacit.dedupe(rows, text="text")
    columns = duplicates.table_columns()
    assert len(set(columns)) == len(columns)
    assert columns[-2:] == ["score_input", "group_input"]
    assert [row[-2:] for row in duplicates.table_rows()] == [[7, "x"], [7, "x"]]
