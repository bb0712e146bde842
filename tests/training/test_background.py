"""A background adds words to a small collection; all other properties of a model hold."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from tacit import WTMF, Index, InputError

TEXTS = ["my laptop is broken", "the screen of my laptop is dark", "the printer is out of paper",
       "no paper in the printer", "I forgot my password", "please reset my password"]  # fmt: skip
GENERAL = ["a laptop is a portable computer", "a computer has a screen and a keyboard",
           "a notebook is a portable computer", "paper is made of wood", "a password opens an account",
           "an account needs a login and a password", "a keyboard is part of a computer"]  # fmt: skip


@pytest.fixture(scope="module")
def general():
    return WTMF(n_components=3).fit(GENERAL).model_


@pytest.fixture(scope="module")
def model(general):
    return WTMF(n_components=3, background=general).fit(TEXTS).model_


def test_words_of_the_background_are_known(model):
    alone = WTMF(n_components=3).fit(TEXTS).model_
    assert alone.compare("notebook", "laptop").known_a == 0
    compared = model.compare("notebook", "laptop")
    assert compared.known_a == 1
    assert compared.score > alone.compare("notebook", "laptop").score
    assert model.compare("a portable computer", "my laptop", "latent").score > 0


def test_cosine_is_the_weighted_sum_of_both_models(model, general):
    language = model.pivot
    assert len(language.fold_ins) == 2
    rows = language.vectorizer.transform_rows(["my laptop is dark", "the computer screen"])
    cosines = []
    for fold_in in language.fold_ins:
        a, b = fold_in(rows).astype(float)
        cosines.append(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    share = language.background.share
    expected = share * cosines[0] + (1 - share) * cosines[1]
    actual = model.compare("my laptop is dark", "the computer screen", "latent").score
    assert np.isclose(actual, expected, atol=1e-5)


def test_explanations_still_sum_to_the_score(model):
    for measure in ("latent", "alignment", "blend"):
        for a, b in (("my laptop", "a computer"), (TEXTS[0], TEXTS[1]), ("qwerty", "laptop")):
            explanation = model.explain(a, b, measure)
            assert np.isclose(explanation.score, model.compare(a, b, measure).score, atol=1e-5)


def test_model_can_be_saved_indexed_and_extended(model, tmp_path):
    model.save(tmp_path / "m")
    again = tacit.load(tmp_path / "m")
    texts = [*TEXTS, "notebook", "", "a dark keyboard"]
    assert np.array_equal(again.encode(texts), model.encode(texts))
    assert again.compare_pairs(TEXTS, texts[:6]) == model.compare_pairs(TEXTS, texts[:6])
    index = Index(again)
    index.add(TEXTS)
    assert index.search("my notebook", k=1)[0].text in TEXTS[:2]
    before = again.encode(TEXTS)
    assert again.add_words(["the scanner prints paper", "paper in the scanner"], min_df=2) == ["scanner"]
    assert np.array_equal(again.encode(TEXTS), before)
    again.save(tmp_path / "grown")
    assert tacit.load(tmp_path / "grown").encode(["scanner"]).any()


def test_threads_and_batch_do_not_change_bits(general, model):
    other = WTMF(n_components=3, background=general, n_threads=3).fit(TEXTS).model_
    assert np.array_equal(other.encode(TEXTS), model.encode(TEXTS))
    assert np.array_equal(model.encode(TEXTS[:1])[0], model.encode(TEXTS)[0])


def test_background_can_be_texts_with_a_share():
    model = WTMF(n_components=3, background=GENERAL, background_share=1.0).fit(TEXTS)
    alone = WTMF(n_components=3).fit(TEXTS)
    a, b = model.similarity(TEXTS, TEXTS, "latent"), alone.similarity(TEXTS, TEXTS, "latent")
    assert np.allclose(a, b, atol=1e-5)
    with pytest.raises(InputError, match="background_share=2"):
        WTMF(n_components=3, background=GENERAL, background_share=2).fit(TEXTS)


def test_invalid_background_raises_input_error(general, model):
    from tacit import TextVectorizer

    with pytest.raises(InputError, match="the background has language 'en' and the texts 'de'"):
        WTMF(TextVectorizer("de"), background=general).fit(TEXTS)
    with pytest.raises(InputError, match="that has no background itself"):
        WTMF(background=model).fit(TEXTS)
    with pytest.raises(InputError, match="with a background"):
        model.add_language("es", [("a cat", "un gato")])
