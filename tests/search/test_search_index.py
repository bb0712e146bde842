"""Search, add, delete, save and load an index."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.storage_models import content
from tacit import WTMF, Index
from tacit.errors import InputError, ModelError, NotFittedError


def test_hit_has_score_percentile_words_and_columns(index):
    hits = index.search("the card was refused", k=3)
    assert len(hits) == 3
    assert {"card", "declined"} <= set(hits[0].text.split())
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.percentile <= 100 for hit in hits)
    assert ("card", "card") in [pair[:2] for pair in hits[0].words]
    assert hits[0].columns == {"line": hits[0].row}
    assert set(hits[0].to_dict()) == {"id", "text", "score", "percentile", "match", "words", "columns"}


def test_text_finds_itself_with_score_1(index, notes):
    for name, text in zip(index.ids, notes, strict=True):
        first = index.search(text, k=1)[0]
        assert first.id == name
        assert first.score == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("measure", ["search", "blend", "latent", "lexical", "alignment"])
def test_search_many_equals_single_searches(index, measure):
    queries = ["late parcel", "password", "the card"]
    together = index.search_many(queries, 4, measure)
    assert together == [index.search(query, 4, measure) for query in queries]


def test_latent_search_equals_the_models_similarity(index, model, notes):
    hits = index.search("where is my delivery", k=5, measure="latent")
    expected = model.similarity(["where is my delivery"], notes, "latent")[0]
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.row], abs=1e-5)
    assert {hit.row for hit in hits} == set(np.argsort(-expected)[:5].tolist())


def test_blend_search_orders_texts_like_the_model(index, model, notes):
    scores = model.similarity(["card declined"], notes, measure="blend")[0]
    hits = index.search("card declined", k=15, measure="blend")
    assert [hit.row for hit in hits] == [row for row in np.argsort(-scores, kind="stable") if scores[row] > 0]


def test_unknown_words_are_found_by_bm25(index):
    index.add(["order ZX-4411 is broken"])
    assert index.search("zx 4411", k=1)[0].text == "order ZX-4411 is broken"


def test_text_without_known_words_scores_1_with_itself(index):
    index.add(["qqqq zzzz"])
    hit = index.search("qqqq zzzz", k=1, measure="search")[0]
    assert hit.text == "qqqq zzzz"
    assert hit.score == pytest.approx(1, abs=1e-6)


def test_results_do_not_depend_on_the_number_of_threads(index):
    before = index.search("payment", k=9)
    for threads in (1, 3):
        index.n_threads = threads
        assert index.search("payment", k=9) == before
    index.n_threads = None


def test_adding_in_parts_equals_adding_at_once(model, notes, index):
    parts = Index(model)
    for start in range(0, len(notes), 4):
        parts.add(notes[start : start + 4])
    assert np.array_equal(parts.vectors, index.vectors)
    a, b = (made.search("late payment", k=10) for made in (parts, index))
    assert [(hit.id, hit.score) for hit in a] == [(hit.id, hit.score) for hit in b]


def test_deleted_text_is_not_found_and_its_id_is_free(index, tmp_path):
    first = index.search("late parcel", k=1)[0]
    assert index.delete([first.id]) == 1
    assert first.id not in [hit.id for hit in index.search("late parcel", k=15)]
    assert len(index) == 14
    index.add([first.text], ids=[first.id])
    index.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index")
    assert len(loaded) == len(loaded.vectors) == 15
    assert loaded.search("late parcel", k=1)[0].id == first.id


def test_default_ids_are_never_reused(index, tmp_path):
    index.delete(["15"])
    index.save(tmp_path / "index")
    assert tacit.load(tmp_path / "index").add(["new"]) == ["16"]


def test_saved_index_gives_the_same_results(index, tmp_path):
    index.save(tmp_path / "index")
    loaded = tacit.load(tmp_path / "index")
    assert isinstance(loaded, Index)
    assert not loaded.vectors.flags.writeable
    assert loaded.search("my card", k=5) == index.search("my card", k=5)
    assert loaded.add(["another card"]) == ["16"]
    assert len(loaded) == 16


def test_similar_excludes_the_text_itself(index):
    results = index.similar("11", k=3)
    assert len(results) == 3
    assert "11" not in [hit.id for hit in results]


def test_empty_index_and_empty_query_give_no_hits(model, index):
    assert Index(model).search("card") == []
    assert index.search("") == []
    assert index.search("qqqq zzzz") == []
    assert Index(model).add([]) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda index: index.add("one text"), "put it in a list"),
        (lambda index: index.add(["a", 5]), "int, not a string"),
        (lambda index: index.add(["a"], ids=["1"]), "already in use"),
        (lambda index: index.add(["a", "b"], ids=["x", "x"]), "already in use"),
        (lambda index: index.add(["a"], ids=["x", "y"]), "2 ids for 1 text"),
        (lambda index: index.add(["a"], ids=[7.5]), "not a string"),
        (lambda index: index.add(["a"], columns=[]), "columns of 0 rows for 1 text"),
        (lambda index: index.add(["a"], columns=[{"x": object()}]), "JSON cannot"),
        (lambda index: index.add(["a"], columns=[{"x": float("nan")}]), "JSON cannot"),
        (lambda index: index.delete(["1", "99"]), "no text with the id '99'"),
        (lambda index: index.search("a", k=0), "k=0"),
        (lambda index: index.search("a", measure="taste"), "use one of hybrid.*search"),
        (lambda index: index.search(7), "not a string"),
        (lambda index: index.nearest(np.zeros((1, 9))), "4 components"),
        (lambda index: index.duplicates(0.2), "from 0.5 to 1"),
        (lambda index: index.duplicates(measure="lexical"), "one of blend, latent"),
        (lambda index: index.clusters(99), "from 1 to 15"),
    ],
)
def test_invalid_input_raises_and_changes_nothing(index, call, said):
    with pytest.raises(InputError, match=said):
        call(index)
    assert len(index) == len(index.vectors) == len(index.texts) == 15
    assert index.search("my parcel", k=1)


def test_damaged_folder_raises_an_error(index, tmp_path):
    folder = tmp_path / "index"
    index.save(folder)
    path = content(folder, "arrays")
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    with pytest.raises(ModelError, match="bytes instead of"):
        tacit.load(folder)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelError, match="SHA-256"):
        tacit.load(folder, verify=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(ModelError, match="incomplete model: config"):
        tacit.load(tmp_path / "other")
    with pytest.raises(InputError, match="neither empty nor"):
        index.save(tmp_path / "other")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("vectors", lambda a: a[:-1]),
        ("vectors", lambda a: a.astype(np.float64)),
        ("ids.starts", lambda a: a[:-1]),
        ("texts.starts", lambda a: a[::-1]),
        ("token_ids", lambda a: a + 1000),
        ("token_starts", lambda a: a + 1),
        ("spoken", lambda a: a + 1),
        ("columns", lambda a: a + 1000),
        ("columns", lambda a: a - 1000),
        ("ids.hashes", lambda a: a[::-1]),
        ("ids.rows", lambda a: a + 1000),
        ("terms.rows", lambda a: a - 1),
        ("postings.starts", lambda a: a[::-1]),
        ("postings.rows", lambda a: a + 1000),
        ("postings.times", lambda a: a[:-1]),
        ("quantiles", lambda a: a[:0]),
        ("deleted", lambda a: np.array([99])),
    ],
)
def test_inconsistent_arrays_raise_an_error(index, tmp_path, name, change):
    from tacit.storage import ArrayFile, read_model, write_model

    index.save(tmp_path / "index")
    stored = read_model(tmp_path / "index")
    which = next(key for key, part in stored.parts.items() if name in part.arrays)
    arrays = dict(stored.parts[which].arrays)
    stored.parts[which] = ArrayFile(arrays | {name: np.ascontiguousarray(change(arrays[name]))})
    write_model(tmp_path / "index", stored, "")
    with pytest.raises(ModelError, match="again"):
        tacit.load(tmp_path / "index")


def test_argument_that_is_no_model_raises_an_error():
    with pytest.raises(InputError, match="a str is not a model"):
        Index("model")
    with pytest.raises(NotFittedError, match="call fit"):
        Index(WTMF())


def test_integers_are_ids_and_pickling_raises_an_error(model):
    import pickle

    index = Index(model)
    assert index.add(["a card"], ids=[7]) == ["7"]
    assert index.similar(7, k=1) == []
    assert index.delete([7]) == 1
    with pytest.raises(InputError, match=r"index.save\(folder\)"):
        pickle.dumps(index)


def test_graph_search_finds_the_exact_results(index, tmp_path):
    pytest.importorskip("usearch", reason="the extra search is not installed")
    exact = index.search("late parcel", k=5)
    index.n_threads = 1
    index.build_graph()
    assert index.search("late parcel", k=5) == exact
    index.add(["the parcel is very late"])
    assert "16" in [hit.id for hit in index.search("late parcel", k=5)]
    index.delete(["16"])
    assert [hit.id for hit in index.search("late parcel", k=5)] == [hit.id for hit in exact]
    index.save(tmp_path / "index")
    untrusted = tacit.load(tmp_path / "index")  # usearch does not check what it reads
    assert [part.graph for part in untrusted.snapshot.segments] == [None] * len(untrusted.snapshot.segments)
    loaded = tacit.load(tmp_path / "index", trusted=True)
    assert any(part.graph for part in loaded.snapshot.segments)
    assert loaded.search("late parcel", k=5) == loaded.search("late parcel", k=5, approximate=False)


def test_words_of_deleted_texts_are_not_saved(index, tmp_path):
    index.delete(index.add(["a secret zebra42"]))
    index.save(tmp_path / "index")
    previous = b"".join(path.read_bytes() for path in (tmp_path / "index").iterdir())
    assert b"password" in previous
    assert b"zebra42" not in previous


def test_mostly_deleted_segments_are_compacted(index):
    previous = index.search("my card", k=5, measure="blend")
    for _ in range(5):
        index.delete(index.add([f"a secret zebra{number}" for number in range(400)]))
    assert len(index) == 15
    assert len(index.texts) < 1500
    assert index.search("my card", k=5, measure="blend") == previous


def test_graph_needs_no_temporary_files(index, tmp_path, monkeypatch):
    pytest.importorskip("usearch")
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, "/dev/full/there is no room")
    monkeypatch.setattr("tempfile.tempdir", "/dev/full/there is no room")
    index.build_graph().save(tmp_path / "index")
    again = tacit.load(tmp_path / "index", trusted=True)
    assert [hit.id for hit in again.search("my card", k=3)] == [
        hit.id for hit in index.search("my card", k=3)
    ]
