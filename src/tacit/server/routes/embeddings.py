"""Vectors, in the form OpenAI's clients speak."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from fastapi import APIRouter

from tacit.server.desk import REFUSALS, Here
from tacit.server.errors import Json, RefusedError
from tacit.server.schemas import EmbeddingsAnswer, EmbeddingsQuestion

router = APIRouter(responses=REFUSALS, tags=["vectors"])


@router.post("/v1/embeddings", response_model=EmbeddingsAnswer)
async def embeddings(question: EmbeddingsQuestion, desk: Here) -> Json:
    """A vector for each text. A text without a known word has a zero vector.

    `model` may be any name: the answer says which model it was.
    """
    desk.shelf.need("compare")
    texts = [question.input] if isinstance(question.input, str) else question.input
    desk.check_count(len(texts))
    desk.shelf.speak(question.language)
    vectors = await desk.ask(desk.shelf.encode, [(text, question.language) for text in texts])
    if question.dimensions not in (None, len(vectors[0])):
        raise RefusedError(
            422, f"dimensions={question.dimensions}: the model's vectors have {len(vectors[0])}"
        )
    words = sum(await desk.ask(desk.shelf.count_words, texts))
    written = _base64 if question.encoding_format == "base64" else _numbers
    return Json(
        {
            "object": "list",
            "data": [
                {"object": "embedding", "index": number, "embedding": written(vector)}
                for number, vector in enumerate(vectors)
            ],
            "model": desk.shelf.name,
            "usage": {"prompt_tokens": words, "total_tokens": words},
        }
    )


@router.get("/v1/models")
async def models(desk: Here) -> dict[str, Any]:
    """The model that is loaded, as OpenAI's clients list it."""
    desk.shelf.need("compare")
    return {
        "object": "list",
        "data": [{"id": desk.shelf.name, "object": "model", "created": 0, "owned_by": "tacit"}],
    }


def _numbers(vector: Any) -> list[float]:
    return [float(value) for value in vector]


def _base64(vector: Any) -> str:
    return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
