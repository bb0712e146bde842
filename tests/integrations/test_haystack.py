"""Embedders of Haystack, in a pipeline with its document store."""

from __future__ import annotations

import numpy as np
import pytest

import tacit

pytest.importorskip("haystack", reason="needs the dependency group integrations")
from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from tacit.integrations.haystack import TacitDocumentEmbedder, TacitTextEmbedder

TEXTS = ["my card was declined", "card payment failed", "where is my parcel", "the parcel is late"]


def test_pipeline_ranks_as_the_cosine_of_the_model(tmp_path) -> None:
    model = tacit.learn(TEXTS).model
    model.save(tmp_path / "model")
    folder = str(tmp_path / "model")
    documents = TacitDocumentEmbedder(folder).run([Document(content=text) for text in TEXTS])["documents"]
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents(documents)
    pipeline = Pipeline()
    pipeline.add_component("embedder", TacitTextEmbedder(folder))
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    restored = Pipeline.loads(pipeline.dumps(), allowed_modules=["tacit.integrations.haystack"])
    assert restored.get_component("embedder").model == folder
    found = pipeline.run({"embedder": {"text": "late parcel"}})["retriever"]["documents"]
    order = np.argsort(-model.similarity(["late parcel"], TEXTS, "latent")[0], kind="stable")
    assert [document.content for document in found][:2] == [TEXTS[i] for i in order[:2]]
