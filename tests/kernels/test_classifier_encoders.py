"""Classification with a static embedding model that knows words which the labelled texts do not have."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.cli_runs import tacit as run
from helpers.static_models import TextEncoder, write_token_model
from tacit import TextClassifier, TextVectorizer
from tacit.errors import InputError
from tacit.workflows.classification import classify

TRAIN = ["where is my parcel", "the parcel is late", "my card was declined", "card payment failed"]
LABELS = ["post", "post", "money", "money"]
NEW = ["courier package", "transfer money", "the courier brings packages"]


class FlatEncoder:
    """An encoder of texts with vectors of two components."""

    def encode(self, texts):
        return np.ones((len(texts), 2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_token_model(tmp_path_factory.mktemp("encoder"))


@pytest.mark.parametrize("kernel", ["exponential", "latent", "lexical"])
def test_new_words_are_known_to_the_encoder(folder, kernel, tmp_path):
    vectorizer = TextVectorizer(min_df=1)
    settings = {"kernel": kernel, "lambda_": 1.0, "C": 1.0, "vectorizer": vectorizer}
    model = TextClassifier(**settings, encoder=folder).fit(TRAIN, LABELS)
    assert model.predict(NEW).tolist() == ["post", "money", "post"]
    plain = TextClassifier(**settings).fit(TRAIN, LABELS)
    assert model.features(NEW).shape[1] == plain.features(NEW).shape[1] + 6
    assert np.ptp(plain.decision_function(NEW[:2])) < np.ptp(model.decision_function(NEW[:2]))
    model.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model")
    np.testing.assert_allclose(loaded.decision_function(NEW), model.decision_function(NEW), atol=2e-3)
    np.testing.assert_array_equal(loaded.decision_function(TRAIN), model.decision_function(TRAIN))


def test_an_encoder_of_texts_counts_like_a_static_one(folder, tmp_path):
    settings = {"lambda_": 1.0, "C": 1.0, "vectorizer": TextVectorizer(min_df=1)}
    model = TextClassifier(**settings, encoder=TextEncoder()).fit(TRAIN, LABELS)
    static = TextClassifier(**settings, encoder=folder).fit(TRAIN, LABELS)
    np.testing.assert_allclose(model.decision_function(NEW[:2]), static.decision_function(NEW[:2]), atol=2e-3)
    model.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model", encoder=TextEncoder())
    np.testing.assert_array_equal(loaded.decision_function(NEW), model.decision_function(NEW))
    with pytest.raises(InputError, match="load the folder with encoder="):
        tacit.load(tmp_path / "model").predict(NEW)
    with pytest.raises(InputError, match=r"shape \(3, 2\), not \(3, 6\)"):
        tacit.load(tmp_path / "model", encoder=FlatEncoder()).predict(NEW)
    TextClassifier(**settings).fit(TRAIN, LABELS).save(tmp_path / "plain")
    with pytest.raises(InputError, match="built without an encoder"):
        tacit.load(tmp_path / "plain", encoder=TextEncoder())


def test_classify_takes_an_encoder_of_texts():
    result = classify(NEW[:2], TRAIN, LABELS, encoder=TextEncoder(), transductive=False)
    assert result.labels == ["post", "money"]


def test_command_with_an_encoder(folder, tmp_path):
    train, test = tmp_path / "train.tsv", tmp_path / "test.txt"
    rows = [f"{label}\t{text}\n" for label, text in zip(LABELS, TRAIN, strict=True)]
    train.write_text("".join(rows), encoding="utf-8")
    test.write_text("\n".join(NEW) + "\n", encoding="utf-8")
    arguments = ["classify", "--train", train, "--test", test, "--json", "--encoder", folder]
    assert run(*arguments).json["predictions"] == ["post", "money", "post"]
    saved = tmp_path / "model"
    assert run("classify", "--train", train, "--save", saved, "--encoder", folder).code == 0
    again = run("classify", "--model", saved, "--test", test, "--json")
    assert again.json["predictions"] == ["post", "money", "post"]
    both = run("classify", "--model", saved, "--test", test, "--encoder", folder)
    assert "--encoder" in both.err
    assert both.code != 0
