"""A model as embedders of Haystack, for queries and for documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from haystack import Document, component

from tacit.models.text_model import TextModel
from tacit.workflows.file_index import open_model


class _Embedder:
    """The part that both embedders share: a model that is loaded before the first run.

    Parameters
    ----------
    model : str
        The folder of a model or an index, or a file of texts to train one on.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self._loaded: TextModel | None = None

    def warm_up(self) -> None:
        """Load the model."""
        self._encode([])

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if self._loaded is None:
            self._loaded = open_model(self.model)
        return self._loaded.encode(texts).tolist()


@component
class TacitTextEmbedder(_Embedder):
    """Component that embeds a query."""

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Any]:
        """Return the vector of the text."""
        return {"embedding": self._encode([text])[0]}


@component
class TacitDocumentEmbedder(_Embedder):
    """Component that embeds the content of documents."""

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """Return copies of the documents with their vectors."""
        vectors = self._encode([document.content or "" for document in documents])
        pairs = zip(documents, vectors, strict=True)
        return {"documents": [replace(document, embedding=vector) for document, vector in pairs]}
