"""Models of several languages by both trainers: encoding, additions, bits, explanations, storage, errors."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import tacit
from helpers.language_models import ENGLISH, PAIRS, bilingual, pivot, vectorizer
from tacit import WTMF, BilingualWMF, InputError, ModelError, TextModel, TextVectorizer
from tacit.factorize import als_reference as reference
from tacit.factorize.als_reference import solve
from tacit.models.incremental import MISSING_WEIGHT_DIVISOR
from tacit.models.measures import measure_names

SPANISH = [es for _, es in PAIRS["es"]]
GERMAN = [de for _, de in PAIRS["de"]]


@pytest.fixture(scope="module")
def extended_model() -> TextModel:
    return pivot().add_language("es", PAIRS["es"]).add_language("de", PAIRS["de"])


@pytest.fixture(scope="module")
def trained_model() -> TextModel:
    return bilingual()


@pytest.fixture(params=["extended_model", "trained_model"])
def model(request):
    return request.getfixturevalue(request.param)


def dense_rows(vectorizer: TextVectorizer, texts: list[str]) -> np.ndarray:
    return vectorizer.transform(texts).toarray().astype(float)


def test_bilingual_training_solves_its_equations(trained_model):
    rows = [(en, es, None) for en, es in PAIRS["es"]] + [(en, None, de) for en, de in PAIRS["de"]]
    rows += [(text, None, None) for text in ENGLISH]
    has = np.array([[text is not None for text in row] for row in rows])
    languages = list(trained_model.languages.values())
    X = [
        dense_rows(language.vectorizer, [row[number] or "" for row in rows])
        for number, language in enumerate(languages)
    ]
    rng = np.random.default_rng(0)
    P = [rng.standard_normal((x.shape[1], 4)).astype(np.float32).astype(float) for x in X]
    for _ in range(20):
        Q = reference.solve_texts(X, has, P, 0.1, 0.5)
        P = [reference.solve_words(x, has[:, n], Q, 0.1, 0.5) for n, x in enumerate(X)]
    for language, expected in zip(languages, P, strict=True):
        assert np.allclose(language.word_vectors, expected, atol=1e-3)
    assert np.isclose(
        trained_model.provenance["loss"][-1], reference.multilingual_loss(X, has, P, Q, 0.1, 0.5), rtol=1e-4
    )


def test_text_is_encoded_by_its_own_language_alone(model):
    for code, texts in (("en", ENGLISH), ("es", SPANISH), ("de", GERMAN)):
        language = model.languages[code]
        trained_vectors = language.word_vectors[: language.n_trained_words].astype(float)
        X = dense_rows(language.vectorizer, texts)[:, : language.n_trained_words]
        assert np.allclose(model.encode(texts, code), solve(X, trained_vectors, 0.1, 0.5), atol=1e-4)


def test_text_regularization_changes_texts_but_not_words(extended_model, tmp_path):
    strong = pivot(text_regularization=2.0).add_language("es", PAIRS["es"])
    for code, texts in (("en", ENGLISH), ("es", SPANISH)):
        language = strong.languages[code]
        assert (language.word_vectors == extended_model.languages[code].word_vectors).all()
        trained_vectors = language.word_vectors[: language.n_trained_words].astype(float)
        X = dense_rows(language.vectorizer, texts)[:, : language.n_trained_words]
        assert np.allclose(strong.encode(texts, code), solve(X, trained_vectors, 0.1, 2.0), atol=1e-4)
    strong.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model")
    assert loaded.pivot.text_regularization == 2.0
    assert (loaded.encode(SPANISH, "es") == strong.encode(SPANISH, "es")).all()
    why = strong.explain("the dog", "el perro", "blend", "en", "es")
    assert np.isclose(why.score, strong.similarity(["the dog"], ["el perro"], "blend", "en", "es")[0, 0])


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), "much", True])
def test_invalid_text_regularization_is_an_error(value):
    with pytest.raises(InputError, match=r"text_regularization=.*: expected a number above 0"):
        pivot(text_regularization=value)


def test_added_language_solves_its_equations(extended_model):
    english, spanish = extended_model.languages["en"], extended_model.languages["es"]
    X = dense_rows(english.vectorizer, [en for en, _ in PAIRS["es"]])
    Q = solve(X, english.word_vectors.astype(float), 0.1, 0.5)
    Y = dense_rows(spanish.vectorizer, SPANISH)[:, : spanish.n_trained_words]
    expected = solve(Y.T, Q, 0.1 / MISSING_WEIGHT_DIVISOR, 0.5)
    assert np.allclose(spanish.word_vectors[: spanish.n_trained_words], expected, atol=1e-4)


def test_order_of_additions_does_not_matter(extended_model):
    other = pivot().add_language("de", PAIRS["de"]).add_language("es", PAIRS["es"])
    for code in ("en", "es", "de"):
        one, two = extended_model.languages[code], other.languages[code]
        assert np.array_equal(one.word_vectors, two.word_vectors)
        assert np.array_equal(one.lexicon.data, two.lexicon.data)
    for measure in measure_names():
        pairs = (ENGLISH[:4], SPANISH[:4], measure, "en", "es")
        assert np.array_equal(extended_model.similarity_pairwise(*pairs), other.similarity_pairwise(*pairs))


def test_adding_a_language_keeps_the_pivots_bits(extended_model):
    settings = {"n_components": 4, "missing_weight": 0.1, "regularization": 0.5, "n_iter": 20}
    alone = WTMF(vectorizer(), **settings).fit(ENGLISH)
    before = alone.encode(ENGLISH)
    model = alone.model_.add_language("es", PAIRS["es"])
    assert np.array_equal(alone.encode(ENGLISH), before)
    assert np.array_equal(model.encode(ENGLISH, "en"), before)
    assert np.array_equal(model.encode(SPANISH, "es"), extended_model.encode(SPANISH, "es"))


def test_bits_do_not_depend_on_threads_or_other_texts(model):
    texts = [*ENGLISH, *SPANISH]
    codes = ["en"] * len(ENGLISH) + ["es"] * len(SPANISH)
    together = model.encode(texts, codes)
    for number, (text, code) in enumerate(zip(texts, codes, strict=True)):
        assert np.array_equal(model.encode([text], code)[0], together[number])
    model.n_threads = 3
    assert np.array_equal(model.encode(texts, codes), together)
    model.n_threads = None


def test_language_of_training_texts_is_detected(model):
    assert model.detect([*ENGLISH[:8], *SPANISH, *GERMAN]) == ["en"] * 8 + ["es"] * 7 + ["de"] * 4
    assert np.array_equal(model.encode(SPANISH), model.encode(SPANISH, "es"))
    assert np.array_equal(
        model.encode([ENGLISH[0], SPANISH[0]], [None, "es"]), model.encode([ENGLISH[0], SPANISH[0]])
    )


def test_translation_is_the_nearest_text(model):
    for measure in ("latent", "matching", "blend"):
        scores = model.similarity([en for en, _ in PAIRS["es"]], SPANISH, measure)
        right = np.count_nonzero(scores.argmax(axis=1) == np.arange(len(SPANISH)))
        assert right >= len(SPANISH) - (measure == "latent")
        assert scores.min() >= (-1 if measure == "latent" else 0)
        assert scores.max() <= 1 + 1e-6


def test_languages_without_common_pairs_are_compared(model):
    scores = model.similarity(["el gato duerme", "el banco presta dinero"], GERMAN, "blend", "es", "de")
    assert scores.argmax(axis=1).tolist() == [0, 3]


@pytest.mark.parametrize("measure", ["latent", "alignment", "matching", "blend"])
@pytest.mark.parametrize("pair", [("the cat sleeps", "el gato duerme bien"), ("el perro", "der Hund jagt"),
                                  ("money 2012", "dinero 2012"), ("bank", "gato")])  # fmt: skip
def test_explanation_sums_to_score(model, measure, pair):
    why = model.explain(*pair, measure)
    assert np.isclose(why.table.sum(), why.score)
    assert np.isclose(why.score, model.similarity_pairwise([pair[0]], [pair[1]], measure)[0], atol=1e-5)
    assert why.table.shape == (len(why.words_a), len(why.words_b))
    if measure == "blend":
        assert list(why.parts) == ["latent", "matching"]


def test_explanation_shows_matched_words(extended_model):
    why = extended_model.explain("the dog chases a cat", "el gato persigue al perro", "matching", "en", "es")
    assert {("cat", "gato"), ("dog", "perro")} <= {pair[:2] for pair in why.top(6)}


def test_numbers_and_names_match_by_spelling(extended_model):
    same, other = extended_model.similarity_pairwise(
        ["in 2012", "in 2012"], ["en 2012", "en 2013"], "matching", "en", "es"
    )
    assert same > other
    language = extended_model.languages["es"]
    assert (
        "zubrowk" in language.vectorizer.words_.column_of
    )  # borrowed from the pivot, under its Spanish stem
    assert extended_model.encode(["Zubrowka"], "es").any()


def test_name_is_unknown_without_borrowing():
    model = pivot().add_language("es", PAIRS["es"], borrow=False)
    assert not model.encode(["Zubrowka"], "es").any()


def test_translations_and_unsaid_words(model):
    assert "gato" in [word for word, _ in model.translations("cat", "en", 3, to="es")]
    assert "cat" in [word for word, _ in model.translations("gato", "es", 3, to="en")]
    assert model.nearest_words("gato", 2, language="es")
    unsaid_words = {word for word, _ in model.unsaid("the bank", 5, "en")}
    assert "bank" not in unsaid_words
    assert model.unsaid("el banco", 3, "es", to="en")
    assert model.unsaid("qwerty", 3, "en") == []


def test_translations_need_a_language_if_there_are_several(model):
    with pytest.raises(InputError, match=r"the language to translate.*es, de"):
        model.translations("cat", "en")


def test_percentiles_rise_with_the_score(model):
    low, high = model.percentile([0.0, 0.99], "blend", "en", "es")
    assert 0 <= low < high <= 100


def test_saved_model_is_loaded_unchanged(model, tmp_path):
    model.save(tmp_path / "model")
    again = tacit.load(tmp_path / "model")
    assert isinstance(again, TextModel)
    assert again.provenance == model.provenance
    for code, texts in (("en", ENGLISH), ("es", [*SPANISH, "Zubrowka"]), ("de", GERMAN)):
        assert np.array_equal(again.encode(texts, code), model.encode(texts, code))
    for measure in measure_names():
        actual, expected = (
            each.similarity_pairwise(ENGLISH[:7], SPANISH, measure, "en", "es") for each in (again, model)
        )
        assert np.array_equal(actual, expected)
        assert np.array_equal(
            again.percentile(actual, measure, "de"), model.percentile(actual, measure, "de")
        )
    assert again.detect(SPANISH) == ["es"] * len(SPANISH)


def test_language_is_added_to_a_loaded_model(extended_model, tmp_path):
    first = pivot().add_language("es", PAIRS["es"])
    first.save(tmp_path / "model")
    again = tacit.load(tmp_path / "model").add_language("de", PAIRS["de"])
    assert np.array_equal(again.encode(GERMAN, "de"), extended_model.encode(GERMAN, "de"))
    again.save(tmp_path / "model")
    assert list(tacit.load(tmp_path / "model").languages) == ["en", "es", "de"]


def test_damaged_lexicon_is_an_error(extended_model, tmp_path):
    from tacit.storage import read_model, write_model

    extended_model.save(tmp_path / "model")
    stored = read_model(tmp_path / "model")
    words = stored.arrays["es.lexicon_words"].copy()
    words[0] = 10_000
    stored.arrays["es.lexicon_words"] = words
    write_model(tmp_path / "bad", stored, "")
    with pytest.raises(ModelError, match=r"array 'es\.lexicon_words' holds 10000"):
        tacit.load(tmp_path / "bad")


def test_text_without_known_word_is_zero_with_a_warning(model, caplog):
    with caplog.at_level(logging.WARNING):
        assert not model.encode(["qwerty", ""], "es").any()
    assert "2 of 2 texts have no known word" in caplog.text
    assert model.similarity(["qwerty"], ["el gato"]).tolist() == [[0.0]]
    assert model.encode([]).shape == (0, 4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.encode(["x"], "fr"), "no language 'fr': it has en, es, de; add it with add_language"),
        (lambda m: m.encode(["x"], ["en", "es"]), "2 languages for 1 text"),
        (lambda m: m.encode("x", "en"), "got a single text"),
        (lambda m: m.similarity(["x"], ["y"], "matchin"), "did you mean matching"),
        (lambda m: m.similarity_pairwise(["x"], []), "1 and 0 texts"),
        (lambda m: m.add_language("es", PAIRS["es"]), "has the language 'es' already"),
        (
            lambda m: m.add_language("spanish", PAIRS["es"]),
            "'spanish' is not a language code",
        ),
        (lambda m: m.add_language("fr", []), "no pairs to learn 'fr' from"),
        (lambda m: m.add_language("fr", [("a", "b"), ("a", " ")]), "row 2 holds ' '.*leave the pair out"),
        (lambda m: m.add_language("fr", [("a",)]), "row 1 is .* 2 texts"),
        (
            lambda m: m.nearest_words("gatto", language="es"),
            "does not know the word 'gatto'.*did you mean .*gato",
        ),
        (lambda m: m.unsaid("the cat", 0, "en"), "k=0"),
    ],
)
def test_invalid_arguments_are_errors(model, call, message):
    before = list(model.languages)
    with pytest.raises(InputError, match=message):
        call(model)
    assert list(model.languages) == before


@pytest.mark.parametrize(
    ("languages", "rows", "message"),
    [
        (["en"], [("a",)], "at least 2"),
        ("en", [("a",)], "languages='en'"),
        (["en", "en"], [("a", "b")], "given twice"),
        (["en", "es"], [("a", "b", "c")], "row 1 is"),
        (["en", "es"], [("a", "b"), ("a", "")], "row 2 holds ''.*None for a language"),
        (["en", "es"], [("a", None)], "no row has a text of 'es'"),
    ],
)
def test_invalid_rows_are_errors(languages, rows, message):
    with pytest.raises(InputError, match=message):
        BilingualWMF(languages, TextVectorizer(min_df=1)).fit(rows)


def test_language_without_stemmer_can_be_added():
    pairs = [("the cat sleeps", "猫は眠る"), ("the bank lends money", "銀行はお金を貸す")]
    model = pivot().add_language("ja", pairs)
    scores = model.similarity(["cat"], ["猫は眠る", "銀行"], language_b="ja")
    assert scores[0, 0] > scores[0, 1]


def test_parameters_follow_scikit_learn():
    from sklearn.base import clone

    model = BilingualWMF(["en", "es"], n_components=7, n_threads=2)
    assert clone(model).get_params()["n_components"] == 7
    assert clone(WTMF(TextVectorizer(min_df=9))).get_params()["vectorizer__min_df"] == 9
