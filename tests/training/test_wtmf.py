"""WTMF: its methods on a small corpus."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import tacit
from tacit import WTMF, TextModel, TextVectorizer
from tacit.errors import InputError, ModelError, NotFittedError
from tacit.factorize import als_reference

SUBJECTS = ["the cat", "a kitten", "my dog", "the puppy", "a bank", "the lender", "rain", "a storm"]
ACTIONS = {
    0: ["sleeps on the sofa", "plays with a ball", "wants food and water", "chases the mouse"],
    4: ["raised the interest rate", "lends money", "closed my account", "charges a fee on loans"],
    6: ["is coming from the west", "brings wind and cold", "will flood the river", "clouds the sky"],
}
TEXTS = [
    f"{subject} {action}"
    for number, subject in enumerate(SUBJECTS)
    for action in ACTIONS[4 if number in (4, 5) else 6 if number > 5 else 0]
]


def train(**parameters) -> WTMF:
    options = {"n_components": 6, "regularization": 0.5, "missing_weight": 0.05, "n_iter": 15} | parameters
    return WTMF(TextVectorizer.paper(min_df=1), **options)


@pytest.fixture(scope="module")
def model() -> WTMF:
    return train().fit(TEXTS)


sentences = st.lists(
    st.sampled_from([*" ".join(TEXTS).split(), "zebra", "DOG", "loan's", "1,000"]), max_size=14
).map(" ".join)


def test_texts_without_common_words_can_be_similar(model):
    same, other = model.similarity(["kitten"], ["puppy", "lender"], "latent")[0]
    assert same > 0.5 > other + 0.3


def test_fit_transform_equals_encode(model):
    fresh = train()
    vectors = fresh.fit_transform(TEXTS)
    assert np.array_equal(vectors, fresh.encode(TEXTS))
    assert np.array_equal(vectors, fresh.transform(TEXTS))
    assert np.array_equal(fresh.word_vectors_, model.word_vectors_)
    X = model.vectorizer_.transform(TEXTS).toarray().astype(float)
    expected = als_reference.solve(X, model.word_vectors_.astype(float), 0.05, 0.5)
    np.testing.assert_allclose(vectors, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("n_threads", [2, 4])
def test_threads_do_not_change_bits(model, n_threads):
    other = train(n_threads=n_threads).fit(TEXTS)
    assert np.array_equal(other.word_vectors_, model.word_vectors_)
    assert other.loss_ == model.loss_


def test_the_loss_is_reported_and_falls():
    calls = []
    model = train(callback=lambda sweep, loss: calls.append((sweep, loss))).fit(TEXTS)
    assert [loss for _, loss in calls] == model.loss_
    assert [sweep for sweep, _ in calls] == list(range(1, 16))
    assert all(b <= a * (1 + 1e-6) for a, b in zip(model.loss_, model.loss_[1:], strict=False))


@settings(max_examples=60)
@given(texts=st.lists(sentences, min_size=1, max_size=20), seed=st.integers(0, 99))
def test_vectors_do_not_depend_on_batch_or_order(model, texts, seed):
    order = np.random.default_rng(seed).permutation(len(texts))
    batch = model.encode(texts)
    assert np.array_equal(model.encode([texts[i] for i in order]), batch[order])
    assert np.array_equal(model.encode(texts[:1])[0], batch[0])


@settings(max_examples=100)
@given(a=sentences, b=sentences)
def test_an_explanation_sums_to_the_cosine(model, a, b):
    explanation = model.explain(a, b, "latent")
    cosine = model.similarity([a], [b], "latent")[0, 0]
    assert explanation.score == pytest.approx(cosine, abs=1e-5)
    assert explanation.table.sum() == pytest.approx(explanation.score, abs=1e-9)
    assert explanation.table.shape == (len(explanation.words_a), len(explanation.words_b))
    assert model.similarity_pairwise([a], [b], "latent")[0] == pytest.approx(cosine, abs=1e-6)
    assert -1 <= cosine <= 1


def test_the_top_of_an_explanation(model):
    top = model.explain("the kitten sleeps", "my puppy sleeps").top(2)
    assert len(top) == 2
    assert abs(top[0][2]) >= abs(top[1][2])


def test_empty_and_unknown_texts_are_zero_and_reported(model, caplog):
    with caplog.at_level(logging.WARNING, logger="tacit"):
        vectors = model.encode(["", "zebra giraffe", "a cat"])
    assert "2 of 3 texts have no known word" in caplog.text
    assert not vectors[:2].any()
    assert vectors[2].any()
    assert model.similarity(["zebra"], ["zebra"], "latent")[0, 0] == 0
    assert model.explain("zebra", "cat", "latent").score == 0
    assert model.unsaid("zebra") == []
    assert model.encode([]).shape == (0, 6)


def test_unsaid_words_are_about_the_text_and_not_in_it(model):
    words = [word for word, _ in model.unsaid("the bank raised the rate", 5)]
    assert len(words) == 5
    assert not {"bank", "raised", "rate", "the"} & set(words)
    assert {"interest", "money", "lender", "fee", "loans", "account", "lends"} & set(words)


def test_nearest_words(model):
    neighbors = model.nearest_words("kitten", k=8)
    assert "kitten" not in dict(neighbors)
    assert [score for _, score in neighbors] == sorted((score for _, score in neighbors), reverse=True)
    scores = dict(model.nearest_words("lender", k=50))
    assert scores["bank"] > scores["sofa"]
    frequent = model.nearest_words("kitten", k=50, min_df=5)
    assert 0 < len(frequent) < 50
    assert all(
        model.vectorizer_.words_.df[model.vectorizer_.vocabulary_[model.vectorizer_.normalize_word(w)]] >= 5
        for w, _ in frequent
    )
    with pytest.raises(InputError, match=r"does not know the word 'kiten'.*kitten"):
        model.nearest_words("kiten")
    with pytest.raises(InputError, match="2 words"):
        model.nearest_words("the cat")
    with pytest.raises(InputError, match="k=0"):
        model.nearest_words("cat", k=0)


def test_added_words_get_vectors_and_others_stay():
    model = train().fit(TEXTS)
    before_texts, before_words = model.encode(TEXTS), model.word_vectors_.copy()
    cats = ["the tomcat sleeps on the sofa", "a tomcat chases the mouse", "tomcat wants food"]
    new = [*cats, "mortgage loans", "a mortgage fee", "the bank and the mortgage"]
    assert sorted(model.add_words(new)) == ["mortgage", "tomcat"]
    assert np.array_equal(model.encode(TEXTS), before_texts)
    assert np.array_equal(model.word_vectors_[: len(before_words)], before_words)
    tomcat_cat, tomcat_bank = model.similarity(["tomcat"], ["kitten", "bank"], "latent")[0]
    assert tomcat_cat > tomcat_bank + 0.3
    mortgage_cat, mortgage_bank = model.similarity(["mortgage"], ["kitten", "bank"], "latent")[0]
    assert mortgage_bank > mortgage_cat + 0.3
    assert model.add_words(new) == []
    assert model.explain("tomcat", "kitten", "latent").score == pytest.approx(tomcat_cat, abs=1e-5)


def test_added_words_are_one_closed_form_half_sweep():
    """With the texts' vectors fixed, training texts (as all zero rows) and new ones: equation 4 for words."""
    model = train().fit(TEXTS)
    Q_train = model.encode(TEXTS).astype(float)
    new = ["the tomcat sleeps", "tomcat food", "a dog"]
    Q_new = model.encode(new).astype(float)
    [word] = model.add_words(new, min_df=2)
    assert word == "tomcat"
    weight = np.log((len(TEXTS) + len(new)) / 2)
    column = np.concatenate([np.zeros(len(TEXTS)), [weight, weight, 0.0]])
    expected = als_reference.solve(column[None, :], np.vstack([Q_train, Q_new]), 0.05, 0.5)[0]
    np.testing.assert_allclose(model.word_vectors_[-1], expected, rtol=1e-4, atol=1e-6)


def test_save_and_load_keep_every_bit(model, tmp_path):
    model.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model")
    assert isinstance(loaded, TextModel)
    assert np.array_equal(loaded.encode(TEXTS), model.encode(TEXTS))
    assert loaded.unsaid("the bank") == model.unsaid("the bank")
    assert loaded.nearest_words("cat") == model.nearest_words("cat")
    assert loaded.provenance == model.provenance
    assert loaded.provenance["loss"] == model.loss_
    assert loaded.add_words(["a tomcat", "the tomcat"]) == ["tomcat"]
    loaded.save(tmp_path / "grown")
    grown = tacit.load(tmp_path / "grown")
    assert np.array_equal(grown.encode(["tomcat", *TEXTS]), loaded.encode(["tomcat", *TEXTS]))


def test_custom_tokenizer_is_needed_to_load(tmp_path):
    model = WTMF(TextVectorizer(tokenizer=str.split, min_df=1), n_components=2, regularization=1.0).fit(TEXTS)
    model.save(tmp_path / "model")
    with pytest.raises(InputError, match="tokenizer="):
        tacit.load(tmp_path / "model")
    assert np.array_equal(
        tacit.load(tmp_path / "model", tokenizer=str.split).encode(TEXTS), model.encode(TEXTS)
    )


def change_parameters(stored, **changes):
    language = stored.parameters["languages"]["en"]
    return {**stored.parameters, "languages": {"en": {**language, **changes}}}


def test_inconsistent_model_folder_is_rejected(model, tmp_path):
    from dataclasses import replace

    from tacit.storage import read_model

    model.save(tmp_path / "model")
    stored = read_model(tmp_path / "model")
    for wrong in (
        replace(stored, vocabulary=stored.vocabulary[:-1]),
        replace(stored, arrays={**stored.arrays, "en.text_gram": stored.arrays["en.text_gram"][:2]}),
        replace(stored, arrays={"en.word_vectors": stored.arrays["en.word_vectors"]}),
        replace(stored, parameters=change_parameters(stored, trained_words=10**6)),
        replace(stored, parameters=change_parameters(stored, vectorizer={"colour": "red"})),
        replace(stored, parameters=change_parameters(stored, missing_weight=7)),
    ):
        with pytest.raises(ModelError, match="train"):
            TextModel.from_stored(wrong)


def test_works_in_scikit_learn_pipelines(model):
    assert clone(model).get_params()["n_components"] == 6
    assert repr(WTMF(n_iter=5)) == "WTMF(n_iter=5)"
    labels = ["bank" in text or "lender" in text for text in TEXTS]
    pipeline = make_pipeline(train(), LogisticRegression()).fit(TEXTS, labels)
    assert pipeline.predict(["money and a fee", "a ball for my dog"]).tolist() == [True, False]
    assert pipeline.set_params(wtmf__vectorizer__min_df=2).named_steps["wtmf"].vectorizer.min_df == 2


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "empty"),
        (["", "..."], "no tokens found in 2 texts"),
        ("a string", r"\[text\]"),
    ],
)
def test_texts_without_tokens_raise_input_error(texts, message):
    with pytest.raises(InputError, match=message):
        WTMF().fit(texts)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["one text only"], "give more texts, or lower min_df"),
        (["same words", "same words"], "every word is in every text"),
        (["a cat", "a dog", "the cat", "the dog"], r"regularization=20 is too strong .* less than 1\.4"),
    ],
)
def test_paper_settings_reject_too_few_texts(texts, message):
    with pytest.raises(InputError, match=message):
        WTMF.paper().fit(texts)


@pytest.mark.parametrize(
    "texts",
    [["one text only"], ["a cat", "a dog"], ["same words"] * 9, ["x"], TEXTS[:20], ["", "", "a cat sat"],
     [f"unique{n}" for n in range(500)], ["short", *TEXTS, "long document " * 5000],
     ["猫は眠る", "銀行", "🙂 🙂"]],
)  # fmt: skip
def test_default_settings_train_on_any_collection(texts):
    model = WTMF().fit(texts)
    vectors = model.encode(texts)
    assert np.all(np.isfinite(vectors))
    known = [number for number, text in enumerate(texts) if text]
    assert vectors[known].any(axis=1).all()
    assert model.compare(texts[known[0]], texts[known[0]]).score == pytest.approx(1, abs=1e-5)
    assert set(model.provenance["auto"]) == {"n_components", "missing_weight", "regularization", "n_iter"}


def test_not_fitted_and_uneven_pairs(model):
    for ask in (lambda m: m.encode(["a"]), lambda m: m.nearest_words("a"), lambda m: m.save("nowhere")):
        with pytest.raises(NotFittedError, match="call fit"):
            ask(WTMF())
    with pytest.raises(InputError, match="2 and 1 texts"):
        model.similarity_pairwise(["a", "b"], ["c"])


def test_a_failed_fit_keeps_the_earlier_model():
    model = train().fit(TEXTS)
    before = model.encode(TEXTS)
    with pytest.raises(InputError):
        model.fit([])
    assert np.array_equal(model.encode(TEXTS), before)
