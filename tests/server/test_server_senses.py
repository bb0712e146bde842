"""The service with a sense model."""

from __future__ import annotations

import pytest

from helpers.services import error_message, running_service
from tacit import SenseModel
from tacit.server.served_collection import ServedCollection, load_collection

MONEY = ["the bank lent money to the firm", "money from the bank and interest on a loan"] * 20
RIVER = ["the bank of the river is steep and green", "water on the green bank of a river"] * 20


@pytest.fixture(scope="module")
def senses():
    model = SenseModel(n_components=2, n_clusters=4, n_iter=20, max_df=1.0)
    return model.fit(MONEY + RIVER)


@pytest.fixture(scope="module")
def knowing(senses, served_model):
    with running_service(ServedCollection("senses", served_model, senses=senses)) as service:
        yield service


def test_the_senses_of_a_word(knowing, senses):
    assert "senses" in knowing.get("/about").json()["abilities"]
    answer = knowing.post("/senses", {"word": "bank"}).json()
    assert [found["words"] for found in answer["senses"]] == [one.words for one in senses.senses("bank")]
    assert answer["here"] is None


def test_the_sense_in_a_text(knowing, senses):
    text = "they lent money at the bank"
    answer = knowing.post("/senses", {"word": "bank", "text": text}).json()
    assert answer["here"] == senses.disambiguate("bank", text).to_dict()


@pytest.mark.parametrize(
    "question", [{"word": "xylophone"}, {"word": "two words"}, {"word": "bank", "text": "no such word"}]
)
def test_unknown_words_give_422(knowing, question):
    answer = knowing.post("/senses", question)
    assert answer.status_code == 422
    assert error_message(answer)


def test_a_folder_of_senses_is_loaded(senses, tmp_path):
    senses.save(tmp_path / "senses")
    assert load_collection(senses=str(tmp_path / "senses")).capabilities() == ["senses"]
