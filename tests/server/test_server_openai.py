"""The official client of OpenAI, pointed at the service."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.notes import NOTES
from tacit.text import tokens
from tacit.text.interning import intern_texts

openai = pytest.importorskip("openai", reason="the dev group brings the openai client")


@pytest.fixture(scope="module")
def client(service):
    with openai.OpenAI(base_url=f"{service.base}/v1", api_key="any", max_retries=0) as client:
        yield client


@pytest.mark.parametrize("options", [{}, {"encoding_format": "float"}, {"encoding_format": "base64"}])
def test_vectors_are_the_models(client, served_model, options):
    answer = client.embeddings.create(model="notes", input=NOTES, **options)
    vectors = [found.embedding for found in answer.data]
    if isinstance(vectors[0], str):  # asked for by name, base64 comes as it is
        import base64

        vectors = [np.frombuffer(base64.b64decode(vector), "<f4") for vector in vectors]
    assert np.array_equal(np.array(vectors, np.float32), served_model.encode(NOTES))
    assert [found.index for found in answer.data] == list(range(len(NOTES)))
    assert answer.model == "notes"
    assert answer.usage.total_tokens == sum(len(text.replace(",", "").split()) for text in NOTES)


@pytest.mark.parametrize("text", ["", "Zürich's 3.5 km, don't!", "卡 支付 🙂 e\u0301", "a-b_c " * 300])
def test_usage_counts_what_the_reference_tokenizer_counts(service, text, monkeypatch):
    expected = len(tokens.tokenize(text))
    monkeypatch.setattr(tokens, "tokenize", None)  # it explains; it is too slow to serve
    usage = service.ask("/v1/embeddings", {"input": [text, "my card"]}).json()["usage"]
    assert usage == {"prompt_tokens": expected + 2, "total_tokens": expected + 2}


def test_texts_are_read_once_for_vectors_and_usage(service, monkeypatch):
    from tacit.models import text_set

    read = []
    monkeypatch.setattr(
        text_set, "intern_texts", lambda texts, *rest: read.append(1) or intern_texts(texts, *rest)
    )
    service.ask("/v1/embeddings", {"input": NOTES})
    assert read == [1]


def test_one_text(client, served_model):
    answer = client.embeddings.create(model="any", input="card", user="someone", dimensions=4)
    assert np.array_equal(np.array([answer.data[0].embedding], np.float32), served_model.encode(["card"]))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"input": [1, 2, 3]}, "token numbers"),
        ({"input": [[1, 2], [3]]}, "token numbers"),
        ({"input": []}, "at least 1 item"),
        ({"input": "card", "dimensions": 3}, "have 4"),
    ],
)
def test_what_cannot_be_done_is_an_error_with_the_reason(client, options, why):
    with pytest.raises(openai.UnprocessableEntityError, match=why):
        client.embeddings.create(model="notes", **options)


def test_models_are_listed(client):
    assert [model.id for model in client.models.list()] == ["notes"]
