"""The forms of OpenAI's clients: vectors of texts, and the list of models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tacit.server.schemas import Language, Name, Text, whole_number


def _no_tokens(given: Any) -> Any:
    """OpenAI's clients may send token numbers: say why they are no use here."""
    first = given[0] if isinstance(given, list) and given else None
    if isinstance(first, int | list):
        raise ValueError("these are token numbers of another model, which mean nothing here: send text")
    return given


class EmbeddingsQuestion(BaseModel):
    """OpenAI's form, and ``normalize``; its other fields are taken and ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)
    input: Annotated[Text | Annotated[list[Text], Field(min_length=1)], BeforeValidator(_no_tokens)]
    model: str = "tacit"
    encoding_format: Literal["float", "base64"] | None = "float"
    normalize: bool | None = True
    dimensions: Annotated[int | None, Field(ge=1), BeforeValidator(whole_number)] = None
    user: str | None = None
    language: Language = None
    collection: Name | None = Field(None, examples=[None])


class Embedding(BaseModel):
    """One vector; in base64 its numbers are 32-bit floats, lowest byte first."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class EmbeddingsAnswer(BaseModel):
    """A vector for each text, in their order; ``usage`` says how many words were read."""

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: dict[Literal["prompt_tokens", "total_tokens"], int]


class ModelAnswer(BaseModel):
    """A model that is served."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class ModelsAnswer(BaseModel):
    """The models that are served."""

    object: Literal["list"] = "list"
    data: list[ModelAnswer]
