"""A model as embeddings of LangChain."""

from __future__ import annotations

from pathlib import Path

from langchain_core.embeddings import Embeddings

from tacit.models.text_model import TextModel
from tacit.workflows.file_index import open_model


class TacitEmbeddings(Embeddings):
    """Embeddings of a model, for vector stores and retrievers of LangChain.

    Parameters
    ----------
    model : TextModel or path
        The model; or the folder of a model or an index, or a file of texts to train one on.
    """

    def __init__(self, model: TextModel | str | Path) -> None:
        self.model = model if isinstance(model, TextModel) else open_model(model)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return self.model.encode(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self.embed_documents([text])[0]
