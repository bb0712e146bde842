"""Encoders and outside vectors in training, indexing and loading, from Python and from the command line."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.cli_runs import tacit as run
from helpers.notes import NOTES
from helpers.static_models import TextEncoder, write_token_model
from tacit.corpora import Record
from tacit.errors import InputError


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return write_token_model(tmp_path_factory.mktemp("encoders") / "static")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "notes.txt"
    path.write_text("\n".join(NOTES) + "\n", encoding="utf-8")
    return path


def test_learn_with_an_encoder(encoder, tmp_path):
    learned = tacit.learn(NOTES, encoder=encoder)
    assert learned.model.compare("the courier", "my parcel").score > 0.3
    assert not any("wordnet" in text for text in learned.suggestions)
    assert any("wordnet" in text for text in tacit.learn(NOTES).suggestions)
    with pytest.raises(InputError, match="no encoder at"):
        tacit.learn(NOTES, encoder=tmp_path)


def test_load_a_model_with_its_encoder(tmp_path):
    model = tacit.learn(NOTES, encoder=TextEncoder()).model.with_encoder(TextEncoder(), share=0.3)
    model.save(tmp_path / "model")
    pair = "the courier", "where is my parcel"
    loaded = tacit.load(tmp_path / "model", encoder=TextEncoder())
    assert loaded.compare(*pair).score == model.compare(*pair).score
    assert tacit.load(tmp_path / "model").compare(*pair).score < loaded.compare(*pair).score


def test_train_and_compare(encoder, file, tmp_path):
    out = tmp_path / "model"
    assert run("train", out, file, "--encoder", encoder).code == 0
    result = run("explain", out, "the courier", "where is my parcel")
    assert "of it outside vectors" in result.out
    assert run("train", out, file, "--encoder", tmp_path / "nothing").err.startswith("tacit: no encoder at")


def test_index_and_search(encoder, file, tmp_path):
    out = tmp_path / "index"
    assert run("index", out, file, "--encoder", encoder).code == 0
    result = run("search", out, "courier package", "--explain", "-k", 1)
    assert "because outside vectors +0." in result.out
    assert "parcel" in result.out
    (hit,) = run("search", out, "courier package", "-k", 1, "--json").json
    assert hit["outside"] > 0.1
    assert hit["match"] is None
    assert run("index", out, file, "--add", "--encoder", encoder).err.startswith("tacit: an index keeps its")
    more = tmp_path / "more.txt"
    more.write_text("the courier was here\n", encoding="utf-8")
    assert run("index", out, more, "--add").code == 0
    assert "the courier was here" in run("search", out, "courier package", "-k", 1).out


@pytest.mark.parametrize("suffix", [".npy", ".safetensors", ".parquet"])
def test_vectors_in_files(encoder, file, tmp_path, suffix):
    vectors, query = tmp_path / f"vectors{suffix}", tmp_path / "query.npy"
    encoded = tacit.load_encoder(encoder).encode(NOTES)
    if suffix == ".npy":
        np.save(vectors, encoded)
    elif suffix == ".safetensors":
        from tacit.storage.content_formats import encode_arrays

        with vectors.open("wb") as stream:
            stream.writelines(encode_arrays({"vectors": encoded}))
    else:
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(arrow.table({"id": list(range(15)), "vector": encoded.tolist()}), vectors)
    np.save(query, tacit.load_encoder(encoder).encode(["courier package"]))
    out = tmp_path / "index"
    assert run("index", out, file, "--outside-vectors", vectors).code == 0
    result = run("search", out, "courier package", "-k", 1, "--outside-vectors", query)
    assert "parcel" in result.out
    plain = run("search", out, "card", "-k", 1)
    assert "searches without outside vectors" in plain.err
    assert "card" in plain.out


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table with a blank text and two columns of vectors, of which the second is the right one."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, texts = tmp_path_factory.mktemp("table") / "notes.parquet", [*NOTES[:3], " ", *NOTES[3:]]
    vectors = TextEncoder().encode(texts)
    short = arrow.array(np.ones((16, 2)).tolist(), arrow.list_(arrow.float32(), 2))
    columns = {
        "text": texts,
        "short": short,
        "vector": vectors.tolist(),
        "odd": [[1.0] * (1 + i % 2) for i in range(16)],
    }
    parquet.write_table(arrow.table(columns), path, row_group_size=5)
    return path


def test_vectors_in_a_column_of_the_texts(table, tmp_path):
    out, query = tmp_path / "index", TextEncoder().encode(["courier package"])[0]
    assert (
        run("index", out, table, "--column", "text", "--outside-vectors", ":vector", "--segment", 4).code == 0
    )
    index = tacit.load(out)
    assert "parcel" in index.search("courier package", 1, outside_vector=query)[0].text
    assert set(index.search("card", 1)[0].columns) == {"short", "odd"}
    pandas = pytest.importorskip("pandas")
    again = tacit.build_index(pandas.read_parquet(table), index.model, text="text", outside_vectors=":vector")
    rows = np.arange(15)
    np.testing.assert_array_equal(again.snapshot.outside_vectors(rows), index.snapshot.outside_vectors(rows))


def test_a_wrong_column_is_reported_before_training(monkeypatch):
    records = [Record(text, None, {"vector": [1.0, number]}) for number, text in enumerate(NOTES)]
    index = tacit.build_index(records, outside_vectors=":vector")
    assert index.snapshot.n_outside_dimensions == 2
    assert records[0].columns == {"vector": [1.0, 0]}
    monkeypatch.setattr("tacit.workflows.indexing.learn", None)
    with pytest.raises(InputError, match="the column 'other': its columns are 'vector'"):
        tacit.build_index(records, outside_vectors=":other")


def test_vectors_in_a_named_column_of_a_file(table, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join([*NOTES[:3], "a text", *NOTES[3:]]) + "\n", encoding="utf-8")
    for column, n_dimensions in (("vector", 6), ("short", 2), (None, 2)):
        name = table if column is None else f"{table}:{column}"
        index = tacit.build_index(texts, outside_vectors=name)
        assert index.snapshot.n_outside_dimensions == n_dimensions
    [vector] = tacit.build_index(texts, outside_vectors=f"{table}:vector").snapshot.outside_vectors(
        np.array([4])
    )
    expected = TextEncoder().encode([NOTES[3]])[0]
    np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-3)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ("FILE:odd", "lists of different lengths in the column 'odd'"),
        ("FILE:text", "no column 'text' of lists: its columns are text, short, vector, odd"),
        ("FILE:none", "no column 'none' of lists"),
        (":none", "no list of numbers in the column 'none': its columns are 'short', 'vector', 'odd'"),
        (":text", "no list of numbers in the column 'text'"),
        (":odd", "not numbers in rows of one length"),
        ("FILE:vector", "16 outside vectors for 15 texts"),
    ],
)
def test_columns_that_hold_no_vectors(table, tmp_path, vectors, message):
    option = vectors.replace("FILE", str(table))
    result = run("index", tmp_path / "index", table, "--column", "text", "--outside-vectors", option)
    assert result.code != 0
    assert message in result.err
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.npy", b"?", "has no vectors"),
        ("v.npy", None, "has no vectors"),
        ("v.txt", b"1 2 3", "give .npy, .safetensors or .parquet"),
        ("v.safetensors", b"", "v.safetensors"),
    ],
)
def test_files_of_something_else(file, tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    result = run("index", tmp_path / "index", file, "--outside-vectors", tmp_path / name)
    assert result.code != 0
    assert message in result.err
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("n", [14, 16])
def test_other_number_of_vectors(n, tmp_path):
    with pytest.raises(InputError, match="give one for each text"):
        tacit.build_index(NOTES, outside_vectors=np.ones((n, 2)), into=tmp_path / "index")
    assert not (tmp_path / "index" / "config.json").exists()
