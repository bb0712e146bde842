"""The service with OpenAI's official client."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.notes import NOTES
from tacit.compute.cosine import normalize_rows
from tacit.text import tokenizers
from tacit.text.token_ids import tokenize_texts

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
    assert np.array_equal(np.array(vectors, np.float32), normalize_rows(served_model.encode(NOTES)))
    assert [found.index for found in answer.data] == list(range(len(NOTES)))
    assert answer.model == "notes"
    assert answer.usage.total_tokens == sum(len(text.replace(",", "").split()) for text in NOTES)


@pytest.mark.parametrize("text", ["", "Zürich's 3.5 km, don't!", "卡 支付 🙂 e\u0301", "a-b_c " * 300])
def test_usage_counts_what_the_reference_tokenizer_counts(service, text, monkeypatch):
    expected = len(tokenizers.tokenize(text))
    monkeypatch.setattr(tokenizers, "tokenize", None)  # it explains; it is too slow to serve
    usage = service.post("/v1/embeddings", {"input": [text, "my card"]}).json()["usage"]
    assert usage == {"prompt_tokens": expected + 2, "total_tokens": expected + 2}


def test_texts_are_read_once_for_vectors_and_usage(service, monkeypatch):
    from tacit.text import vectorizer_parameters

    read = []
    count_calls = lambda texts, *rest: read.append(1) or tokenize_texts(texts, *rest)  # noqa: E731
    monkeypatch.setattr(vectorizer_parameters, "tokenize_texts", count_calls)
    service.post("/v1/embeddings", {"input": NOTES})
    assert read == [1]


def vectors_of(client, texts, **options):
    answer = client.embeddings.create(model="any", input=texts, **options)
    return np.array([found.embedding for found in answer.data], np.float32)


def test_one_text(client, served_model):
    raw = {"extra_body": {"normalize": False}}
    found = vectors_of(client, "card", user="someone", dimensions=4, **raw)
    assert np.array_equal(found, served_model.encode(["card"]))


def test_vectors_have_length_one_or_zero_for_unknown_words(client):
    found = vectors_of(client, ["card", "my parcel is late", "xylophone", ""])
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 0, 0], abs=1e-6)


def test_fewer_dimensions_are_a_prefix_and_keep_most_variance(client, served_model):
    whole = served_model.encode(NOTES)
    axes = np.linalg.svd(served_model.word_vectors_.astype(np.float64), full_matrices=False)[2]
    for dimensions in (1, 2, 3):
        found = vectors_of(client, NOTES, dimensions=dimensions)
        assert found.shape == (len(NOTES), dimensions)
        expected = normalize_rows((whole @ axes[:dimensions].T).astype(np.float32))
        assert np.abs(found) == pytest.approx(np.abs(expected), abs=1e-4)
    three, two = (vectors_of(client, NOTES, dimensions=n) for n in (3, 2))
    assert normalize_rows(np.ascontiguousarray(three[:, :2])) == pytest.approx(two, abs=1e-5)


def test_a_vector_does_not_depend_on_the_rest_of_the_batch(client):
    together = vectors_of(client, NOTES, dimensions=3)
    alone = np.concatenate([vectors_of(client, note, dimensions=3) for note in NOTES])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"input": [1, 2, 3]}, "token ids"),
        ({"input": [[1, 2], [3]]}, "token ids"),
        ({"input": []}, "at least 1 item"),
        ({"input": "card", "dimensions": 5}, "the model has 4"),
    ],
)
def test_invalid_options_give_an_error_with_the_reason(client, options, why):
    with pytest.raises(openai.UnprocessableEntityError, match=why):
        client.embeddings.create(model="notes", **options)


def test_models_are_listed(client):
    assert [model.id for model in client.models.list()] == ["notes"]
    assert client.models.retrieve("notes").id == "notes"
    with pytest.raises(openai.NotFoundError, match="no model 'other'"):
        client.models.retrieve("other")


def test_null_options_mean_the_defaults(service):
    answer = service.post("/v1/embeddings", {"input": "card", "encoding_format": None, "normalize": None})
    assert isinstance(answer.json()["data"][0]["embedding"], list)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"input": 5}, "input"),
        ({"input": ["card", 5]}, "input.1"),
        ({"input": "x" * 6000}, "input"),
        ({"input": ["card", "x" * 6000]}, "input.1"),
        ({}, "input"),
        ({"input": "card", "dimensions": "many"}, "dimensions"),
        ({"input": "card", "language": 3}, "language"),
    ],
)
def test_errors_name_the_field_as_the_client_wrote_it(service, question, field):
    error = service.post("/v1/embeddings", question).json()["error"]
    assert error["param"] == field
    for part in error["message"].split("; "):
        assert part.startswith(f"{field}: ") or part.partition(":")[0] in ("input", field), part
    assert "constrained" not in error["message"]
    assert "list[" not in error["message"]
