"""Tests that every trainer has to pass."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import tacit
from helpers.language_models import ENGLISH, PAIRS, vectorizer
from tacit import WTMF, BilingualWMF, Index, InputError, NotFittedError, TextModel
from tacit.models.measures import get_measure, measure_names

SETTINGS = {"n_components": 4, "missing_weight": 0.1, "regularization": 0.5, "n_iter": 6}
ROWS = [*PAIRS["es"], *((text, None) for text in ENGLISH)]
TRAINERS = {
    "WTMF": (lambda **options: WTMF(vectorizer(), **{**SETTINGS, **options}), ENGLISH),
    "BilingualWMF": (
        lambda **options: BilingualWMF(["en", "es"], vectorizer(), **{**SETTINGS, **options}),
        ROWS,
    ),
}
QUERIES = ["the cat sleeps", "money", "", "qwerty zxcv", "the bank lends money in 2012"]


@pytest.fixture(scope="module", params=TRAINERS)
def trained(request):
    make, corpus = TRAINERS[request.param]
    return make, corpus, make().fit(corpus).model_


class TestEveryTrainer:
    """Tests of one trainer; a new trainer is added to ``TRAINERS``."""

    def test_fit_creates_a_text_model(self, trained):
        make, corpus, model = trained
        trainer = make()
        with pytest.raises(NotFittedError, match="call fit"):
            trainer.encode(["a"])
        assert trainer.fit(corpus) is trainer
        assert isinstance(trainer.model_, TextModel)
        assert np.array_equal(trainer.encode(QUERIES), model.encode(QUERIES))
        assert np.array_equal(trainer.transform(QUERIES), model.encode(QUERIES))
        assert model.provenance["trainer"] == type(trainer).__name__
        assert model.provenance["loss"] == trainer.loss_
        assert repr(clone(trainer)) == repr(make())

    def test_trainer_delegates_only_public_names_to_its_model(self, trained):
        make, corpus, _ = trained
        trainer = make().fit(corpus)
        trainer.model_.public, trainer.model_._private, trainer.model_.fitted_ = 1, 2, 3
        assert trainer.public == 1
        assert not hasattr(trainer, "_private")
        assert not hasattr(trainer, "fitted_")

    def test_threads_do_not_change_bits(self, trained):
        make, corpus, model = trained
        for n_threads in (1, 2, 3):
            other = make(n_threads=n_threads).fit(corpus).model_
            for code, language in model.languages.items():
                assert np.array_equal(other.languages[code].word_vectors, language.word_vectors)
            for measure in measure_names():
                actual, expected = (m.similarity(QUERIES, ENGLISH, measure) for m in (other, model))
                assert np.array_equal(actual, expected)

    def test_text_has_the_same_vector_alone_and_in_a_batch(self, trained):
        _, _, model = trained
        batch = model.encode([*ENGLISH, *QUERIES], "en")
        for number, text in enumerate([*ENGLISH, *QUERIES]):
            assert np.array_equal(model.encode([text], "en")[0], batch[number])

    def test_loaded_model_gives_the_same_results(self, trained, tmp_path):
        _, _, model = trained
        model.save(tmp_path / "model")
        again = tacit.load(tmp_path / "model")
        assert isinstance(again, TextModel)
        assert again.provenance == model.provenance
        for measure in measure_names():
            pairs = (ENGLISH[:5], QUERIES, measure)
            assert again.compare_pairs(*pairs) == model.compare_pairs(*pairs)
        assert again.unsaid("the bank") == model.unsaid("the bank")
        assert again.nearest_words("cat") == model.nearest_words("cat")

    @pytest.mark.parametrize(
        "measure", [name for name in measure_names() if get_measure(name).is_explainable]
    )
    def test_an_explanation_sums_to_the_score(self, trained, measure):
        _, _, model = trained
        for a in QUERIES:
            for b in ENGLISH[:4]:
                explanation = model.explain(a, b, measure)
                assert np.isclose(explanation.table.sum(), explanation.score, atol=1e-9)
                assert np.isclose(explanation.score, model.compare(a, b, measure).score, atol=1e-5)

    @pytest.mark.parametrize(
        "measure", [name for name in measure_names() if not get_measure(name).is_explainable]
    )
    def test_measure_without_explanation_raises_input_error(self, trained, measure):
        with pytest.raises(InputError, match="cannot be split by words"):
            trained[2].explain("a cat", "the dog", measure)

    @pytest.mark.parametrize("measure", measure_names())
    def test_percentiles_rise_with_the_score(self, trained, measure):
        _, _, model = trained
        percentiles = model.percentile(np.linspace(-1, 2, 50), measure)
        assert np.all(np.diff(percentiles) >= 0)
        assert percentiles.min() >= 0
        assert percentiles.max() <= 100

    def test_empty_and_unknown_texts_have_zero_vectors(self, trained):
        _, _, model = trained
        assert not model.encode(["", "qwerty zxcv"]).any()
        assert model.encode([]).shape == (0, 4)
        for measure in measure_names():
            scores = model.similarity(["", "qwerty"], ["", *ENGLISH], measure)
            assert np.all(np.isfinite(scores))
            assert not scores[0].any()

    def test_added_words_do_not_change_other_vectors(self, trained):
        make, corpus, model = trained
        grown = make().fit(corpus).model_
        before = grown.encode(ENGLISH, "en")
        new = grown.add_words(["a tomcat sleeps", "the tomcat chases a dog"], min_df=2)
        assert new == ["tomcat"]
        assert np.array_equal(grown.encode(ENGLISH, "en"), before)
        for code, language in model.languages.items():
            n = len(language.word_vectors)
            assert np.array_equal(grown.languages[code].word_vectors[:n], language.word_vectors)
        assert grown.encode(["tomcat"], "en").any()
        near, far = (grown.compare("tomcat", other, "latent").score for other in ("cat", "money"))
        assert near > far

    def test_a_language_can_be_added(self, trained):
        make, corpus, model = trained
        grown = make().fit(corpus).model_.add_language("de", PAIRS["de"])
        assert list(grown.languages) == [*model.languages, "de"]
        assert np.array_equal(grown.encode(ENGLISH, "en"), model.encode(ENGLISH, "en"))
        scores = grown.similarity(["the cat sleeps"], ["die Katze schläft", "die Bank verleiht Geld"])
        assert scores[0, 0] > scores[0, 1]

    def test_index_can_be_built_on_the_model(self, trained):
        _, _, model = trained
        index = Index(model)
        index.add(ENGLISH)
        for text in ENGLISH[:4]:
            assert index.search(text, k=1)[0].text == text
