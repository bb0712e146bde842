"""Vectors of texts, how alike texts are, why, and what they leave unsaid."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.refusals import Json, RefusedError
from tacit.server.service import REFUSALS, Here, Service
from tacit.server.text_model import Pair

router = APIRouter(responses=REFUSALS, tags=["texts"])


@router.post("/v1/embeddings", response_model=schemas.EmbeddingsAnswer)
async def embeddings(question: schemas.EmbeddingsQuestion, service: Here) -> Json:
    """A vector for each text, in OpenAI's form. A text without a known word has a zero vector.

    `model` may be any name: the answer says which model it was.
    """
    service.models.need("compare")
    texts = [question.input] if isinstance(question.input, str) else question.input
    service.check_count(len(texts))
    service.models.texts.check_languages(question.language)
    found = await service.ask(service.models.texts.encode, [(text, question.language) for text in texts])
    length = len(found[0][0])
    if question.dimensions not in (None, length):
        raise RefusedError(422, f"dimensions={question.dimensions}: the model's vectors have {length}")
    words = sum(count for _, count in found)
    return Json(
        {
            "object": "list",
            "data": [
                {"object": "embedding", "index": number, "embedding": _written(vector, question)}
                for number, (vector, _) in enumerate(found)
            ],
            "model": service.models.name,
            "usage": {"prompt_tokens": words, "total_tokens": words},
        }
    )


@router.get("/v1/models")
async def models(service: Here) -> dict[str, Any]:
    """The model that is loaded, as OpenAI's clients list it."""
    service.models.need("compare")
    one = {"id": service.models.name, "object": "model", "created": 0, "owned_by": "tacit"}
    return {"object": "list", "data": [one]}


@router.post("/similarity", response_model=schemas.SimilarityAnswer)
async def similarity(question: schemas.SimilarityQuestion, service: Here) -> Json:
    """How alike the texts of each pair are: about 1 for the same, about 0 for nothing in common."""
    service.models.need("compare")
    service.check_count(len(question.pairs), "pairs")
    pairs = [_checked(pair, service) for pair in question.pairs]
    _check_work(pairs, service.settings.limits.comparison)
    found = await service.ask(service.models.texts.compare, pairs, question.measure)
    results = [{"score": score, "percentile": percentile} for score, percentile in found]
    return Json({"results": results, "measure": question.measure, "model": service.models.name})


@router.post("/explain", response_model=schemas.ExplainAnswer)
async def explain(question: schemas.ExplainQuestion, service: Here) -> Json:
    """Split the score of two texts into what each pair of their words adds to it."""
    service.models.need("compare")
    pair = _checked(question, service)
    return Json((await service.ask(service.models.texts.explain, [pair], question.measure))[0])


@router.post("/unsaid", response_model=schemas.WordsAnswer)
async def unsaid(question: schemas.UnsaidQuestion, service: Here) -> Json:
    """The words a text is about but does not say."""
    service.models.need("compare")
    service.models.texts.check_languages(question.language)
    item = (question.text, question.language)
    found = await service.ask(service.models.texts.unsaid, [item], question.k)
    return Json({"words": [{"word": word, "weight": weight} for word, weight in found[0]]})


def _written(vector: Any, question: schemas.EmbeddingsQuestion) -> str | list[float]:
    if question.encoding_format == "base64":
        return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode("ascii")
    numbers: list[float] = vector.tolist()
    return numbers


def _checked(pair: schemas.TextPair | schemas.ExplainQuestion, service: Service) -> Pair:
    service.models.texts.check_languages(pair.language_a, pair.language_b)
    return pair.a, pair.b, pair.language_a, pair.language_b


def _check_work(pairs: list[Pair], most: int) -> None:
    """Refuse pairs whose words are too many to hold against each other."""
    work = sum(len(pair[0]) * len(pair[1]) for pair in pairs)
    if work > most:
        raise RefusedError(
            422,
            f"these pairs make {work:,} pairs of characters, at most {most:,} at once: send fewer at a time",
        )
