"""Indexes with outside vectors: from a static encoder, from an encoder of texts, or given with the texts."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import tacit
from helpers.notes import NOTES, notes_model
from helpers.static_models import TextEncoder, write_token_model
from tacit import Index, InputError
from tacit.search import segment

QUERY = "the courier brings a package"
MODEL = notes_model()


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    return tacit.load_encoder(write_token_model(tmp_path_factory.mktemp("static")))


def results(index: Index, measure: str = "hybrid", query: str = QUERY, **options) -> list[tuple]:
    return [(h.id, h.score, h.percentile, h.outside) for h in index.search(query, 6, measure, **options)]


def build(encoder, *cuts: int) -> Index:
    index = Index(MODEL, encoder=encoder)
    for first, last in zip([0, *cuts], [*cuts, len(NOTES)], strict=True):
        index.add(NOTES[first:last])
    return index


@pytest.mark.parametrize("kind", ["static", "texts"])
@pytest.mark.parametrize("measure", ["hybrid", "blend"])
def test_hits_need_no_shared_word(static, kind, measure):
    index = build(static if kind == "static" else TextEncoder())
    hits = index.search("courier package", 2, measure)
    assert all("parcel" in hit.text for hit in hits)
    assert all(hit.outside > 0.1 and hit.match is None for hit in hits)
    assert hits.match is None
    assert hits[0].to_dict()["outside"] == round(hits[0].outside, 6)
    plain = Index(MODEL)
    plain.add(NOTES)
    scores = {hit.text: hit.score for hit in plain.search("courier package", 15, measure)}
    own = (1 - index.model.outside.share) * scores.get(hits[0].text, 0.0)
    assert hits[0].score == pytest.approx(hits[0].outside + own, abs=1e-3)


@pytest.mark.parametrize("kind", ["static", "texts"])
@pytest.mark.parametrize("measure", ["hybrid", "blend", "latent"])
def test_results_do_not_depend_on_segments(static, monkeypatch, tmp_path, kind, measure):
    encoder = static if kind == "static" else TextEncoder()
    single = build(encoder)
    monkeypatch.setattr(segment, "SMALL_SEGMENT_SIZE", 0)
    cut = build(encoder, 2, 7)
    assert len(cut.snapshot.segments) == 3
    assert results(cut, measure) == results(single, measure)
    for index in (single, cut):
        index.delete(["11", "3"])
        index.merge()
    assert len(cut.snapshot.segments) == 1
    cut.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index", encoder=encoder)
    assert [row[:2] for row in results(loaded, measure)] == [row[:2] for row in results(single, measure)]


def test_static_index_needs_no_encoder_after_saving(static, tmp_path):
    index = build(static)
    index.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index")
    assert results(loaded) == results(index)
    loaded.add(["the package is at the shop"])
    assert loaded.search(QUERY, 1)[0].outside > 0.1


def test_index_without_its_encoder_says_so(tmp_path, caplog):
    build(TextEncoder()).save(tmp_path / "index")
    with caplog.at_level(logging.WARNING):
        loaded = tacit.load(tmp_path / "index")
    assert "searches without outside vectors" in caplog.text
    plain = Index(MODEL)
    plain.add(NOTES)
    assert results(loaded, query="card payment") == results(plain, query="card payment")
    assert results(loaded, "blend", "card payment")[0][1] == results(plain, "blend", "card payment")[0][1]
    with pytest.raises(InputError, match="load the index with its encoder"):
        loaded.add(["one more"])
    caplog.clear()
    with_encoder = tacit.load(tmp_path / "index", encoder=TextEncoder())
    assert not caplog.text
    assert results(with_encoder) == results(build(TextEncoder()))


def test_loading_with_another_encoder(static, tmp_path):
    build(static).save(tmp_path / "index")
    other = tacit.load_encoder(write_token_model(tmp_path / "other", "vectors"))
    with pytest.raises(InputError, match="built with another encoder"):
        tacit.load(tmp_path / "index", encoder=other)
    Index(MODEL).save(tmp_path / "plain")
    with pytest.raises(InputError, match="without an encoder"):
        tacit.load(tmp_path / "plain", encoder=static)


def test_given_vectors(tmp_path):
    vectors, query = TextEncoder().encode(NOTES), TextEncoder().encode([QUERY])[0]
    index = Index(MODEL)
    index.add(NOTES[:5], outside_vectors=vectors[:5])
    index.add(NOTES[5:], outside_vectors=vectors[5:].tolist())
    assert results(index, outside_vector=query) == results(build(TextEncoder()))
    assert index.search(QUERY, 3)[0].outside is None
    assert index.similar("11", 2)[0].outside > 0.1
    index.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index")
    assert results(loaded, outside_vector=query) == results(index, outside_vector=query)
    many = loaded.search_many([QUERY, "card"], 2, outside_vectors=[query, query])
    assert many[0][0].outside > 0.1


def test_errors_of_given_vectors(static):
    index = Index(MODEL)
    index.add(NOTES)
    with pytest.raises(InputError, match="no outside vectors: build it again"):
        index.add(["more"], outside_vectors=np.ones((1, 3)))
    with pytest.raises(InputError, match="no outside vectors: add them"):
        index.search("card", outside_vector=np.ones(3))
    given = Index(MODEL)
    with pytest.raises(InputError, match=r"shape \(1, 3\), not \(15, any\)"):
        given.add(NOTES, outside_vectors=np.ones((1, 3)))
    given.add(NOTES, outside_vectors=np.ones((15, 3)))
    with pytest.raises(InputError, match="add more texts with outside_vectors"):
        given.add(["more"])
    with pytest.raises(InputError, match=r"shape \(1, 2\), not \(1, 3\)"):
        given.search("card", outside_vector=np.ones(2))
    with pytest.raises(InputError, match="has an encoder"):
        build(static).search("card", outside_vector=np.ones(6))


def test_rounded_vectors_keep_outside_vectors():
    index = Index(MODEL, encoder=TextEncoder(), vectors="int8")
    index.add(NOTES)
    assert results(index) == results(build(TextEncoder()))


def test_duplicates_use_outside_vectors(static):
    texts = ["the courier brings the package", "the courier delivers a parcel", *NOTES]
    index = Index(MODEL, encoder=static)
    index.add(texts)
    pairs = {(pair.text_a, pair.text_b): pair.score for pair in index.duplicates(0.5)}
    expected = index.model.compare(*texts[:2]).score
    if expected >= 0.5:
        assert pairs[texts[0], texts[1]] == pytest.approx(expected, abs=1e-4)
