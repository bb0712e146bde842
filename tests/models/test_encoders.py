"""Static embedding models: formats, errors, and the vectors that a model stores of them."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import tacit
from helpers.notes import NOTES, notes_model
from helpers.static_models import TextEncoder, word_vectors, write_text_vectors, write_token_model
from tacit.errors import InputError, ModelError
from tacit.models.outside import WordTable, static_share

QUERY, TEXT = "the courier and a package", "where is my parcel"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_token_model(tmp_path_factory.mktemp("static"))


@pytest.fixture(scope="module")
def encoder(folder):
    return tacit.load_encoder(folder)


@pytest.fixture(scope="module")
def model(encoder):
    return notes_model().model_.with_encoder(encoder, texts=NOTES)


def test_encoder_averages_token_vectors(encoder):
    words, vectors = word_vectors()
    expected = vectors[words.index("parcel")] + vectors[words.index("package")]
    vector = encoder.encode(["Parcel package unknownword"])[0]
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    assert not encoder.encode(["unknownword", ""]).any()


@pytest.mark.parametrize("name", ["glove.txt", "word2vec.vec", "fast.vec.gz"])
def test_text_formats_give_the_same_vectors(encoder, tmp_path, name):
    file = write_text_vectors(tmp_path / name.removesuffix(".gz"), header="glove" not in name)
    if name.endswith(".gz"):
        (tmp_path / name).write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    for path in (tmp_path / name, tmp_path):
        assert tacit.load_encoder(path).encode([QUERY]) == pytest.approx(encoder.encode([QUERY]), abs=1e-4)


def test_layouts_of_other_libraries(encoder, tmp_path):
    sentence_transformers = write_token_model(
        tmp_path / "st" / "0_StaticEmbedding", "embedding.weight"
    ).parent
    assert (tacit.load_encoder(sentence_transformers).encode([QUERY]) == encoder.encode([QUERY])).all()
    rows = encoder.vectors
    order = np.arange(len(rows))[::-1].copy()
    arrays = {"embeddings": rows[order], "mapping": order, "weights": np.full(len(rows), 0.5, np.float64)}
    model2vec = tacit.load_encoder(write_token_model(tmp_path / "m2v", **arrays))
    assert model2vec.vectors == pytest.approx(rows / 2)


def test_errors_name_the_remedy(tmp_path, folder):
    with pytest.raises(InputError, match=r"no encoder at .*: give a folder with model.safetensors"):
        tacit.load_encoder(tmp_path)
    write_token_model(tmp_path / "short", embeddings=np.ones((2, 3), np.float32))
    with pytest.raises(InputError, match=r"tokens, .* 2 vectors: copy the files of one model"):
        tacit.load_encoder(tmp_path / "short")
    write_token_model(tmp_path / "none", weights=np.ones(3))
    with pytest.raises(InputError, match="has 0 matrices"):
        tacit.load_encoder(tmp_path / "none")
    (tmp_path / "none" / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"no model.safetensors: copy both"):
        tacit.load_encoder(tmp_path / "none")
    (tmp_path / "none" / "tokenizer.json").write_text("{")
    (tmp_path / "none" / "model.safetensors").write_bytes(b"?")
    with pytest.raises(InputError, match="is not a tokenizer"):
        tacit.load_encoder(tmp_path / "none")
    (tmp_path / "short" / "model.safetensors").write_bytes(b"?")
    with pytest.raises(ModelError, match="damaged"):
        tacit.load_encoder(tmp_path / "short")


@pytest.mark.parametrize(
    "content", [b"", b"a line of text\n", b"a 1 2\nb 1\n", b"\xff\xfe\x00", b"a 1 nan\n"]
)
def test_text_files_of_something_else(tmp_path, content):
    (tmp_path / "vectors.txt").write_bytes(content)
    with pytest.raises(InputError, match=r"vectors\.txt"):
        tacit.load_encoder(tmp_path / "vectors.txt")


def test_score_is_the_weighted_sum(model, encoder):
    cosine = float(encoder.encode([QUERY])[0] @ encoder.encode([TEXT])[0])
    own, share = notes_model().model_.compare(QUERY, TEXT).score, model.outside.share
    assert share == static_share(len(NOTES))
    assert model.compare(QUERY, TEXT).score == pytest.approx(share * cosine + (1 - share) * own, abs=1e-3)
    assert model.similarity([TEXT], [TEXT])[0, 0] == pytest.approx(1)
    latent = [each.compare(QUERY, TEXT, "latent").score for each in (model, notes_model().model_)]
    assert latent[0] == latent[1]


def test_explanation_splits_into_words(model):
    explanation = model.explain(QUERY, TEXT)
    assert explanation.score == pytest.approx(model.compare(QUERY, TEXT).score, abs=1e-5)
    assert {"outside", "latent", "alignment"} == set(explanation.parts)
    assert ("package", "parcel") in [pair[:2] for pair in explanation.top(2)]
    assert explanation.outside == 0


def test_saved_model_needs_no_encoder(model, tmp_path):
    model.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model")
    texts = [QUERY, TEXT]
    assert (loaded.similarity(texts, texts) == model.similarity(texts, texts)).all()
    assert loaded.outside.encoder.source == model.outside.encoder.source
    assert loaded.compare(QUERY, TEXT).percentile == model.compare(QUERY, TEXT).percentile


def test_words_of_pieces_need_no_encoder(model):
    table = WordTable(model.outside.encoder.words, model.outside.encoder.vectors, {})
    with_encoder, without = (
        model.outside.encoder.token_vectors(["codes", "zzz"]),
        table.token_vectors(["codes", "zzz"]),
    )
    assert without[0] == pytest.approx(with_encoder[0], abs=2e-3)
    assert without[0].any()
    assert not without[1].any()


def test_texts_without_outside_words_keep_their_score(model):
    own = notes_model().model_
    assert model.compare("zzz card", "qqq").score == own.compare("zzz card", "qqq").score


def test_encoder_of_texts(encoder):
    counting = TextEncoder()
    model = notes_model().model_.with_encoder(counting)
    assert model.outside.share == 0.6
    own = notes_model().model_.compare(QUERY, TEXT).score
    cosine = float(encoder.encode([QUERY])[0] @ encoder.encode([TEXT])[0])
    assert model.compare(QUERY, TEXT).score == pytest.approx(0.6 * cosine + 0.4 * own, abs=1e-5)
    explanation = model.explain(QUERY, TEXT)
    assert explanation.outside == pytest.approx(0.6 * cosine, abs=1e-5)
    assert explanation.table.sum() + explanation.outside == pytest.approx(explanation.score)
    assert explanation.to_dict()["outside"] == explanation.outside
    assert model.encode(NOTES).shape == (15, 4)


@pytest.mark.parametrize(
    ("result", "message"),
    [(np.ones((1, 3)), "shape"), (np.ones(2), "shape"), (np.full((2, 3), np.nan), "NaN or infinity")],
)
def test_bad_results_of_an_encoder(result, message):
    class Bad:
        def encode(self, texts):
            return result

    with pytest.raises(InputError, match=message):
        notes_model().model_.with_encoder(Bad()).similarity(["a card"], ["my parcel"])
    with pytest.raises(InputError, match="is not an encoder"):
        notes_model().model_.with_encoder(object())
    with pytest.raises(InputError, match="share"):
        notes_model().model_.with_encoder(TextEncoder(), share=2)
