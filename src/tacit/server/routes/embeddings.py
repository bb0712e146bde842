"""Vectors of texts and the list of models, in OpenAI's form."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import orjson
from fastapi import APIRouter
from starlette.responses import Response

from tacit.server import openai_schemas as schemas
from tacit.server.refusals import RefusedError
from tacit.server.service import REFUSALS, Here

router = APIRouter(responses=REFUSALS, tags=["OpenAI's form"])

_READING = 200  # what a text costs beside its characters


@router.post("/v1/embeddings", response_model=schemas.EmbeddingsAnswer)
async def embeddings(question: schemas.EmbeddingsQuestion, service: Here) -> Response:
    """A vector for each text, of length 1: the scalar product of two is their cosine.

    A text without a known word has a zero vector, whose product with any other is 0; with `normalize: false`
    vectors have the lengths that the model gives them. `dimensions` below the model's own gives so many
    coordinates along the principal axes of its words, those of most weight first, again at length 1: the
    first 10 of 50 are the 10 one gets by asking for 10, up to their length. The model's own number, or none,
    gives the model's own coordinates, which are in no order.

    `model` is the name of a collection; any other is the default one, and the answer says which it was.
    """
    models = await service.model(question.model, question.collection)
    models.need("compare")
    texts = [question.input] if isinstance(question.input, str) else question.input
    service.check_count(len(texts))
    models.texts.check_languages(question.language)
    own = models.texts.model.n_components
    if question.dimensions is not None and question.dimensions > own:
        raise RefusedError(422, f"dimensions: {question.dimensions}, and the model has {own}: ask for fewer")
    options = (question.normalize is not False, None if question.dimensions == own else question.dimensions)
    items = [(text, question.language) for text in texts]
    costs = [_READING + len(text) for text in texts]
    found = await service.ask(models.texts.encode, items, *options, costs=costs)
    words = sum(count for _, count in found)
    answer = {
        "object": "list",
        "data": [
            {"object": "embedding", "index": number, "embedding": _written(vector, question)}
            for number, (vector, _) in enumerate(found)
        ],
        "model": models.name,
        "usage": {"prompt_tokens": words, "total_tokens": words},
    }
    # floats of 32 bits with no more digits than they need, a hundred times as fast as one by one
    return Response(orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY), media_type="application/json")


@router.get("/v1/models", response_model=schemas.ModelsAnswer)
async def models(service: Here) -> dict[str, Any]:
    """The models that are served, one for each collection."""
    return {"object": "list", "data": [_described(name) for name in service.library.names()]}


@router.get("/v1/models/{name}", response_model=schemas.ModelAnswer)
async def model(name: str, service: Here) -> dict[str, Any]:
    """One of the models."""
    if name not in service.library.names():
        raise RefusedError(404, f"there is no model {name[:80]!r}: GET /v1/models lists those there are")
    return _described(name)


def _described(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tacit"}


def _written(vector: Any, question: schemas.EmbeddingsQuestion) -> Any:
    if question.encoding_format == "base64":
        return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
    return np.ascontiguousarray(vector, np.float32)
