"""Search over HTTP in collections with outside vectors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.notes import NOTES, notes_model
from helpers.services import error_message, running_service
from helpers.static_models import TextEncoder
from tacit import Index
from tacit.server.served_collection import ServedCollection

QUERY = "courier package"


@pytest.fixture(scope="module")
def given():
    index = Index(notes_model())
    index.add(NOTES, outside_vectors=TextEncoder().encode(NOTES))
    return index


@pytest.fixture(scope="module")
def encoded():
    index = Index(notes_model(), encoder=TextEncoder())
    index.add(NOTES)
    return index


@pytest.fixture(scope="module")
def service(given, encoded):
    collections = ServedCollection("given", None, given), ServedCollection("encoded", None, encoded)
    with running_service(list(collections)) as service:
        yield service


def test_search_with_the_vector_of_the_query(service, given):
    [vector] = TextEncoder().encode([QUERY]).tolist()
    answer = service.post("/search", {"query": QUERY, "k": 3, "outside_vector": vector}).json()
    expected = given.search(QUERY, 3, offset=0, outside_vector=vector)
    assert answer["hits"] == [hit.to_dict() | {"row": hit.row} for hit in expected]
    assert answer["hits"][0]["outside"] > 0.1
    assert "parcel" in answer["hits"][0]["text"]
    without = service.post("/search", {"query": "parcel", "k": 3}).json()["hits"]
    assert without == [hit.to_dict() | {"row": hit.row} for hit in given.search("parcel", 3)]
    assert "outside" not in without[0]


def test_similar_uses_the_vector_of_the_text(service, given, encoded):
    for index, name in ((given, "given"), (encoded, "encoded")):
        answer = service.post("/similar", {"id": "11", "k": 3, "collection": name}).json()
        expected = index.similar("11", 3, offset=0)
        assert answer["hits"] == [hit.to_dict() | {"row": hit.row} for hit in expected]
        assert answer["hits"][0]["outside"] > 0.1


def test_explanation_names_the_part_of_an_encoder(service):
    pair = {"a": QUERY, "b": "where is my parcel", "collection": "encoded"}
    answer = service.post("/explain", pair).json()
    assert answer["outside"] > 0.1
    assert sum(map(sum, answer["table"])) + answer["outside"] == pytest.approx(answer["score"])


@pytest.mark.parametrize(
    ("vector", "problem"),
    [
        ([1.0, 2.0], "of shape (1, 2), not (1, 6)"),
        ([], "at least 1 item"),
        ([1.0] * 10_001, "at most 10000 items"),
        (["1"] * 6, "valid number"),
        ([1e30] * 6, "numbers above 1e18"),
        ("no vector", "valid list"),
    ],
)
def test_wrong_vectors_are_refused(service, vector, problem):
    answer = service.post("/search", {"query": QUERY, "outside_vector": vector})
    assert answer.status_code == 422
    assert problem in error_message(answer)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(service, number):
    body = f'{{"query": "parcel", "outside_vector": [{number}, 1, 1, 1, 1, 1]}}'
    answer = service.send("/search", body.encode())
    assert answer.status_code in (400, 422)
    assert error_message(answer)


def test_a_vector_for_a_collection_without_given_vectors_is_refused(service):
    answer = service.post("/search", {"query": QUERY, "collection": "encoded", "outside_vector": [1.0] * 6})
    assert answer.status_code == 422
    assert "has an encoder" in error_message(answer)


def test_concurrent_requests_with_and_without_vectors(service):
    [vector] = TextEncoder().encode([QUERY]).tolist()
    bodies = [{"query": QUERY, "k": 3}, {"query": QUERY, "k": 3, "outside_vector": vector}] * 10
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda body: service.post("/search", body).json(), bodies))
    assert answers[0] != answers[1]
    assert answers == answers[:2] * 10
