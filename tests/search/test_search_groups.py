"""Duplicates, clusters and the map."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import language_models
from tacit import WTMF, Index, TextVectorizer
from tacit.errors import InputError
from tacit.models.measures import get_measure
from tacit.search import duplicates, reference
from tacit.search.layout import compute_layout
from tacit.search.map import draw_map
from tacit.search.map_export import render_html, render_png


@pytest.mark.parametrize("measure", ["blend", "latent"])
@pytest.mark.parametrize("threshold", [0.95, 0.98])
def test_duplicates_are_all_pairs_above_the_threshold(index, model, notes, measure, threshold):
    index.add(["MY card  was declined at the shop", "payment by cards failed", "parcel: my delivery is late"])
    texts = list(index.texts)
    scores = model.similarity(texts, texts, measure=measure)
    scores[0, 15] = scores[15, 0] = 1
    expected = {(a, b) for a, b in zip(*np.nonzero(scores >= threshold), strict=True) if a < b}
    pairs = index.duplicates(threshold, measure)
    assert {(int(p.id_a) - 1, int(p.id_b) - 1) for p in pairs} == expected
    assert expected
    assert [p.score for p in pairs] == sorted((p.score for p in pairs), reverse=True)
    for p in pairs:
        assert p.score == pytest.approx(scores[int(p.id_a) - 1, int(p.id_b) - 1], abs=1e-4)


def test_multilingual_duplicates_are_complete():
    """The latent part of this blend is raised to a power below 1, so that a lower cosine is enough."""
    model = language_models.pivot().add_language("es", language_models.PAIRS["es"])
    texts = [text for pair in language_models.PAIRS["es"] for text in pair]
    collection = Index(model)
    collection.add(texts)
    results = collection.duplicates(0.95)
    codes = model.detect(texts)
    n = len(texts)
    left, right = np.triu_indices(n, 1)
    scores, cosines = (
        model.similarity_pairwise(
            [texts[i] for i in left], [texts[j] for j in right], measure,
            [codes[i] for i in left], [codes[j] for j in right],
        )
        for measure in ("blend", "latent")
    )  # fmt: skip
    assert len(results) == (scores >= 0.95).sum() > 0
    for blend, cosine in zip(scores.tolist(), cosines.tolist(), strict=True):
        assert max(cosine, 0) >= get_measure("blend").min_cosine(model, blend) - 1e-6


def test_texts_without_duplicates_form_no_groups(model):
    alone = Index(model)
    alone.add(["my card was declined", "where is my parcel"])
    assert alone.duplicate_groups(0.99) == []
    assert alone.duplicates(0.99) == []


def test_zero_vectors_are_no_duplicates():
    """If all vectors have nearly the same direction, high cosines alone do not make duplicates."""
    texts = [f"{a} {b} {c}" for a in ("red", "green", "blue") for b in ("car", "tea", "hat", "dog")
             for c in ("today", "again", "never", "soon")]  # fmt: skip
    collapsed = WTMF(TextVectorizer.paper(min_df=1), regularization=7.5, missing_weight=0.01).fit(texts)
    assert collapsed.provenance["spread"]["mean_cosine"] > 0.9
    index = Index(collapsed)
    index.add(texts)
    assert index.duplicates(0.9) == []


def test_groups_are_those_of_average_linkage(index):
    """Compared with a greedy reference that merges the two most similar groups again and again."""
    index.add(["my card was declined at the shop"] * 3 + ["payment by cards failed"])
    texts = list(dict.fromkeys(index.texts))
    scores = index.model.similarity(texts, texts)
    expected = [[i] for i in range(len(texts))]
    while True:
        means = {
            (a, b): np.mean([scores[i, j] for i in expected[a] for j in expected[b]])
            for a in range(len(expected)) for b in range(a)
        }  # fmt: skip
        a, b = max(means, key=means.get)
        if means[a, b] < 0.8:
            break
        expected[b] += expected.pop(a)
    by_text = {text: number for number, group in enumerate(expected) for text in (texts[i] for i in group)}
    rows = [[i for i, text in enumerate(index.texts) if by_text[text] == k] for k in range(len(expected))]
    groups = [[int(name) - 1 for name in group.ids] for group in index.duplicate_groups(0.8)]
    assert sorted(groups) == sorted(group for group in rows if len(group) > 1)
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)


def test_deleted_texts_are_no_duplicates(index):
    index.add(["where is my parcel"])
    assert ("11", "16") in [(p.id_a, p.id_b) for p in index.duplicates()]
    index.delete(["11"])
    assert "11" not in [name for p in index.duplicates() for name in (p.id_a, p.id_b)]


def test_too_many_pairs_raise_an_error_but_groups_do_not(index, monkeypatch):
    index.add(["the same words"] * 30)
    monkeypatch.setattr(duplicates, "MAX_PAIRS", 100)
    with pytest.raises(InputError, match="more than 100 pairs"):
        index.duplicates()
    assert len(index.duplicate_groups()[0].ids) == 30


def test_small_buffers_keep_all_pairs(model, monkeypatch):
    rng = np.random.default_rng(0)
    words = ["card", "payment", "parcel", "password", "late", "login", "shop", "delivery"]
    index = Index(model, n_threads=2)
    index.add([" ".join(rng.choice(words, 3)) for _ in range(300)])
    before = index.duplicates(0.9)
    monkeypatch.setattr(duplicates, "_BUFFER", 64)
    monkeypatch.setattr(duplicates, "QUERIES_PER_PASS", 48)
    assert index.duplicates(0.9) == before


def test_clusters_separate_topics(index):
    clusters = index.clusters(3)
    results = {frozenset(cluster.ids) for cluster in clusters}
    assert results == {frozenset(str(i) for i in range(first, first + 5)) for first in (1, 6, 11)}
    named = {word for cluster in clusters for word in cluster.label.split(", ")}
    assert {"card", "password", "parcel", "delivery"} <= named
    for cluster in clusters:
        assert not {word for word, _ in cluster.said} & {word for word, _ in cluster.unsaid}
    assert clusters == index.clusters(3)


def test_number_of_clusters_is_from_1_to_the_number_of_texts(index):
    assert sum(cluster.size for cluster in index.clusters(15)) == 15
    assert index.clusters(1)[0].size == 15


def test_layout_keeps_neighbors_and_is_deterministic():
    rng = np.random.default_rng(0)
    centres = np.eye(6, dtype=np.float32)
    vectors = np.repeat(centres, 40, axis=0) + 0.1 * rng.standard_normal((240, 6), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    points = compute_layout(vectors)
    assert np.array_equal(points, compute_layout(vectors, n_threads=1))
    assert (np.abs(points) <= 1).all()
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert (apart.argmin(axis=1) // 40 == np.arange(240) // 40).mean() > 0.95


def test_points_beyond_the_layout_limit_are_placed(monkeypatch):
    from tacit.search import layout

    monkeypatch.setattr(layout, "MAX_LAYOUT_POINTS", 100)
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((250, 5), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert np.isfinite(compute_layout(vectors)).all()


def test_projected_vectors_bound_inner_products():
    from tacit.search.join_candidates import ROUNDING, Projection, VectorSource

    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((1500, 60)).astype(np.float32) * (0.9 ** np.arange(60, dtype=np.float32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    source = VectorSource(len(vectors), lambda rows: vectors[rows])
    short = Projection.fit(source, 0.8).transform_all(source)
    assert short.shape[1] < 60
    assert (short @ short.T >= vectors @ vectors.T - ROUNDING).all()


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_map_of_few_texts(model, notes, n):
    index = Index(model)
    index.add(notes[:n])
    assert draw_map(index.snapshot).points.shape == (n, 2)


def test_html_map_has_all_texts_and_no_external_links(index):
    index.add(['</script><b>bold</b> my card & "quotes"'])
    page = render_html(draw_map(index.snapshot), "Notes <1>")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    assert data["texts"] == list(index.texts)
    assert len(base64.b64decode(data["group"])) == 16
    assert "Notes &lt;1&gt;" in page
    assert not re.search(r"https?://|//[a-z]+\.", page)
    assert "</script><b>" not in page


def test_png_map_is_a_png_file(index):
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    assert render_png(draw_map(index.snapshot), "Notes at $5").startswith(b"\x89PNG")


def test_map_and_clusters_need_known_words(model):
    index = Index(model)
    index.add(["qqq"])
    for call in (lambda: draw_map(index.snapshot), index.clusters):
        with pytest.raises(InputError, match="no text with a known word"):
            call()


@settings(max_examples=40)
@given(
    seed=st.integers(0, 999), n=st.integers(1, 150), components=st.integers(1, 9), first_row=st.integers(0, 9)
)
def test_candidate_pairs_equal_the_reference(seed, n, components, first_row):
    vectors = np.random.default_rng(seed).integers(-2, 3, (n, components)).astype(np.float32)
    results = []
    for begin in range(0, n, 40):
        for left, right in duplicates.candidate_pairs(
            vectors, (begin, min(begin + 40, n)), np.float32(first_row)
        ):
            results += zip(left.tolist(), right.tolist(), strict=True)
    assert sorted(results) == reference.pairs_above(vectors, first_row)


def random_texts(n, seed=0):
    """Return texts on random topics; a tenth are copies of others with one word changed."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(40, size=n)
    words = rng.integers(12, size=(n, 7)) + 12 * topics[:, None]
    copied = np.flatnonzero(rng.random(n) < 0.1)
    words[copied] = words[rng.integers(n, size=len(copied))]
    words[copied, 0] = rng.integers(480, size=len(copied))
    return [" ".join(f"w{word}" for word in row) for row in words.tolist()]


def test_recall_within_cells_is_as_estimated(caplog):
    texts = random_texts(4000)
    index = Index(WTMF(TextVectorizer(min_df=1), n_components=20, n_iter=3).fit(texts), n_threads=2)
    index.add(texts)
    every = {(p.id_a, p.id_b): p.score for p in index.duplicates(0.9, exact=True)}
    with caplog.at_level("INFO", logger="tacit.search.duplicates"):
        results = {(p.id_a, p.id_b): p.score for p in index.duplicates(0.9, exact=False)}
    assert results.items() <= every.items()
    estimate = re.search(r"finds ([\d.]+) % of ([\d,]+) pairs .*95 %: ([\d.]+) to ([\d.]+)", caplog.text)
    assert len(results) >= float(estimate[3]) / 100 * len(every) - 10
    assert float(estimate[1]) > 90
    groups = {tuple(group.ids) for group in index.duplicate_groups(0.9, exact=False)}
    assert len(groups) > 10


def test_only_many_texts_are_compared_within_cells_by_default(monkeypatch, caplog, index):
    with caplog.at_level("INFO", logger="tacit.search.duplicates"):
        few = index.duplicates(0.9)
        monkeypatch.setattr(duplicates, "EXACT_JOIN_MAX_TEXTS", 10)
        assert index.duplicates(0.9, exact=True) == few
        assert "cells" not in caplog.text
        many = index.duplicates(0.9)
    assert "cells, which finds" in caplog.text
    assert many == index.duplicates(0.9, exact=False)


def test_texts_are_grouped_up_to_case_and_white_space(index):
    index.add(["MY parcel", "my  parcel", "where is  my parcel", "MY PARCEL", "myparcel"])
    index.delete(["18"])
    groups = duplicates.group_equal_texts(index.snapshot)
    assert groups.first_rows.tolist() == [*range(16), 19]
    assert [rows.tolist() for rows in groups.repeated()] == [[15, 16, 18]]


def test_index_without_texts_has_no_duplicates(model):
    assert Index(model).duplicates() == Index(model).duplicate_groups() == []
