"""Cleaning, graph, walk, silhouette, terms and quotes, each against a reference or a property."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_score

from tacit.compute.cosine import normalize_rows
from tacit.text.name_words import FUNCTION_WORDS, can_name_group
from tacit.themes.cleaning import clean_text, sort_by_hash
from tacit.themes.clustering import (
    N_NEIGHBORS,
    build_graph,
    center_rows,
    measure_silhouette,
    smooth_by_random_walk,
    sort_labels_by_size,
    weight_per_label,
)
from tacit.themes.naming import choose_terms
from tacit.themes.terms import collect_terms


@pytest.fixture(scope="module")
def vectors():
    unit = normalize_rows(np.random.default_rng(0).standard_normal((80, 6)).astype(np.float32))
    return center_rows(unit, unit.mean(axis=0))


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("see https://t.co/x1?y=2, now", "see now"),
        ("mail anna.b+c@mail.example.org today", "mail today"),
        ("@user1 thanks", "thanks"),
        ("a &lt;b&gt; c", "a <b> c".replace("<b>", "").replace("  ", " ")),
        ("<p class='x'>Q&amp;A</p>", "Q&A"),
        ("caf\u0065\u0301", "caf\u00e9"),
        ("if a < b then", "if a < b then"),
    ],
)
def test_cleaning_removes_addresses_and_tags(text, cleaned):
    assert clean_text(text) == cleaned


@given(st.lists(st.text(max_size=8), max_size=20), st.randoms())
def test_distinct_texts_do_not_depend_on_input_order(texts, rng):
    shuffled = rng.sample(texts, len(texts))
    first, second = sort_by_hash(texts), sort_by_hash(shuffled)
    assert first.texts == second.texts
    for text, row in zip(texts, first.rows, strict=True):
        assert (first.texts[row] if row >= 0 else "") == clean_text(text)


def test_graph_has_the_nearest_rows_of_brute_force(vectors):
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    expected = np.zeros_like(cosines)
    for row, best in enumerate(np.argsort(-cosines, axis=1)[:, :N_NEIGHBORS]):
        expected[row, best] = np.maximum(cosines[row, best], 0)
    np.testing.assert_allclose(build_graph(vectors).toarray(), np.maximum(expected, expected.T), atol=1e-6)


def test_walk_equals_powers_of_the_dense_step(vectors):
    graph = build_graph(vectors)
    dense = graph.toarray().astype(np.float64)
    step = (np.eye(len(dense)) + dense / dense.sum(axis=1, keepdims=True)) / 2
    expected = np.linalg.matrix_power(step, 8) @ vectors
    expected = normalize_rows(expected - expected.mean(axis=0))
    np.testing.assert_allclose(smooth_by_random_walk(vectors, graph, 8), expected, atol=1e-4)


def test_weights_per_label_are_shares(vectors):
    labels = np.arange(len(vectors)) % 3
    graph = build_graph(vectors)
    dense = graph.toarray()
    expected = np.stack([dense[:, labels == label].sum(axis=1) for label in range(3)], axis=1)
    expected /= dense.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weight_per_label(graph, labels, 3), expected, atol=1e-6)


def test_silhouette_is_that_of_scikit_learn(vectors):
    labels = np.random.default_rng(1).integers(0, 4, len(vectors))
    assert measure_silhouette(vectors, labels) == pytest.approx(
        silhouette_score(vectors, labels, metric="cosine"), abs=1e-5
    )


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_sorted_labels_keep_the_groups(labels):
    ordered = sort_labels_by_size(np.array(labels))
    sizes = np.bincount(ordered)
    assert (sizes[:-1] >= sizes[1:]).all()
    assert (sizes > 0).all()
    assert len({*zip(labels, ordered.tolist(), strict=True)}) == len({*labels}) == len(sizes)


def spellings(texts: list[str], language: str | None = "en") -> list[str]:
    return sorted(term.spelling for term in collect_terms(texts, language, list).terms)


def test_terms_are_phrases_within_punctuation():
    texts = ["terms of service, late fee", "Terms of service: late fee"]
    assert spellings(texts) == ["fee", "late", "late fee", "service", "terms", "terms of service"]


def test_terms_have_the_most_frequent_spelling():
    assert spellings(["credit Card", "credit card", "Credit card"]) == ["card", "credit", "credit card"]


def test_terms_have_no_numbers_or_function_words():
    terms = spellings(["the 2024 fee of 10 users' don't", "the 2024 fee of 10 users' don't"])
    assert terms == ["fee", "users"]


def names(texts: list[str], labels: list[int], n_themes: int) -> list[list[str]]:
    """Name groups of texts; all terms are equally close to all groups."""
    table = collect_terms(texts, "en", list)
    chosen = choose_terms(table, np.array(labels), np.ones((n_themes, len(table.terms))))
    return [[scored.term.spelling for scored in terms] for terms in chosen]


@pytest.mark.parametrize(("n_with_word", "name"), [(20, ["parcel"]), (6, ["parcel"]), (4, [])])
def test_group_is_named_by_words_of_enough_of_its_texts(n_with_word, name):
    words = [f"{a}{b}" for a in "bcdfg" for b in ("ado", "elu", "imo", "oru", "ugi")]
    mixed = [f"parcel {words[i]}" if i < n_with_word else words[i] for i in range(25)]
    texts = [*mixed, *[f"invoice refund {word}" for word in words]]
    assert names(texts, [0] * 25 + [1] * 25, 2) == [name, ["invoice refund"]]


def test_weak_words_are_left_out_of_a_name():
    texts = ["parcel"] * 18 + ["courier"] * 4 + ["invoice"] * 22
    assert names(texts, [0] * 22 + [1] * 22, 2) == [["parcel"], ["invoice"]]
    texts = ["parcel"] * 12 + ["courier"] * 10 + ["invoice"] * 22
    assert names(texts, [0] * 22 + [1] * 22, 2)[0] == ["parcel", "courier"]


@pytest.mark.parametrize("code", sorted(set(FUNCTION_WORDS) - {"*", "zh", "ja", "th"}))
def test_function_words_of_each_language_name_no_group(code):
    words = FUNCTION_WORDS[code]
    assert len(words) >= 80
    assert not any(can_name_group(word, code) for word in words)
    assert all(word == word.lower() for word in words)
