"""A map is drawn once, stored with its index, and drawn again when the texts change."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.notes import NOTES, notes_index, notes_model
from tacit.compute.nearest import find_nearest
from tacit.search import approximate
from tacit.search.map import (
    draw_map,
    load_or_draw_map,
    local_labels,
    make_group_names,
    place_labels,
    points_in_polygon,
    summarize_selection,
)
from tacit.types import ProgressCounter

ALL = [[-1.1, -1.1], [1.1, -1.1], [1.1, 1.1], [-1.1, 1.1]]


@pytest.fixture(scope="module")
def model():
    return notes_model()


@pytest.fixture
def index(model):
    return notes_index(model)


def draw_calls(monkeypatch) -> list[int]:
    """Count the calls of ``draw_map`` from now on; returns a list with one item for each call."""
    times: list[int] = []

    def count_calls(*given):
        times.append(1)
        return draw_map(*given)

    monkeypatch.setattr("tacit.search.map.draw_map", count_calls)
    return times


def test_map_is_drawn_once(index, tmp_path, monkeypatch):
    times = draw_calls(monkeypatch)
    first, second = load_or_draw_map(index, tmp_path), load_or_draw_map(index, tmp_path)
    assert len(times) == 1
    assert (first.points == second.points).all()
    assert (first.group_ids == second.group_ids).all()
    assert (first.group_names, first.labels) == (second.group_names, second.labels)
    assert [second.text(i) for i in range(len(second))] == NOTES


def test_map_is_redrawn_for_other_texts_or_seeds(index, tmp_path, monkeypatch):
    load_or_draw_map(index, tmp_path)
    times = draw_calls(monkeypatch)
    index.delete(["2"])
    text_map = load_or_draw_map(index, tmp_path)
    assert len(text_map) == len(NOTES) - 1
    assert [text_map.id(i) for i in range(2)] == ["1", "3"]
    load_or_draw_map(index, tmp_path, random_state=1)
    assert len(times) == 2


def test_damaged_map_is_redrawn_with_a_warning(index, tmp_path, caplog):
    first = load_or_draw_map(index, tmp_path)
    file = next((tmp_path / "map").glob("*.safetensors"))
    file.write_bytes(file.read_bytes()[:-8])
    with caplog.at_level(logging.WARNING):
        assert (load_or_draw_map(index, tmp_path).points == first.points).all()
    assert "drawing it again" in caplog.text


def test_map_is_drawn_if_the_folder_is_not_writable(index, tmp_path, caplog):
    (tmp_path / "map").write_text("a file is in the way")
    assert len(load_or_draw_map(index, tmp_path)) == len(NOTES)
    assert "could not be stored" in caplog.text


def test_saving_an_index_keeps_its_map(index, tmp_path):
    index.save(tmp_path / "i")
    load_or_draw_map(index, tmp_path / "i")
    index.save(tmp_path / "i")
    assert (tmp_path / "i" / "map" / "config.json").is_file()


def test_graph_finds_nearly_all_exact_neighbors(monkeypatch):
    pytest.importorskip("usearch", reason="the extra search is not installed")
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((600, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    monkeypatch.setattr(approximate, "EXACT_KNN_MAX_TEXTS", 100)
    progress = ProgressCounter(None, 5000)
    scores, rows = approximate.nearest_neighbors(vectors, vectors, 8, 2, progress)
    again = approximate.nearest_neighbors(vectors, vectors, 8, 1, progress)
    exact = find_nearest(vectors, vectors, 8)[1]
    assert np.mean([len(set(a) & set(b)) / 8 for a, b in zip(rows, exact, strict=True)]) > 0.95
    assert (rows == again[1]).all()
    assert (scores == again[0]).all()
    assert progress.done == 2 * 600


def test_areas_are_named_by_words_of_their_texts(index):
    text_map = draw_map(index.snapshot)
    labels = local_labels(index.snapshot, text_map.rows, text_map.points)
    words = set(" ".join(NOTES).replace(",", "").lower().split())
    for label in labels:
        assert set(label.name.split(", ")) <= words
        assert label.size >= 4
        assert max(abs(label.x), abs(label.y)) <= 1


def test_label_is_placed_on_a_point_of_its_group():
    points = np.array([[-0.9, 0.0], [-0.8, 0.1], [0.8, 0.0], [0.9, 0.1], [0.0, 0.0]])
    label, other = place_labels(points, np.array([0, 0, 0, 0, 1]), ["apart", "between"])
    assert [label.x, label.y] in points[:4].tolist()
    assert (other.x, other.y) == (0, 0)


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True, max_size=6), max_size=8))
def test_group_names_are_own_words_and_distinct_if_possible(words):
    names = make_group_names(words)
    for name, own in zip(names, words, strict=True):
        assert set(name.split(", ")) <= set(own) or not own
    for place, (name, own) in enumerate(zip(names, words, strict=True)):
        before = {frozenset(one.split(", ")) for one in names[:place]}
        chances = [{*own[:2], word} for word in own[2:]] or [set(own)]
        if own and any(chance not in before for chance in chances):
            assert frozenset(name.split(", ")) not in before


@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2)), min_size=1, max_size=30), st.floats(0.1, 1.5))
def test_points_in_a_circle_are_within_its_radius(places, radius):
    angles = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    line = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1).tolist()
    points = np.array(places)
    far = np.hypot(points[:, 0], points[:, 1])
    sure = np.abs(far - radius) > 1e-3 * radius
    assert (points_in_polygon(points, line) == (far < radius))[sure].all()


def test_selection_can_be_limited_to_a_group(index):
    text_map = draw_map(index.snapshot)
    assert summarize_selection(text_map, ALL)["count"] == len(NOTES)
    assert summarize_selection(text_map, ALL, 200)["count"] == 0
