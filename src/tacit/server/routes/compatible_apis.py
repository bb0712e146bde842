"""Embeddings and reranking in the formats of OpenAI, Cohere and text-embeddings-inference."""

from __future__ import annotations

import base64
from enum import Enum
from typing import Any
from uuid import uuid4

import numpy as np
import orjson
from fastapi import APIRouter
from starlette.responses import Response

from tacit.models.measures import DEFAULT_MEASURE
from tacit.server import openai_schemas, rerank_schemas
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.served_collection import ServedCollection
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep
from tacit.server.text_model import Pair, check_work, costs_of

router = APIRouter(responses=ERROR_RESPONSES)

_OPENAI: list[str | Enum] = ["OpenAI's form"]
_RERANK: list[str | Enum] = ["rerank"]
_BASE_COST = 200  # of embedding a text, in addition to its characters


@router.post("/v1/embeddings", response_model=openai_schemas.EmbeddingsAnswer, tags=_OPENAI)
async def embeddings(question: openai_schemas.EmbeddingsQuestion, service: ServiceDep) -> Response:
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
        raise ApiError(422, f"dimensions: {question.dimensions}, and the model has {own}: ask for fewer")
    options = (question.normalize is not False, None if question.dimensions == own else question.dimensions)
    items = [(text, question.language) for text in texts]
    costs = [_BASE_COST + len(text) for text in texts]
    found = await service.ask(models.texts.encode, items, *options, costs=costs)
    words = sum(count for _, count in found)
    answer = {
        "object": "list",
        "data": [
            {"object": "embedding", "index": number, "embedding": _encode_vector(vector, question)}
            for number, (vector, _) in enumerate(found)
        ],
        "model": models.name,
        "usage": {"prompt_tokens": words, "total_tokens": words},
    }
    # floats of 32 bits with no more digits than they need, a hundred times as fast as one by one
    return Response(orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY), media_type="application/json")


@router.get("/v1/models", response_model=openai_schemas.ModelsAnswer, tags=_OPENAI)
async def models(service: ServiceDep) -> dict[str, Any]:
    """The models that are served, one for each collection."""
    return {"object": "list", "data": [_model_entry(name) for name in service.library.names()]}


@router.get("/v1/models/{name}", response_model=openai_schemas.ModelAnswer, tags=_OPENAI)
async def model(name: str, service: ServiceDep) -> dict[str, Any]:
    """One of the models."""
    if name not in service.library.names():
        raise ApiError(404, f"there is no model {name[:80]!r}: GET /v1/models lists those there are")
    return _model_entry(name)


def _model_entry(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tacit"}


def _encode_vector(vector: Any, question: openai_schemas.EmbeddingsQuestion) -> Any:
    if question.encoding_format == "base64":
        return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
    return np.ascontiguousarray(vector, np.float32)


@router.post("/v1/rerank", response_model=rerank_schemas.RerankAnswer, tags=_RERANK)
async def rerank_v1(question: rerank_schemas.RerankQuestion, service: ServiceDep) -> JsonResponse:
    """Cohere's first form: documents may be objects, of which `rank_fields` are read, else `text`."""
    texts = [rerank_schemas.text_of(document, question.rank_fields) for document in question.documents]
    return await _cohere(service, question, texts, question.return_documents)


@router.post("/v2/rerank", response_model=rerank_schemas.RerankAnswer, tags=_RERANK)
async def rerank_v2(question: rerank_schemas.RerankTexts, service: ServiceDep) -> JsonResponse:
    """Cohere's second form: documents are texts."""
    return await _cohere(service, question, question.documents, False)


@router.post("/rerank", response_model=list[rerank_schemas.RankedText], tags=_RERANK)
async def rerank_texts(question: rerank_schemas.TeiQuestion, service: ServiceDep) -> JsonResponse:
    """The form of text-embeddings-inference: a list of places and scores."""
    models = await service.collection(question.collection)
    order = await _rank_texts(service, models, question.query, question.texts)
    return JsonResponse(
        [
            {"index": place, "score": score}
            | ({"text": question.texts[place]} if question.return_text else {})
            for place, score in order
        ]
    )


async def _cohere(
    service: Service,
    question: rerank_schemas.RerankQuestion | rerank_schemas.RerankTexts,
    texts: list[str],
    whole: bool | None,
) -> JsonResponse:
    models = await service.model(question.model or "", question.collection)
    order = await _rank_texts(service, models, question.query, texts)
    results: list[dict[str, Any]] = [
        {"index": place, "relevance_score": score} for place, score in order[: question.top_n]
    ]
    if whole:
        for result in results:
            result["document"] = {"text": texts[result["index"]]}
    meta = {"api_version": {"version": "2" if isinstance(question, rerank_schemas.RerankTexts) else "1"}}
    return JsonResponse({"id": str(uuid4()), "results": results, "meta": meta})


async def _rank_texts(
    service: Service, models: ServedCollection, query: str, texts: list[str]
) -> list[tuple[int, float]]:
    """The place and score of each text, best first; equal ones in their order."""
    models.need("compare")
    service.check_count(len(texts), "documents")
    pairs: list[Pair] = [(query, text, None, None) for text in texts]
    check_work(pairs, service.settings.limits.max_character_pairs)
    found = await service.ask(models.texts.compare, pairs, DEFAULT_MEASURE, costs=costs_of(pairs))
    scores = [min(max(score, 0.0), 1.0) for score, _ in found]
    return sorted(enumerate(scores), key=lambda each: -each[1])
