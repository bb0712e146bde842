"""Requests and responses in the formats of OpenAI, Cohere and text-embeddings-inference."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tacit.errors import InputError
from tacit.server.request_schemas import CollectionName, Integer, Language, ShortText, Text, Texts
from tacit.server.server_settings import MAX_TEXT_CHARS

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


class RerankV1Request(_RerankRequest):
    """A request in the format of Cohere's version 1."""

    documents: Annotated[list[Text | dict[str, Any]], Field(min_length=1)] = Field(
        examples=[[_DOCUMENTS[0], {"text": _DOCUMENTS[1]}]]
    )
    model: str | None = None
    top_n: PositiveCount | None = None
    rank_fields: Annotated[list[CollectionName], Field(max_length=50)] | None = None
    return_documents: bool | None = None
    max_chunks_per_doc: Annotated[int, Integer] | None = None


class RerankV2Request(_RerankRequest):
    """A request in the format of Cohere's version 2."""

    documents: Texts = Field(examples=[_DOCUMENTS])
    model: str | None = None
    top_n: PositiveCount | None = None
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
