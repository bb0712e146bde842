"""The forms of Cohere's and TEI's questions about the order of documents, and of the answers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tacit.errors import InputError
from tacit.server.schemas import Name, ShortText, Text, whole_number
from tacit.server.server_settings import MAX_TEXT_CHARS

Place = Annotated[int, Field(ge=1, le=1_000_000), BeforeValidator(whole_number)]


class _Taken(BaseModel):
    """Fields of other services are taken and ignored, as their clients send them."""

    model_config = ConfigDict(extra="ignore", strict=True)
    query: ShortText = Field(examples=["reset my password"])
    collection: Name | None = Field(None, examples=[None])


class RerankTexts(_Taken):
    """Cohere's second form."""

    documents: Annotated[list[Text], Field(min_length=1)] = Field(
        examples=[["the parcel is late", "how do I reset the password"]]
    )
    model: str | None = None
    top_n: Place | None = None
    max_tokens_per_doc: Annotated[int, BeforeValidator(whole_number)] | None = None


class RerankQuestion(_Taken):
    """Cohere's first form."""

    documents: Annotated[list[Text | dict[str, Any]], Field(min_length=1)] = Field(
        examples=[["the parcel is late", {"text": "how do I reset the password"}]]
    )
    model: str | None = None
    top_n: Place | None = None
    rank_fields: Annotated[list[Name], Field(max_length=50)] | None = None
    return_documents: bool | None = None
    max_chunks_per_doc: Annotated[int, BeforeValidator(whole_number)] | None = None


class TeiQuestion(_Taken):
    """The form of text-embeddings-inference."""

    texts: Annotated[list[Text], Field(min_length=1)] = Field(
        examples=[["the parcel is late", "how do I reset the password"]]
    )
    return_text: bool = False
    raw_scores: bool = False
    truncate: bool | None = None


class RerankedDocument(BaseModel):
    """A document, by its place in the question, and how well it answers, from 0 to 1."""

    index: int
    relevance_score: float
    document: dict[str, str] | None = None


class RerankAnswer(BaseModel):
    """The documents, best first."""

    id: str
    results: list[RerankedDocument]
    meta: dict[str, Any]


class RankedText(BaseModel):
    """A text, by its place in the question, and how well it answers, from 0 to 1."""

    index: int
    score: float
    text: str | None = None


def text_of(document: str | dict[str, Any], fields: list[str] | None) -> str:
    """What is read of a document.

    >>> text_of({"title": "Parcels", "body": "They are late."}, ["title", "body"])
    'Parcels\\nThey are late.'
    """
    if isinstance(document, str):
        return document
    values = [document.get(name) for name in fields or ["text"]]
    found = "\n".join(str(value) for value in values if value is not None)
    if not any(value is not None for value in values):
        raise InputError(
            f"documents: an object has no field {(fields or ['text'])[0]!r}; name others in rank_fields"
        )
    if len(found) > MAX_TEXT_CHARS:
        raise InputError(f"documents: one has {len(found):,} characters, at most {MAX_TEXT_CHARS:,}")
    return found
