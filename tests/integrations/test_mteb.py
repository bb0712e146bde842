"""The encoder of MTEB: its protocol without torch, and a task where MTEB is installed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tacit
from tacit.integrations.mteb import TacitEncoder, main

TEXTS = ["my card was declined", "card payment failed", "where is my parcel", "the parcel is late"]


@pytest.fixture(scope="module")
def model():
    return tacit.learn(TEXTS).model


def test_batches_become_one_matrix_of_vectors(model):
    encoder = TacitEncoder(model)
    batches = [{"text": TEXTS[:3]}, {"text": TEXTS[3:]}]
    vectors = encoder.encode(batches, task_metadata=None, hf_split="test", hf_subset="default")
    np.testing.assert_array_equal(vectors, model.encode(TEXTS))


def test_similarities_are_the_cosines_of_the_model(model):
    encoder, vectors = TacitEncoder(model), model.encode(TEXTS)
    expected = model.similarity(TEXTS, TEXTS, "latent")
    np.testing.assert_allclose(encoder.similarity(vectors, vectors), expected, atol=1e-6)
    pairs = encoder.similarity_pairwise(vectors, vectors[::-1])
    np.testing.assert_allclose(pairs, np.diag(expected[:, ::-1]), atol=1e-6)


@pytest.mark.filterwarnings("ignore:The task .* is superseded")
def test_task_runs_on_a_local_folder(model, tmp_path):
    pytest.importorskip("mteb", reason="MTEB needs torch and is not in the development environment")
    model.save(tmp_path / "model")
    rows = [
        {"sentence1": a, "sentence2": b, "score": float(5 * (i == j))}
        for i, a in enumerate(TEXTS)
        for j, b in enumerate(TEXTS)
    ]
    data = tmp_path / "data"
    data.mkdir()
    (data / "test.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    output = tmp_path / "results.json"
    main([str(tmp_path / "model"), "STSBenchmark", "--data", str(data), "-o", str(output)])
    (result,) = json.loads(output.read_text("utf-8"))
    (scores,) = result["scores"]["test"]
    cosines = [model.compare(row["sentence1"], row["sentence2"], "latent").score for row in rows]
    expected = np.corrcoef(cosines, [row["score"] for row in rows])[0, 1]
    assert scores["cosine_pearson"] == pytest.approx(expected, abs=1e-3)
