"""Background models: their sources and their cache."""

from __future__ import annotations

import os

import pytest

from helpers.small_texts import ENGLISH, GERMAN, model_digest
from tacit import InputError, TextVectorizer
from tacit.corpora import wordnet
from tacit.training.wtmf import WTMF
from tacit.workflows import TrainingSettings, learn
from tacit.workflows.background_cache import load_background

MORE = ["a kitten is a young cat", "a loan is money from a bank", "snow falls in winter"] * 3
SETTINGS = TrainingSettings()


@pytest.fixture
def short_wordnet(monkeypatch):
    """WordNet with the first of its texts, and a count of how often they are read."""
    reads = []

    def texts(folder):
        assert folder is None
        reads.append(1)
        return iter(MORE)

    monkeypatch.setattr(wordnet, "read_texts", texts)
    return reads


def test_a_background_is_a_model_its_folder_a_file_or_texts(tmp_path):
    expected = WTMF().fit(MORE)
    expected.save(tmp_path / "m")
    (tmp_path / "more.txt").write_text("\n".join(MORE), encoding="utf-8")
    for source in (expected, expected.model_, tmp_path / "m", str(tmp_path / "more.txt"), MORE):
        assert model_digest(load_background(source, "en", SETTINGS)) == model_digest(expected.model_)


def test_a_background_table_has_the_text_column_of_the_texts(tmp_path):
    for name, texts in (("texts", ENGLISH), ("more", MORE)):
        rows = "".join(f"7,{text}\n" for text in texts)
        (tmp_path / f"{name}.csv").write_text(f"id,said\n{rows}", encoding="utf-8")
    model = learn(tmp_path / "texts.csv", text="said", background=tmp_path / "more.csv").model
    assert model_digest(model) == model_digest(WTMF(background=MORE).fit(ENGLISH).model_)


def test_a_named_corpus_is_trained_once(short_wordnet, tmp_path):
    models = [load_background("wordnet", "en", SETTINGS, tmp_path) for _ in range(2)]
    assert len(short_wordnet) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["wordnet"]
    digests = {model_digest(model) for model in (*models, WTMF().fit(MORE).model_)}
    assert len(digests) == 1


def test_a_copy_of_a_named_corpus_has_a_folder_of_its_own_in_the_cache(monkeypatch, tmp_path):
    copies = []
    monkeypatch.setattr(wordnet, "read_texts", lambda folder: copies.append(folder) or iter(MORE))
    for source in ("wordnet", "wordnet:a/b", "wordnet:a/b", "wordnet:c"):
        load_background(source, "en", SETTINGS, tmp_path)
    assert copies == [None, "a/b", "c"]
    assert len(list(tmp_path.iterdir())) == 3


def test_the_cache_knows_the_words_options(short_wordnet, tmp_path):
    load_background("wordnet", "en", SETTINGS, tmp_path)
    model = load_background("wordnet", "en", TrainingSettings(min_df=1), tmp_path)
    assert len(short_wordnet) == 2
    assert model_digest(model) == model_digest(WTMF(TextVectorizer(min_df=1)).fit(MORE).model_)
    load_background("wordnet", "en", TrainingSettings(n_components=7, random_state=3), tmp_path)
    assert len(short_wordnet) == 2, "settings of the factorization do not change the background"


def test_a_cache_that_cannot_be_written_is_not_needed(short_wordnet, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    model = load_background("wordnet", "en", SETTINGS, tmp_path / "file" / "cache")
    assert model_digest(model) == model_digest(WTMF().fit(MORE).model_)


def test_the_default_cache_is_of_the_user(short_wordnet, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load_background("wordnet", "en", SETTINGS)
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert len(list(tmp_path.glob("tacit/*/backgrounds/wordnet/config.json"))) == 1


def test_an_english_corpus_is_no_background_of_german(short_wordnet, tmp_path):
    with pytest.raises(InputError, match="is in English, the texts are in 'de'"):
        learn(GERMAN, background="wordnet", cache_dir=tmp_path)


def test_a_cached_background_gives_the_bits_of_a_new_one(short_wordnet, tmp_path):
    models = [learn(ENGLISH, background="wordnet", cache_dir=tmp_path).model for _ in range(2)]
    expected = WTMF(background=WTMF().fit(MORE)).fit(ENGLISH).model_
    assert {model_digest(model) for model in models} == {model_digest(expected)}
    assert models[0].encode(["a loan"]).tobytes() == expected.encode(["a loan"]).tobytes()
    assert not any("--background" in line for line in learn(ENGLISH, background=MORE).suggestions)
