"""Themes of texts that share few words, with a static embedding model that knows the words."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import tacit
from tacit import ThemeModel
from tacit.errors import InputError
from tacit.models.text_set import TextSet

SYLLABLES = ["ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu"]
WORDS = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES][:240]
"""The first half belongs to one topic, the second half to another."""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    rng, file = np.random.default_rng(0), tmp_path_factory.mktemp("encoder") / "words.vec"
    topics = np.repeat(np.eye(4)[:2], 120, axis=0) + 0.2 * rng.normal(size=(240, 4))
    lines = [f"{word} {' '.join(map(str, row.round(4)))}" for word, row in zip(WORDS, topics, strict=True)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def labelled():
    labels = np.arange(60) % 2
    starts = [120 * label + 4 * (number // 2) for number, label in enumerate(labels)]
    return [" ".join(WORDS[start : start + 4]) for start in starts], labels


def test_an_encoder_finds_topics_without_shared_words(encoder, labelled):
    texts, labels = labelled
    model = ThemeModel(2, language=None, other=False, encoder=encoder).fit(texts)
    assert adjusted_rand_score(labels, model.labels_) > 0.9
    assert adjusted_rand_score(labels, ThemeModel(2, language=None, other=False).fit_predict(texts)) < 0.5
    new = [" ".join(WORDS[:120:40]), " ".join(WORDS[120::40])]
    assert model.predict(new).tolist() == [model.labels_[0], model.labels_[1]]


def test_saved_themes_need_no_encoder(encoder, labelled, tmp_path):
    texts, _ = labelled
    themes = tacit.find_themes(texts, 2, language=None, encoder=encoder, work=tmp_path / "work")
    again = tacit.find_themes(tmp_path / "work")
    assert again.model.labels_.tolist() == themes.model.labels_.tolist()
    assert (again.model.space.unit == themes.model.space.unit).all()
    assert again.model.predict(texts[:9]).tolist() == themes.model.predict(texts[:9]).tolist()
    other = tacit.find_themes(texts, 2, language=None, work=tmp_path / "work")
    assert other.model.model_.outside is None


def test_themes_are_found_again_in_the_cache(encoder, labelled, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(labelled[0]) + "\n", encoding="utf-8")
    first = tacit.find_themes(file, 2, language=None, encoder=encoder)
    assert len(list((tmp_path / "cache").glob("*/*"))) == 1
    second = tacit.find_themes(file, 3, language=None, encoder=encoder)
    assert len(list((tmp_path / "cache").glob("*/*"))) == 1
    assert len(second) == 3
    assert second.model.model_.outside.encoder.source == first.model.model_.outside.encoder.source
    assert tacit.find_themes(file, 2, language=None).model.model_.outside is None


class TopicEncoder:
    """An encoder of texts that uses a static model, and counts the texts."""

    def __init__(self, path):
        self.static, self.n_encoded = tacit.load_encoder(path), 0

    def encode(self, texts):
        self.n_encoded += len(texts)
        return self.static.encode(texts)


def test_an_encoder_of_texts_finds_the_topics_of_a_static_one(encoder, labelled):
    texts, labels = labelled
    of_texts = TopicEncoder(encoder)
    themes = tacit.find_themes(texts, 2, language=None, encoder=of_texts)
    assert of_texts.n_encoded == len(set(texts))
    assert adjusted_rand_score(labels, themes.model.labels_) > 0.9
    model = ThemeModel(2, language=None, encoder=encoder).fit(texts).model_.with_encoder(encoder, share=0.6)
    expected = TextSet.from_texts(model, themes.model.space.texts).joint_vectors
    np.testing.assert_allclose(themes.model.space.unit, expected, atol=2e-3)
    assert themes.model.predict(texts[:4]).tolist() == themes.model.labels_[:4].tolist()
    assert all(theme.name for theme in themes)


def test_the_number_of_themes_encodes_each_text_once(encoder, labelled):
    texts = [f"{text} {WORDS[number]}" for text in labelled[0] for number in (3, 50, 200)]
    of_texts = TopicEncoder(encoder)
    ThemeModel(language=None, encoder=of_texts).fit(texts)
    assert of_texts.n_encoded == len(set(texts)) >= 120


def test_themes_of_an_encoder_of_texts_cannot_be_stored(encoder, labelled, tmp_path):
    with pytest.raises(InputError, match="leave out the work folder"):
        tacit.find_themes(labelled[0], 2, encoder=TopicEncoder(encoder), work=tmp_path / "work")
    with pytest.raises(InputError, match="a float is not an encoder"):
        tacit.find_themes(labelled[0], 2, encoder=0.5)
