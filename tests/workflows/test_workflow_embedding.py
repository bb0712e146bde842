"""Vectors of texts in files and shards."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.parquet
import pytest

from helpers.small_texts import ENGLISH
from tacit import InputError
from tacit.workflows import RecordOptions, RecordSource, learn, write_embeddings


@pytest.fixture(scope="module")
def model():
    return learn(ENGLISH).model


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join([*ENGLISH, "", "xyzzy"]), encoding="utf-8")
    return RecordSource((str(path),))


def test_every_row_has_a_vector(model, source, tmp_path):
    report = write_embeddings(source, model, str(tmp_path / "v.npy"))
    assert report.to_dict() == {
        "file": str(tmp_path / "v.npy"),
        "rows": 12,
        "components": model.n_components,
        "without_known_word": 2,
    }
    expected = model.encode([*ENGLISH, "", "xyzzy"])
    assert np.load(tmp_path / "v.npy").tobytes() == expected.tobytes()


def test_shards_have_a_manifest_and_the_same_vectors(model, source, tmp_path):
    model.save(tmp_path / "m")
    report = write_embeddings(source, tmp_path / "m", f"{tmp_path / 'v'}/", shard_format="npy")
    assert json.loads((tmp_path / "v" / "vectors.json").read_text()) == report.to_dict()
    vectors = np.concatenate([np.load(tmp_path / "v" / shard["file"]) for shard in report.shards])
    assert vectors.tobytes() == model.encode([*ENGLISH, "", "xyzzy"]).tobytes()
    with pytest.raises(InputError, match="is not empty"):
        write_embeddings(source, model, f"{tmp_path / 'v'}/")


def test_ids_are_stored_in_parquet_alone(model, tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("key\tsaid\nk1\ta cat\nk2\ta bank\n", encoding="utf-8")
    source = RecordSource((str(path),), options=RecordOptions("said", "key"))
    write_embeddings(source, model, str(tmp_path / "v.parquet"))
    assert pyarrow.parquet.read_table(tmp_path / "v.parquet")["id"].to_pylist() == ["k1", "k2"]
    for out, message in (("v.npy", "holds vectors alone"), ("v.csv", "is not a format of vectors")):
        with pytest.raises(InputError, match=message):
            write_embeddings(source, model, str(tmp_path / out))


def test_a_missing_file_is_an_error_before_the_model_is_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        write_embeddings(RecordSource((str(tmp_path / "gone.txt"),)), tmp_path / "m", str(tmp_path / "v.npy"))
