"""Results do not depend on how an index is split into segments; segments are added and merged."""

from __future__ import annotations

import json
import os
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit
from helpers import language_models
from helpers.notes import NOTES, notes_model
from helpers.storage_models import strays
from tacit import Index, InputError
from tacit.models.measures import measure_names
from tacit.search import segment
from tacit.search.stored_vectors import PRECISIONS
from tacit.search.string_array import StringArray

MODEL = notes_model()
ODD = ["", "qqqq zz-9", "my card, my card", "PARCEL parcel", "my card was declined at the shop"]
TEXTS = NOTES + ODD
MEASURES = [*measure_names(), "search"]


@pytest.fixture
def no_absorbing(monkeypatch):
    """Let each call of ``add`` create a new segment."""
    monkeypatch.setattr(segment, "SMALL_SEGMENT_SIZE", 0)


def build_index(texts: list[str], cuts: list[int], model=MODEL, **options) -> Index:
    index = Index(model, **options)
    places = [0, *sorted(cuts), len(texts)]
    for first, last in pairwise(places):
        index.add(texts[first:last], columns=[{"line": line} for line in range(first, last)])
    return index


def hits(index: Index, measure: str, k: int = 7) -> list[list[tuple]]:
    queries = [*NOTES[::5], "zz 9", "the card of nobody", ""]
    results = index.search_many(queries, k, measure)
    return [[(h.id, h.text, h.row, h.score, h.percentile, h.columns) for h in each] for each in results]


@pytest.mark.parametrize("languages", ["one", "two"])
def test_hits_do_not_depend_on_the_kept_table_of_tokens(languages, monkeypatch):
    model = MODEL if languages == "one" else language_models.bilingual()
    kept = build_index(TEXTS, [], model)
    warm = [hits(kept, measure) for _ in range(2) for measure in MEASURES]
    assert "_token_table" in kept.snapshot.segments[0].__dict__
    monkeypatch.setattr(segment, "MAX_TABLE_TOKENS", 0)
    fresh = build_index(TEXTS, [], model)
    assert warm == [hits(fresh, measure) for _ in range(2) for measure in MEASURES]
    assert "_token_table" not in fresh.snapshot.segments[0].__dict__


def test_the_kept_table_is_not_used_after_the_model_has_learned_words(monkeypatch):
    def search_twice(model):
        index = build_index(TEXTS, [], model)
        first = [hits(index, "blend") for _ in range(3)]
        model.add_words(["a zebra card", "zebra parcel"], min_df=1)
        return first, hits(index, "blend")

    kept = search_twice(notes_model().model_)
    monkeypatch.setattr(segment, "MAX_TABLE_TOKENS", 0)
    assert kept == search_twice(notes_model().model_)


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(0, len(TEXTS)), max_size=6), deleted=st.sets(st.integers(1, 20), max_size=5))
def test_hits_do_not_depend_on_segments(cuts, deleted):
    single = build_index(TEXTS, [])
    small, segment.SMALL_SEGMENT_SIZE = segment.SMALL_SEGMENT_SIZE, 0
    try:
        cut = build_index(TEXTS, cuts)
    finally:
        segment.SMALL_SEGMENT_SIZE = small
    assert len(single.snapshot.segments) == 1
    assert len(cut.snapshot.segments) == len({*cuts} - {0, len(TEXTS)}) + 1
    for index in (single, cut):
        index.delete([str(name) for name in deleted])
    for measure in MEASURES:
        assert hits(cut, measure) == hits(single, measure)
    assert np.array_equal(cut.score_quantiles, single.score_quantiles)
    assert cut.duplicates(0.9) == single.duplicates(0.9)
    assert cut.clusters(3) == single.clusters(3)
    assert cut.search("my card", 1)[0].words == single.search("my card", 1)[0].words


def test_multilingual_hits_do_not_depend_on_segments(no_absorbing):
    model = language_models.pivot().add_language("es", language_models.PAIRS["es"])
    texts = [text for pair in language_models.PAIRS["es"] for text in pair]
    single, cut = build_index(texts, [], model), build_index(texts, [3, 4, 9], model)
    for measure in MEASURES:
        assert hits(cut, measure) == hits(single, measure)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_saving_and_merging_do_not_change_hits(no_absorbing, tmp_path, precision):
    index = build_index(TEXTS, [4, 11], vectors=precision)
    index.delete(["3", "12"])
    index.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index")
    assert loaded.snapshot.precision == precision
    assert len(loaded.snapshot.segments) == 3
    for measure in MEASURES:
        assert hits(loaded, measure) == hits(index, measure)
    reader = tacit.load(tmp_path / "index")
    expected = hits(reader, "search")
    loaded.merge(tmp_path / "index")
    assert len(loaded.snapshot.segments) == 1
    assert len(loaded) == len(loaded.texts) == len(TEXTS) - 2
    assert hits(reader, "search") == expected  # who has the old segments open keeps them
    merged = tacit.load(tmp_path / "index")
    assert hits(merged, "blend") == hits(loaded, "blend") == hits(_anew(loaded, precision), "blend")
    assert strays(tmp_path / "index") == []


def _anew(index: Index, precision: str) -> Index:
    index_ = Index(MODEL, vectors=precision)
    index_.add(list(index.texts), list(index.ids), [json.loads(each) for each in index.snapshot.records])
    index_.score_quantiles = index.score_quantiles
    return index_


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_rounded_vectors_give_exact_scores(precision):
    rng = np.random.default_rng(0)
    words = sorted({word for note in NOTES for word in note.split()})
    texts = [" ".join(rng.choice(words, 5)) for _ in range(600)]
    exact, small = build_index(texts, []), build_index(texts, [], vectors=precision)
    assert small.snapshot.segments[0].vectors.values.nbytes < exact.snapshot.segments[0].vectors.values.nbytes
    queries = [" ".join(rng.choice(words, 3)) for _ in range(40)]
    same = total = 0
    for one, other in zip(exact.search_many(queries, 10, "latent"), small.search_many(queries, 10, "latent"),
                          strict=True):  # fmt: skip
        scores = {hit.id: hit.score for hit in one}
        same += len(scores.keys() & {hit.id for hit in other})
        total += len(one)
        for hit in other:
            assert hit.score == scores.get(hit.id, hit.score)
    assert same >= 0.99 * total


def test_saving_writes_only_new_segments(no_absorbing, tmp_path):
    folder = tmp_path / "index"
    index = Index(MODEL)
    index.add([f"{note} {n}" for n in range(100) for note in NOTES])
    index.save(folder)
    before = {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(folder)}
    large, name = max((size, name) for name, (size, _) in before.items() if name.startswith("part-"))
    again = tacit.load(folder)
    again.add(["a note more", "and one more"])
    again.save(folder)
    after = {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(folder)}
    new = {name: size for name, (size, _) in after.items() if name not in before}
    assert all(after[name] == kept for name, kept in before.items()
               if name.startswith(("model-", "vocabulary-", "part-")) and name in after)  # fmt: skip
    assert name in after
    assert sum(new.values()) < 8192 < large / 10
    again.delete(["7"])
    again.save(folder)
    last = {entry.name: entry.stat().st_size for entry in os.scandir(folder)}
    assert sum(size for name, size in last.items() if name not in after) < 8192
    assert len(tacit.load(folder)) == 1501


def test_flush_without_save_leaves_the_index_unchanged(no_absorbing, tmp_path):
    from tacit.storage import lock_for_writing

    folder = tmp_path / "index"
    index = build_index(NOTES, [])
    index.save(folder)
    names = sorted(os.listdir(folder))
    with lock_for_writing(folder):
        index.add(["one more"])
        index.flush(folder)
        assert sorted(os.listdir(folder)) != names
    assert sorted(os.listdir(folder)) == names
    assert len(tacit.load(folder)) == 15
    index.save(folder)  # what was flush_segments is still mapped
    assert len(tacit.load(folder)) == 16


def test_concurrent_merging_loses_no_texts(no_absorbing):
    index = build_index(NOTES * 6, list(range(7, 90, 7)))
    stop, failed = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            results = [hit.text for hit in index.search("my parcel", 5, "latent")]
            if not results or "parcel" not in results[0]:
                failed.append(results)

    def write() -> None:
        for turn in range(20):
            index.add([f"a later parcel {turn}"], ids=[f"later{turn}"])
            if turn % 3 == 0:
                index.delete([f"later{turn}", str(turn + 1)])

    threads = [threading.Thread(target=read), threading.Thread(target=write)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        index.merge()
    threads[1].join()
    index.merge()
    stop.set()
    threads[0].join()
    assert failed == []
    assert len(index) == len(index.texts) == 90 - 7 + 20 - 7
    assert len(index.snapshot.segments) == 1
    deleted = {"1", "4", "19", "later0", "later18"}
    assert set(index.ids) & deleted == set()
    assert index.search("a later parcel 19", 1)[0].id == "later19"


def test_ids_are_found_in_all_segments_and_must_be_unique(no_absorbing):
    index = build_index(TEXTS, [5, 9])
    assert index.snapshot.rows_of_ids(["1", "20", "7", "x"]).tolist() == [0, 19, 6, -1]
    with pytest.raises(InputError, match="the id '7' is already in use"):
        index.add(["again"], ids=["7"])
    index.delete(["7"])
    index.add(["again"], ids=["7"])
    assert index.snapshot.row_of_id("7") == 20


@given(st.lists(st.text(max_size=3), max_size=30), st.lists(st.text(max_size=3), max_size=9))
def test_string_index_equals_a_dictionary(strings, searched):
    table = {string: row for row, string in enumerate(strings)}
    results = StringArray.from_strings(strings).find(StringArray.from_strings(searched))
    assert results.tolist() == [table.get(string, -1) for string in searched]


def test_strings_with_equal_hashes_are_compared(monkeypatch):
    from tacit.search import string_array

    monkeypatch.setattr(string_array, "hash_strings", lambda strings: np.zeros(len(strings), np.uint64))
    table = StringArray.from_strings(["a", "b", "ab", "b"])
    assert table.find(StringArray.from_strings(["b", "ab", "c"])).tolist() == [3, 2, -1]
    assert table.find(StringArray.from_strings(["b"]), np.array([True, True, True, False])).tolist() == [1]
