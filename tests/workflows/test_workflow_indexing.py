"""Building and updating an index from Python."""

from __future__ import annotations

import pandas
import pytest

import tacit
from helpers.small_texts import ENGLISH, GERMAN, model_digest
from tacit import InputError
from tacit.workflows import RecordOptions, RecordSource, add_records, build_index, learn, update_index

FRAME = pandas.DataFrame({"key": [f"k{n}" for n in range(10)], "said": ENGLISH, "kind": ["pet"] * 10})


@pytest.fixture(scope="module")
def model():
    return learn(ENGLISH).model


def test_without_a_model_one_is_learned_first(model, tmp_path, caplog):
    caplog.set_level("INFO", "tacit.workflows")
    index = build_index(ENGLISH, into=tmp_path / "i")
    assert model_digest(index.model) == model_digest(model)
    assert "Language: English (detected from 10 texts)." in caplog.messages
    stored = tacit.load(tmp_path / "i")
    assert (len(stored), model_digest(stored.model)) == (10, model_digest(model))


def test_a_model_or_its_folder_is_not_learned_again(model, tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.workflows.indexing.learn", lambda *_, **__: pytest.fail("a model is trained"))
    assert build_index(GERMAN, model).model is model
    model.save(tmp_path / "m")
    assert model_digest(build_index(GERMAN, tmp_path / "m").model) == model_digest(model)


def test_a_missing_file_is_reported_before_the_model_is_loaded(tmp_path):
    (tmp_path / "texts.txt").write_text("a cat", encoding="utf-8")
    files = (str(tmp_path / "texts.txt"), str(tmp_path / "absent.txt"))
    with pytest.raises(InputError, match=r"no such file: .*absent\.txt"):
        build_index(RecordSource(files), tmp_path / "no-model")


def test_a_stream_without_a_model_is_read_once(model):
    index = build_index(iter(ENGLISH))
    assert (len(index), model_digest(index.model)) == (10, model_digest(model))


def test_ids_and_columns_of_a_frame_are_stored(model):
    index = build_index(FRAME, model, text="said", id="key")
    hit = index.search("a young cat", k=1)[0]
    assert (hit.id, hit.text, hit.columns) == ("k1", ENGLISH[1], {"kind": "pet"})
    assert build_index(FRAME, model, text="said", columns=[]).search("cat", k=1)[0].columns == {}


def test_a_file_gives_the_index_of_a_frame(model, tmp_path):
    FRAME.to_csv(tmp_path / "said.csv", index=False)
    source = RecordSource((str(tmp_path / "said.csv"),), options=RecordOptions("said", "key"))
    one, other = build_index(source, model), build_index(FRAME, model, text="said", id="key")
    assert one.vectors.tobytes() == other.vectors.tobytes()
    assert one.search("cat") == other.search("cat")


def test_full_segments_are_written_while_it_is_built(model, tmp_path):
    stages: list[str] = []
    index = build_index(
        ENGLISH, model, into=tmp_path / "i", segment_size=4, progress=lambda event: stages.append(event.stage)
    )
    assert len(index.snapshot.segments) == 3
    assert set(stages) == {"indexing"}
    assert tacit.load(tmp_path / "i").search("cat") == build_index(ENGLISH, model).search("cat")


def test_an_empty_collection_is_an_error_and_nothing_is_written(model, tmp_path):
    with pytest.raises(InputError, match="the collection has no texts"):
        build_index([], model, into=tmp_path / "i")
    assert list(tmp_path.iterdir()) == []


def test_an_update_deletes_adds_and_merges(model, tmp_path):
    build_index(ENGLISH, model, into=tmp_path / "i", segment_size=4)
    counts = []
    texts = ["a new cat", "xyzzy"]
    index = update_index(tmp_path / "i", texts, delete=["1"], merge=True, on_added=counts.append)
    assert (counts, len(index)) == ([(2, 1)], 11)
    stored = tacit.load(tmp_path / "i")
    assert [stored.ids[-1], len(stored), len(stored.snapshot.segments)] == ["12", 11, 1]


def test_an_update_without_changes_is_an_error(model, tmp_path):
    build_index(ENGLISH, model, into=tmp_path / "i")
    with pytest.raises(InputError, match="the collection has no texts"):
        update_index(tmp_path / "i")


def test_records_without_ids_are_numbered_on(model):
    index = build_index(ENGLISH, model)
    assert add_records(index, ["a dog", "qqq www"]) == (2, 1)
    assert list(index.ids[-2:]) == ["11", "12"]
