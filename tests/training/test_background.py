"""A background teaches a small collection words; nothing promised of a model is lost by it."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from tacit import WTMF, Index, InputError

OWN = ["my laptop is broken", "the screen of my laptop is dark", "the printer is out of paper",
       "no paper in the printer", "I forgot my password", "please reset my password"]  # fmt: skip
GENERAL = ["a laptop is a portable computer", "a computer has a screen and a keyboard",
           "a notebook is a portable computer", "paper is made of wood", "a password opens an account",
           "an account needs a login and a password", "a keyboard is part of a computer"]  # fmt: skip


@pytest.fixture(scope="module")
def general():
    return WTMF(n_components=3).fit(GENERAL).model_


@pytest.fixture(scope="module")
def model(general):
    return WTMF(n_components=3, background=general).fit(OWN).model_


def test_words_that_only_the_background_knows_are_known(model):
    alone = WTMF(n_components=3).fit(OWN).model_
    assert alone.compare("notebook", "laptop").known_a == 0
    compared = model.compare("notebook", "laptop")
    assert compared.known_a == 1
    assert compared.score > alone.compare("notebook", "laptop").score
    assert model.compare("a portable computer", "my laptop", "latent").score > 0


def test_a_cosine_is_the_weighted_sum_of_both(model, general):
    language = model.pivot
    assert len(language.fold_ins) == 2
    rows = language.vectorizer.transform_rows(["my laptop is dark", "the computer screen"])
    cosines = []
    for fold in language.fold_ins:
        a, b = fold(rows).astype(float)
        cosines.append(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    share = language.background.share
    expected = share * cosines[0] + (1 - share) * cosines[1]
    found = model.compare("my laptop is dark", "the computer screen", "latent").score
    assert np.isclose(found, expected, atol=1e-5)


def test_explanations_still_sum_to_the_score(model):
    for measure in ("latent", "alignment", "blend"):
        for a, b in (("my laptop", "a computer"), (OWN[0], OWN[1]), ("qwerty", "laptop")):
            why = model.explain(a, b, measure)
            assert np.isclose(why.score, model.compare(a, b, measure).score, atol=1e-5)


def test_saved_loaded_indexed_and_grown(model, tmp_path):
    model.save(tmp_path / "m")
    again = tacit.load(tmp_path / "m")
    texts = [*OWN, "notebook", "", "a dark keyboard"]
    assert np.array_equal(again.encode(texts), model.encode(texts))
    assert again.compare_pairs(OWN, texts[:6]) == model.compare_pairs(OWN, texts[:6])
    index = Index(again)
    index.add(OWN)
    assert index.search("my notebook", k=1)[0].text in OWN[:2]
    before = again.encode(OWN)
    assert again.add_words(["the scanner prints paper", "paper in the scanner"], min_df=2) == ["scanner"]
    assert np.array_equal(again.encode(OWN), before)
    again.save(tmp_path / "grown")
    assert tacit.load(tmp_path / "grown").encode(["scanner"]).any()


def test_threads_and_company_change_no_bit(general, model):
    other = WTMF(n_components=3, background=general, n_threads=3).fit(OWN).model_
    assert np.array_equal(other.encode(OWN), model.encode(OWN))
    assert np.array_equal(model.encode(OWN[:1])[0], model.encode(OWN)[0])


def test_texts_are_a_background_too_and_the_share_can_be_set():
    model = WTMF(n_components=3, background=GENERAL, background_share=1.0).fit(OWN)
    alone = WTMF(n_components=3).fit(OWN)
    a, b = model.similarity(OWN, OWN, "latent"), alone.similarity(OWN, OWN, "latent")
    assert np.allclose(a, b, atol=1e-5)
    with pytest.raises(InputError, match="background_share=2"):
        WTMF(n_components=3, background=GENERAL, background_share=2).fit(OWN)


def test_what_cannot_stand_behind_is_refused(general, model):
    from tacit import TextVectorizer

    with pytest.raises(InputError, match="the background has language 'en' and the texts 'de'"):
        WTMF(TextVectorizer("de"), background=general).fit(OWN)
    with pytest.raises(InputError, match="that has no background itself"):
        WTMF(background=model).fit(OWN)
    with pytest.raises(InputError, match="with a background"):
        model.add_language("es", [("a cat", "un gato")])
