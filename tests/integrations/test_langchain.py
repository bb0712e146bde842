"""Embeddings of LangChain, with its own vector store."""

from __future__ import annotations

import numpy as np
import pytest

import tacit

pytest.importorskip("langchain_core", reason="needs the dependency group integrations")
from langchain_core.vectorstores import InMemoryVectorStore

from tacit.integrations.langchain import TacitEmbeddings

TEXTS = ["my card was declined", "card payment failed", "where is my parcel", "the parcel is late"]


def test_vector_store_ranks_as_the_cosine_of_the_model() -> None:
    model = tacit.learn(TEXTS).model
    store = InMemoryVectorStore.from_texts(TEXTS, TacitEmbeddings(model))
    query = "late parcel"
    order = np.argsort(-model.similarity([query], TEXTS, "latent")[0], kind="stable")
    hits = store.similarity_search_with_score(query, k=4)
    assert [document.page_content for document, _ in hits][:2] == [TEXTS[i] for i in order[:2]]


def test_model_folder_gives_the_same_vectors(tmp_path) -> None:
    model = tacit.learn(TEXTS).model
    model.save(tmp_path / "model")
    embeddings = TacitEmbeddings(tmp_path / "model")
    np.testing.assert_array_equal(embeddings.embed_documents(TEXTS), model.encode(TEXTS))
