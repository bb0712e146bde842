"""Words that a text is about but does not use: their scores, with and without a background."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacit import WTMF, Index, TextVectorizer
from tacit.models.language import RARE_WORD_PRIOR
from tacit.models.text_model import TextModel

TOPICS = (
    ("boat", "harbor", "sail", "anchor", "island", "storm", "captain", "deck"),
    ("loan", "bank", "interest", "credit", "mortgage", "debt", "account", "fee"),
    ("bread", "oven", "flour", "dough", "butter", "yeast", "salt", "crust"),
)
FREQUENT = "various"


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(0)
    pairs = [rng.choice(TOPICS[n % 3], 2, replace=False) for n in range(150)]
    return [" ".join([*pair, *[FREQUENT] * (n % 2 == 0)]) for n, pair in enumerate(pairs)]


@pytest.fixture(scope="module")
def model(texts):
    return WTMF(TextVectorizer(language=None), n_components=3).fit(texts).model_


@pytest.fixture(scope="module")
def background_model(texts):
    general = WTMF(TextVectorizer(language=None), n_components=3).fit(texts[:60])
    trainer = WTMF(TextVectorizer(language=None), n_components=4, background=general)
    return trainer.fit(texts[60:]).model_


def test_words_of_the_topic_come_before_a_word_of_all_topics(model):
    language = model.pivot
    weights = language.joint_word_vectors @ model.encode(["bread"])[0]
    forms = language.vectorizer.words_.surface_forms
    assert FREQUENT in [forms[i] for i in np.argsort(-weights)[:6]]  # by weight before words of the topic
    assert {word for word, _ in model.unsaid("bread", 7)} == set(TOPICS[2]) - {"bread"}


@pytest.mark.parametrize("kind", ["model", "background_model"])
def test_deviations_are_those_of_the_training_texts(kind, texts, request):
    model = request.getfixturevalue(kind)
    texts = texts if kind == "model" else texts[60:]
    language = model.pivot
    weights = model.encode(texts).astype(np.float64) @ language.joint_word_vectors.T
    squares = (weights**2).mean(axis=0)
    expected = np.sqrt(squares + RARE_WORD_PRIOR * squares.mean())
    np.testing.assert_allclose(language.weight_deviations, expected, rtol=1e-4)
    vector = model.encode(["credit"])[0]
    scores = dict(model.unsaid("credit", 4))
    column = language.vectorizer.words_.column_of
    for word, score in scores.items():
        weight = language.joint_word_vectors[column[word]] @ vector
        assert score == pytest.approx(weight * abs(weight) / expected[column[word]], rel=1e-3)


def test_a_stored_model_gives_the_same_words(background_model):
    stored = background_model.to_stored()
    assert TextModel.from_stored(stored).unsaid("boat", 8) == background_model.unsaid("boat", 8)


def test_a_model_without_the_matrix_of_its_texts_ranks_by_weight(background_model):
    stored = background_model.to_stored()
    arrays = {name: array for name, array in stored.arrays.items() if "joint_text_gram" not in name}
    assert len(arrays) == len(stored.arrays) - 1
    old = TextModel.from_stored(replace(stored, arrays=arrays))
    assert old.pivot.weight_deviations is None
    np.testing.assert_array_equal(old.encode(["boat"]), background_model.encode(["boat"]))
    vector, column = old.encode(["boat"])[0], old.pivot.vectorizer.words_.column_of
    for word, weight in old.unsaid("boat", 8):
        assert weight == pytest.approx(old.pivot.joint_word_vectors[column[word]] @ vector, rel=1e-4)


def test_unsaid_words_of_clusters_have_the_same_ranking(model, texts):
    index = Index(model)
    index.add(texts)
    vectors = model.encode(texts) / np.linalg.norm(model.encode(texts), axis=1, keepdims=True)
    column = model.pivot.vectorizer.words_.column_of
    clusters = index.clusters(3)
    assert any(cluster.unsaid for cluster in clusters)
    for cluster in clusters:
        rows = [int(id_) - 1 for id_ in cluster.ids]
        difference = vectors[rows].mean(axis=0) - vectors.mean(axis=0)
        for word, score in cluster.unsaid:
            weight = model.pivot.joint_word_vectors[column[word]] @ difference
            deviation = model.pivot.weight_deviations[column[word]]
            assert score == pytest.approx(weight**2 / deviation, rel=1e-3)
