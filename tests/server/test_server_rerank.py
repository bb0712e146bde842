"""Reranking with Cohere's official clients and in TEI's format, and classification."""

from __future__ import annotations

import httpx
import pytest

from helpers.notes import NOTES
from helpers.services import PATIENCE, error_message, running_service
from tacit import TextClassifier
from tacit.server.served_collection import ServedClassifier
from tacit.workflows.loading import load

QUERY = "the card payment was declined"


@pytest.fixture(scope="module")
def ordered(served_model):
    scores = served_model.similarity([QUERY], NOTES)[0].clip(0, 1)
    return [(int(place), float(scores[place])) for place in (-scores).argsort(kind="stable")]


@pytest.fixture
def http():
    with httpx.Client(timeout=PATIENCE, trust_env=False) as client:
        yield client


def test_client_of_coheres_version_1(service, ordered, http):
    cohere = pytest.importorskip("cohere", reason="the dev group brings Cohere's client")
    client = cohere.Client(api_key="any", base_url=service.base, httpx_client=http)
    found = client.rerank(model="notes", query=QUERY, documents=NOTES, top_n=4, return_documents=True)
    assert [(each.index, pytest.approx(each.relevance_score)) for each in found.results] == ordered[:4]
    assert [each.document.text for each in found.results] == [NOTES[place] for place, _ in ordered[:4]]
    objects = [{"title": "Note", "body": note} for note in NOTES]
    again = client.rerank(model="x", query=QUERY, documents=objects, rank_fields=["body"])
    assert [each.index for each in again.results] == [place for place, _ in ordered]
    assert again.results[0].document is None


def test_client_of_coheres_version_2(service, ordered, http):
    cohere = pytest.importorskip("cohere", reason="the dev group brings Cohere's client")
    client = cohere.ClientV2(api_key="any", base_url=service.base, httpx_client=http)
    found = client.rerank(model="notes", query=QUERY, documents=NOTES, top_n=3)
    assert [(each.index, pytest.approx(each.relevance_score)) for each in found.results] == ordered[:3]
    with pytest.raises(cohere.UnprocessableEntityError, match="documents"):
        client.rerank(model="notes", query=QUERY, documents=[])


def test_format_of_text_embeddings_inference(service, ordered):
    answer = service.post("/rerank", {"query": QUERY, "texts": NOTES, "raw_scores": False}).json()
    assert [(each["index"], pytest.approx(each["score"])) for each in answer] == ordered
    assert "text" not in answer[0]
    answer = service.post("/rerank", {"query": QUERY, "texts": NOTES, "return_text": True, "truncate": True})
    assert answer.json()[0]["text"] == NOTES[ordered[0][0]]


def test_a_document_without_the_field_gives_422(service):
    answer = service.post("/v1/rerank", {"query": "a", "documents": [{"body": "b"}]})
    assert answer.status_code == 422
    assert "no field 'text'; give other names in rank_fields" in error_message(answer)


@pytest.fixture(scope="module")
def classifier():
    labels = ["card"] * 5 + ["password"] * 5 + ["parcel"] * 5
    return TextClassifier(lambda_=0.5, C=1.0).fit(NOTES, labels)


def test_texts_are_classified_by_a_saved_classifier(models, classifier, tmp_path):
    classifier.save(tmp_path / "topics")
    loaded = ServedClassifier(load(tmp_path / "topics", "classifier"))
    with running_service(
        models, classifiers={"topics": loaded, "same": ServedClassifier(classifier)}
    ) as service:
        assert service.get("/about").json()["classifiers"] == ["topics", "same"]
        texts = ["I lost the password", "the parcel is late"]
        answer = service.post("/classify", {"texts": texts, "classifier": "topics"}).json()
        assert answer["labels"] == list(classifier.predict(texts)) == ["password", "parcel"]
        assert answer["classes"] == ["card", "parcel", "password"]
        expected = classifier.predict_proba(texts)
        assert answer["probabilities"] == [pytest.approx(row, abs=1e-6) for row in expected.tolist()]
        refused = service.post("/classify", {"texts": texts})
        assert (refused.status_code, "there are 'topics', 'same'" in error_message(refused)) == (404, True)


def test_without_a_classifier_the_error_says_how_to_load_one(service):
    answer = service.post("/classify", {"texts": ["a"]})
    assert answer.status_code == 404
    assert "none is loaded; tacit serve --classifier" in error_message(answer)
