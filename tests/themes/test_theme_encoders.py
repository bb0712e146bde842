"""Themes of texts that share few words, with a static embedding model that knows the words."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import tacit
from helpers.static_models import TextEncoder
from tacit import ThemeModel
from tacit.errors import InputError

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


def test_an_encoder_of_texts_cannot_be_stored(labelled):
    with pytest.raises(InputError, match="TextEncoder cannot be stored"):
        ThemeModel(2, encoder=TextEncoder()).fit(labelled[0])
