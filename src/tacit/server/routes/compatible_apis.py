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
from tacit.server import compatible_schemas as schemas
from tacit.server.batch_text_model import Pair, check_comparison_size, comparison_costs
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.served_collection import ServedCollection
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES)

_OPENAI: list[str | Enum] = ["OpenAI's form"]
_RERANK: list[str | Enum] = ["rerank"]
_BASE_COST = 200  # of embedding a text, in addition to its characters


@router.post("/v1/embeddings", response_model=schemas.EmbeddingsResponse, tags=_OPENAI)
async def embed_texts(request: schemas.EmbeddingsRequest, service: ServiceDep) -> Response:
    """Return a vector of length 1 for each text: the dot product of two vectors is their cosine.

    A text without a known word has a zero vector. With `normalize: false` vectors are not scaled to length 1.
    `dimensions` below that of the model returns coordinates on that many principal axes of its word vectors,
    the most important first, scaled to length 1: up to scaling, the first 10 of 50 coordinates are those of a
    request for 10. By default vectors have the model's own coordinates, which are in no order.

    `model` is the name of a collection; any other value selects the default one. The response names the
    collection that was used.
    """
    collection = await service.comparing_collection(request.model, request.collection)
    model = collection.text_model
    texts = [request.input] if isinstance(request.input, str) else request.input
    service.check_batch_size(len(texts))
    model.check_languages(request.language)
    n_components = model.model.n_components
    if request.dimensions is not None and request.dimensions > n_components:
        raise ApiError(422, f"dimensions={request.dimensions}: the model has {n_components}, ask for fewer")
    dimensions = None if request.dimensions == n_components else request.dimensions
    vectors = await service.batcher.submit(
        model.encode,
        [(text, request.language) for text in texts],
        request.normalize is not False,
        dimensions,
        costs=[_BASE_COST + len(text) for text in texts],
    )
    n_words = sum(count for _, count in vectors)
    content = {
        "object": "list",
        "data": [
            {"object": "embedding", "index": number, "embedding": _encode_vector(vector, request)}
            for number, (vector, _) in enumerate(vectors)
        ],
        "model": collection.name,
        "usage": {"prompt_tokens": n_words, "total_tokens": n_words},
    }
    # orjson writes 32-bit floats with as few digits as they need, a hundred times as fast as json
    return Response(orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY), media_type="application/json")


@router.get("/v1/models", response_model=schemas.ModelsResponse, tags=_OPENAI)
async def list_models(service: ServiceDep) -> dict[str, Any]:
    """List the models, one for each collection."""
    return {"object": "list", "data": [_model_entry(name) for name in service.registry.names()]}


@router.get("/v1/models/{name}", response_model=schemas.ModelResponse, tags=_OPENAI)
async def get_model(name: str, service: ServiceDep) -> dict[str, Any]:
    """Return one of the models."""
    if name not in service.registry.names():
        raise ApiError(404, f"there is no model {name[:80]!r}: GET /v1/models lists all")
    return _model_entry(name)


def _model_entry(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tacit"}


def _encode_vector(vector: Any, request: schemas.EmbeddingsRequest) -> Any:
    if request.encoding_format == "base64":
        return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
    return np.ascontiguousarray(vector, np.float32)


@router.post("/v1/rerank", response_model=schemas.RerankResponse, tags=_RERANK)
async def rerank_v1(request: schemas.RerankV1Request, service: ServiceDep) -> JsonResponse:
    """Rank documents in the format of Cohere's version 1.

    Documents may be objects, whose fields `rank_fields` are read, by default `text`.
    """
    texts = [schemas.document_text(document, request.rank_fields) for document in request.documents]
    return await _rerank(service, request, texts, "1", bool(request.return_documents))


@router.post("/v2/rerank", response_model=schemas.RerankResponse, tags=_RERANK)
async def rerank_v2(request: schemas.RerankV2Request, service: ServiceDep) -> JsonResponse:
    """Rank documents in the format of Cohere's version 2."""
    return await _rerank(service, request, request.documents, "2")


@router.post("/rerank", response_model=list[schemas.RankedText], tags=_RERANK)
async def rerank_texts(request: schemas.TeiRerankRequest, service: ServiceDep) -> JsonResponse:
    """Rank texts in the format of text-embeddings-inference."""
    collection = await service.collection(request.collection, needs="compare")
    ranking: list[dict[str, Any]] = [
        {"index": position, "score": score}
        for position, score in await _rank_texts(service, collection, request.query, request.texts)
    ]
    if request.return_text:
        for entry in ranking:
            entry["text"] = request.texts[entry["index"]]
    return JsonResponse(ranking)


async def _rerank(
    service: Service,
    request: schemas.RerankV1Request | schemas.RerankV2Request,
    texts: list[str],
    version: str,
    return_documents: bool = False,
) -> JsonResponse:
    """Rank texts and respond in Cohere's format."""
    collection = await service.comparing_collection(request.model, request.collection)
    results: list[dict[str, Any]] = [
        {"index": position, "relevance_score": score}
        for position, score in await _rank_texts(service, collection, request.query, texts)
    ][: request.top_n]
    if return_documents:
        for result in results:
            result["document"] = {"text": texts[result["index"]]}
    meta = {"api_version": {"version": version}}
    return JsonResponse({"id": str(uuid4()), "results": results, "meta": meta})


async def _rank_texts(
    service: Service, collection: ServedCollection, query: str, texts: list[str]
) -> list[tuple[int, float]]:
    """Return the position and score of each text, best first; ties keep their order."""
    service.check_batch_size(len(texts), "documents")
    pairs: list[Pair] = [(query, text, None, None) for text in texts]
    check_comparison_size(pairs, service.settings.limits.max_character_pairs)
    costs = comparison_costs(pairs)
    scores = await service.batcher.submit(collection.text_model.compare, pairs, DEFAULT_MEASURE, costs=costs)
    clipped = [min(max(score, 0.0), 1.0) for score, _ in scores]
    return sorted(enumerate(clipped), key=lambda entry: -entry[1])
