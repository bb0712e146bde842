"""Embeddings and reranking in the formats of OpenAI, Cohere and text-embeddings-inference."""

from __future__ import annotations

import base64
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import uuid4

import numpy as np
import orjson
from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.responses import Response

from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.request_schemas import (
    BoundedErrors,
    CollectionName,
    Integer,
    Language,
    ShortText,
    Text,
    Texts,
)
from tacit.server.served_collection import Pair, ServedCollection
from tacit.server.server_settings import MAX_TEXT_CHARS
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES)

_OPENAI: list[str | Enum] = ["OpenAI's form"]
_RERANK: list[str | Enum] = ["rerank"]
_BASE_COST = 200  # of embedding a text, in addition to its characters
PositiveCount = Annotated[int, Field(ge=1, le=1_000_000), Integer]
_DOCUMENTS = ["the parcel is late", "how do I reset the password"]  # the example of the API page


def reject_token_ids(value: Any) -> Any:
    """Raise an error for numbers of tokens, which OpenAI's clients may send instead of texts."""
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, int | list):
        raise ValueError("token ids of other models are not supported: send text")
    return value


class LenientRequest(BaseModel):
    """A request in another service's format; other fields that its clients send are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)
    collection: CollectionName | None = Field(None, examples=[None])


class EmbeddingsRequest(LenientRequest):
    """A request in OpenAI's format, with ``normalize``, ``language`` and ``collection`` in addition."""

    input: Annotated[Text | Texts, BeforeValidator(reject_token_ids)]
    model: str = "tacit"
    encoding_format: Literal["float", "base64"] | None = "float"
    normalize: bool | None = True
    dimensions: Annotated[int | None, Field(ge=1), Integer] = None
    user: str | None = None
    language: Language = None


class _RerankRequest(LenientRequest):
    query: ShortText = Field(examples=["reset my password"])


class _CohereRequest(_RerankRequest):
    model: str | None = None
    top_n: PositiveCount | None = None


class RerankV1Request(_CohereRequest):
    """A request in the format of Cohere's version 1."""

    documents: Annotated[list[Text | dict[str, Any]], Field(min_length=1), BoundedErrors] = Field(
        examples=[[_DOCUMENTS[0], {"text": _DOCUMENTS[1]}]]
    )
    rank_fields: Annotated[list[CollectionName], Field(max_length=50, fail_fast=True)] | None = None
    return_documents: bool | None = None
    max_chunks_per_doc: Annotated[int, Integer] | None = None


class RerankV2Request(_CohereRequest):
    """A request in the format of Cohere's version 2."""

    documents: Texts = Field(examples=[_DOCUMENTS])
    max_tokens_per_doc: Annotated[int, Integer] | None = None


class TeiRerankRequest(_RerankRequest):
    """A request in the format of text-embeddings-inference."""

    texts: Texts = Field(examples=[_DOCUMENTS])
    return_text: bool = False
    raw_scores: bool = False
    truncate: bool | None = None


class Embedding(BaseModel):
    """One vector; base64 encodes little-endian 32-bit floats."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class EmbeddingsResponse(BaseModel):
    """A vector for each text, in the order of the request; ``usage`` is the number of words."""

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: dict[Literal["prompt_tokens", "total_tokens"], int]


class ModelResponse(BaseModel):
    """A model in OpenAI's format."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class ModelsResponse(BaseModel):
    """All models."""

    object: Literal["list"] = "list"
    data: list[ModelResponse]


class RerankedDocument(BaseModel):
    """A document by its position in the request, and its relevance from 0 to 1."""

    index: int
    relevance_score: float
    document: dict[str, str] | None = None


class RerankResponse(BaseModel):
    """The documents, the most relevant first."""

    id: str
    results: list[RerankedDocument]
    meta: dict[str, Any]


class RankedText(BaseModel):
    """A text by its position in the request, and its relevance from 0 to 1."""

    index: int
    score: float
    text: str | None = None


def document_text(document: str | dict[str, Any], fields: list[str] | None) -> str:
    """Return the text of a document to rank: itself, or the values of its fields in lines.

    >>> document_text({"title": "Parcels", "body": "They are late."}, ["title", "body"])
    'Parcels\\nThey are late.'
    """
    if isinstance(document, str):
        return document
    names = fields or ["text"]
    values = [str(document[name]) for name in names if document.get(name) is not None]
    if not values:
        raise InputError(f"documents: an object has no field {names[0]!r}; give other names in rank_fields")
    text = "\n".join(values)
    if len(text) > MAX_TEXT_CHARS:
        raise InputError(f"documents: one has {len(text):,} characters, at most {MAX_TEXT_CHARS:,}")
    return text


@router.post("/v1/embeddings", response_model=EmbeddingsResponse, tags=_OPENAI)
async def embed_texts(request: EmbeddingsRequest, service: ServiceDep) -> Response:
    """Return a vector of length 1 for each text: the dot product of two vectors is their cosine.

    A text without a known word has a zero vector. With `normalize: false` vectors are not scaled to length 1.
    `dimensions` below that of the model returns coordinates on that many principal axes of its word vectors,
    the most important first, scaled to length 1: up to scaling, the first 10 of 50 coordinates are those of a
    request for 10. By default vectors have the model's own coordinates, which are in no order.

    `model` is the name of a collection; any other value selects the default one. The response names the
    collection that was used.
    """
    collection = await service.comparing_collection(request.model, request.collection)
    texts = [request.input] if isinstance(request.input, str) else request.input
    service.check_batch_size(len(texts))
    n_components = collection.model.n_components
    if request.dimensions is not None and request.dimensions > n_components:
        raise ApiError(422, f"dimensions={request.dimensions}: the model has {n_components}, ask for fewer")
    dimensions = None if request.dimensions == n_components else request.dimensions
    vectors = await service.batcher.submit(
        collection.encode,
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


@router.get("/v1/models", response_model=ModelsResponse, tags=_OPENAI)
async def list_models(service: ServiceDep) -> dict[str, Any]:
    """List the models, one for each collection."""
    return {"object": "list", "data": [_model_entry(name) for name in service.registry.names()]}


@router.get("/v1/models/{name}", response_model=ModelResponse, tags=_OPENAI)
async def get_model(name: str, service: ServiceDep) -> dict[str, Any]:
    """Return one of the models."""
    if not service.registry.exists(name):
        raise ApiError(404, f"there is no model {name[:80]!r}: GET /v1/models lists all")
    return _model_entry(name)


def _model_entry(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tacit"}


def _encode_vector(vector: Any, request: EmbeddingsRequest) -> Any:
    if request.encoding_format == "base64":
        return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
    return np.ascontiguousarray(vector, np.float32)


@router.post("/v1/rerank", response_model=RerankResponse, tags=_RERANK)
async def rerank_v1(request: RerankV1Request, service: ServiceDep) -> JsonResponse:
    """Rank documents in the format of Cohere's version 1.

    Documents may be objects, whose fields `rank_fields` are read, by default `text`.
    """
    texts = [document_text(document, request.rank_fields) for document in request.documents]
    return await _rerank(service, request, texts, "1", bool(request.return_documents))


@router.post("/v2/rerank", response_model=RerankResponse, tags=_RERANK)
async def rerank_v2(request: RerankV2Request, service: ServiceDep) -> JsonResponse:
    """Rank documents in the format of Cohere's version 2."""
    return await _rerank(service, request, request.documents, "2")


@router.post("/rerank", response_model=list[RankedText], tags=_RERANK)
async def rerank_texts(request: TeiRerankRequest, service: ServiceDep) -> JsonResponse:
    """Rank texts in the format of text-embeddings-inference."""
    collection, texts = await service.collection(request.collection, needs="compare"), request.texts
    ranking = await _rank_texts(service, collection, request.query, texts)
    shown = [{"text": text} if request.return_text else {} for text in texts]
    return JsonResponse([{"index": n, "score": score, **shown[n]} for n, score in ranking])


async def _rerank(
    service: Service,
    request: RerankV1Request | RerankV2Request,
    texts: list[str],
    version: str,
    return_documents: bool = False,
) -> JsonResponse:
    """Rank texts and respond in Cohere's format."""
    collection = await service.comparing_collection(request.model, request.collection)
    ranking = await _rank_texts(service, collection, request.query, texts)
    shown = [{"document": {"text": text}} if return_documents else {} for text in texts]
    results = [{"index": n, "relevance_score": score, **shown[n]} for n, score in ranking[: request.top_n]]
    meta = {"api_version": {"version": version}}
    return JsonResponse({"id": str(uuid4()), "results": results, "meta": meta})


async def _rank_texts(
    service: Service, collection: ServedCollection, query: str, texts: list[str]
) -> list[tuple[int, float]]:
    """Return the position and score of each text, best first; ties keep their order."""
    pairs: list[Pair] = [(query, text, None, None) for text in texts]
    scores = await service.compare(collection, pairs, DEFAULT_MEASURE, "documents")
    clipped = [min(max(score, 0.0), 1.0) for score, _ in scores]
    return sorted(enumerate(clipped), key=lambda entry: -entry[1])
