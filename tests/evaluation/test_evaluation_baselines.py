"""The scorers of the library equal their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.cats_and_stocks import CATS, STOCKS, TEXTS, words
from helpers.language_models import bilingual, pivot
from papers.baselines.scorers import SurfaceScorer, TfidfScorer
from tacit import WTMF, InputError
from tacit.errors import NotFittedError
from tacit.evaluation.scorers import ModelScorer, PrefixScorer, RandomScorer


@pytest.fixture(scope="module")
def scorers():
    return {
        "ir": TfidfScorer(words()).fit(TEXTS),
        "tacit": ModelScorer(WTMF(words(), n_components=3, regularization=1.0).fit(TEXTS), measure="latent"),
        "surface": SurfaceScorer(),
        "prefix": PrefixScorer(),
    }


@pytest.mark.parametrize("name", ["ir", "tacit", "surface", "prefix"])
class TestEveryScorer:
    def test_text_is_most_similar_to_itself(self, scorers, name):
        own = scorers[name].score_pairs(CATS, CATS)
        assert own == pytest.approx(1, abs=1e-6)
        assert (own > scorers[name].score_pairs(CATS, STOCKS)).all()

    def test_empty_text_scores_0_and_is_unknown(self, scorers, name):
        scorer = scorers[name]
        assert scorer.score_pairs(["", "cat", ""], ["cat", "", ""]).tolist() == [0, 0, 0]
        assert scorer.has_known_words(["", "the cat sat"]).tolist() == [False, True]

    def test_scorer_has_its_name(self, scorers, name):
        assert scorers[name].name == name

    def test_sides_of_unequal_length_raise(self, scorers, name):
        with pytest.raises(InputError, match="2 and 1 texts"):
            scorers[name].score_pairs(["a", "b"], ["a"])


@pytest.mark.parametrize("name", ["ir", "tacit"])
def test_text_of_unknown_words_is_unknown(scorers, name):
    assert scorers[name].has_known_words(["zebra", "zebra cat"]).tolist() == [False, True]
    assert scorers[name].score_pairs(["zebra"], ["cat"]).tolist() == [0]


def test_surface_equals_cosine_of_sets():
    # 3 of 4 and 3 of 5 distinct tokens are shared, repeated ones count once; case and full stop are kept
    score = SurfaceScorer().score_pairs(["The cat cat sat ."], ["the cat sat on ."])
    assert score == pytest.approx([3 / np.sqrt(4 * 5)])


def test_prefixes_are_sets_of_first_letters():
    # pres, habl, the against pres, habl, el: two of three, whatever the accents
    score = PrefixScorer().score_pairs(["The president's habló"], ["el presidente HABLA, presidenta"])
    assert score == pytest.approx([2 / np.sqrt(4 * 3)])  # the apostrophe leaves an s


def test_tfidf_equals_cosine_of_weights(scorers):
    a, b = (words().fit(TEXTS).transform(side).toarray() for side in (CATS, STOCKS))
    expected = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert scorers["ir"].score_pairs(CATS, STOCKS) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("measure", ["latent", "blend"])
def test_model_scores_by_its_measure(measure):
    model = WTMF(words(), n_components=3, regularization=1.0).fit(TEXTS)
    scorer = ModelScorer(model, "mine", measure)
    assert (
        scorer.score_pairs(CATS, STOCKS).tolist() == model.similarity_pairwise(CATS, STOCKS, measure).tolist()
    )
    assert scorer.name == "mine"


def test_spelling_measure_knows_every_word(scorers):
    scorer = ModelScorer(scorers["tacit"].model, measure="blend")
    assert scorer.has_known_words(["zebra", " "]).tolist() == [True, False]


def test_languages_are_passed_to_multilingual_model():
    scorer = ModelScorer(bilingual(), measure="latent")
    with_languages = scorer.with_languages("en", "es")
    expected = scorer.model.similarity_pairwise(["the cat"], ["el gato"], "latent", "en", "es")
    assert with_languages.score_pairs(["the cat"], ["el gato"]).tolist() == expected.tolist()
    assert with_languages.has_known_words(["gato", "cat", "zebra"]).tolist() == [True, True, False]
    assert scorer.languages is None
    alone = ModelScorer(pivot())
    assert alone.with_languages("fr", "fr") is alone


def test_random_scores_depend_on_seed():
    same, other = RandomScorer(1).score_pairs(CATS, STOCKS), RandomScorer(2).score_pairs(CATS, STOCKS)
    assert RandomScorer(1).score_pairs(CATS, STOCKS).tolist() == same.tolist() != other.tolist()
    many = RandomScorer().score_pairs([str(i) for i in range(2000)], ["x"] * 2000)
    assert (many.min() < 0.01, many.max() > 0.99, abs(many.mean() - 0.5) < 0.03) == (True, True, True)


def test_unfitted_scorer_raises():
    with pytest.raises(NotFittedError, match=r"fit\(texts\) first"):
        TfidfScorer().score_pairs(["a"], ["b"])
