"""Results of an index and a model as data frames, and what their names print."""

from __future__ import annotations

import pandas
import polars
import pytest

import tacit
from helpers.small_texts import ENGLISH

IDS = [f"n{number}" for number in range(len(ENGLISH))]


@pytest.fixture(scope="module")
def index():
    frame = pandas.DataFrame({"key": IDS, "note": ENGLISH, "score": range(len(ENGLISH)), "text": "other"})
    return tacit.build_index(frame, text="note", id="key")


def frames(result):
    """The rows of both kinds of frame, which must agree."""
    by_pandas, by_polars = result.to_pandas(), result.to_polars()
    assert isinstance(by_pandas, pandas.DataFrame)
    assert isinstance(by_polars, polars.DataFrame)
    rows = by_polars.to_dicts()
    assert by_pandas.to_dict("records") == rows
    assert result._repr_html_().count("<tr>") == 1 + min(len(rows), 50)
    return rows


def test_pairs_have_the_columns_of_both_texts(index):
    pairs = index.duplicates(0.5)
    rows = frames(pairs)
    assert [(row["id_a"], row["id_b"]) for row in rows] == [(pair.id_a, pair.id_b) for pair in pairs]
    for row in rows:
        assert (row["score_a"], row["score_b"]) == (IDS.index(row["id_a"]), IDS.index(row["id_b"]))
        assert row["text_a_input"] == "other"
        assert row["text_b"] == ENGLISH[IDS.index(row["id_b"])]


def test_groups_and_clusters_have_a_row_for_each_text(index):
    groups, clusters = index.duplicate_groups(0.5), index.clusters(3)
    rows = frames(groups)
    assert [row["id"] for row in rows] == [text_id for group in groups for text_id in group.ids]
    assert all(row["score_input"] == IDS.index(row["id"]) for row in rows)
    rows = frames(clusters)
    assert sorted(row["id"] for row in rows) == sorted(IDS)
    assert {row["label"] for row in rows} == {cluster.label for cluster in clusters}


def test_hits_of_many_queries_have_a_column_of_queries(index):
    queries = ["a cat sleeps", "money from a bank"]
    many = index.search_many(queries, 3)
    rows = frames(many)
    assert [row["query"] for row in rows] == [query for query in queries for _ in range(3)]
    assert [row["id"] for row in rows] == [hit.id for hits in many for hit in hits]
    assert rows[0]["text_input"] == "other"


def test_columns_with_names_of_the_result_stay_distinct():
    notes = [{"note": text, "score": 1, "score_input": 2, "query": 3} for text in ENGLISH]
    row = frames(tacit.build_index(notes, text="note").search_many(["cat"], 1))[0]
    assert (row["score_input"], row["score_input_input"], row["query_input"]) == (1, 2, 3)


def test_comparisons_and_explanations_are_tables(index):
    comparisons = index.model.compare_pairs(["a cat", "a loan"], ["a kitten", "the rain"])
    rows = frames(comparisons)
    assert [(row["text_a"], row["score"]) for row in rows] == [
        ("a cat", comparisons[0].score), ("a loan", comparisons[1].score)
    ]  # fmt: skip
    explanation = index.model.explain("my cat sleeps", "the kitten sleeps")
    rows = frames(explanation)
    assert sum(row["contribution"] for row in rows) == pytest.approx(explanation.score)
    assert [row["word_a"] for row in rows[:3]] == [word for word, _, _ in explanation.top(3)]


def test_results_stay_lists(index):
    assert index.duplicates(0.5) == list(index.duplicates(0.5))
    assert index.duplicates(1) == []
    assert list(index.duplicates(1).to_pandas().columns) == ["id_a", "text_a", "id_b", "text_b", "score"]


def test_names_say_what_they_hold(index):
    assert repr(index).startswith(f"<Index of {len(ENGLISH)} texts; <TextModel of en ")
    assert repr(index.model).endswith(f" words; {index.model.n_components} components>")
    learned = tacit.learn(ENGLISH)
    assert repr(learned).startswith(f"<Learned: {learned.model!r}; language en; ")
    assert "elf-check" in repr(learned)
