"""A model as the embedding model of BERTopic: ``BERTopic(embedding_model=TacitBackend(model))``."""

from __future__ import annotations

from typing import Any

from bertopic.backend import BaseEmbedder

from tacit.models.text_model import TextModel
from tacit.types import Array


class TacitBackend(BaseEmbedder):
    """Embedding backend of BERTopic.

    Parameters
    ----------
    model : TextModel
        The model.
    """

    def __init__(self, model: TextModel) -> None:
        super().__init__(embedding_model=model)

    def embed(self, documents: list[str], verbose: bool = False) -> Array:
        """Return a vector for each document."""
        model: Any = self.embedding_model
        return model.encode(documents)
