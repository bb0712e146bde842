"""The service with a multilingual model."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.services import error_message, running_service
from tacit import TextVectorizer
from tacit.server.served_collection import ServedCollection, load_collection

bilingual = pytest.importorskip("tacit.training.bilingual", reason="this tacit has one language yet")

ROWS = [
    ("a cat sleeps", "un gato duerme"),
    ("the kitten sleeps", "el gatito duerme"),
    ("a kitten is a young cat", "un gatito es un gato joven"),
    ("stocks fell", "las acciones cayeron"),
    ("the market fell", "el mercado cayó"),
    ("stocks trade on the market", "las acciones cotizan en el mercado"),
]
PAIR = {"a": "my cat sleeps", "b": "el gato duerme", "language_a": "en", "language_b": "es"}


@pytest.fixture(scope="module")
def polyglot():
    vectorizer = TextVectorizer(min_df=1)
    return bilingual.BilingualWMF(
        ["en", "es"], vectorizer, n_components=3, missing_weight=0.1, regularization=1.0
    ).fit(ROWS)


@pytest.fixture(scope="module")
def speaking(polyglot):
    with running_service(ServedCollection("polyglot", polyglot)) as service:
        yield service


def test_the_languages(speaking):
    assert speaking.get("/about").json()["abilities"] == ["compare", "languages"]
    assert [one["code"] for one in speaking.get("/languages").json()["languages"]] == ["en", "es"]


def test_about_counts_the_words_of_each_language(speaking, polyglot):
    found = speaking.get("/about").json()
    sizes = {code: len(language.word_vectors) for code, language in polyglot.model_.languages.items()}
    assert min(sizes.values()) > 5
    assert found["languages"] == [{"code": code, "words": size} for code, size in sizes.items()]
    assert found["words"] == sum(sizes.values())


def test_texts_of_two_languages_are_compared(speaking, polyglot):
    answer = speaking.post("/similarity", {"pairs": [PAIR, PAIR | {"b": "el mercado cayó"}]}).json()
    expected = polyglot.similarity_pairwise(
        [PAIR["a"]] * 2, [PAIR["b"], "el mercado cayó"], measure="blend", language_a="en", language_b="es"
    )
    assert [one["score"] for one in answer["results"]] == pytest.approx(expected.tolist())
    chances = polyglot.percentile(expected, "blend", "en", "es").tolist()
    assert [one["percentile"] for one in answer["results"]] == pytest.approx(chances)


def test_an_explanation_has_the_detected_languages(speaking):
    answer = speaking.post("/explain", {"a": PAIR["a"], "b": PAIR["b"], "language_b": "ES"}).json()
    assert (answer["language_a"], answer["language_b"]) == ("en", "es")
    assert np.sum(answer["table"]) == pytest.approx(answer["score"], abs=1e-6)


def test_vectors_unsaid_words_and_translations(speaking, polyglot):
    question = {"input": "gatos", "language": "es", "normalize": False}
    vector = speaking.post("/v1/embeddings", question).json()["data"][0]["embedding"]
    assert np.float32(vector).tolist() == polyglot.encode(["gatos"], language="es")[0].tolist()
    assert speaking.post("/unsaid", {"text": "el gato", "language": "es"}).json()["words"]
    found = speaking.post("/translations", {"word": "cat", "language": "en", "to": "es", "k": 2}).json()[
        "words"
    ]
    assert [(one["word"], one["weight"]) for one in found] == polyglot.translations("cat", "en", 2, "es")


def test_a_language_that_the_model_lacks_gives_422(speaking):
    answer = speaking.post("/unsaid", {"text": "le chat", "language": "fr"})
    assert answer.status_code == 422
    assert error_message(answer) == "the model has no language 'fr': it has en, es"


def test_a_folder_of_several_languages_is_loaded(polyglot, tmp_path):
    polyglot.save(tmp_path / "polyglot")
    models = load_collection(model=str(tmp_path / "polyglot"))
    models.warm_up()
    assert models.capabilities() == ["compare", "languages"]
