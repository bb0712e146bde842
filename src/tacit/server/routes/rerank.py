"""Documents in the order of how well they answer a query, in the forms of Cohere's and TEI's clients."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from fastapi import APIRouter

from tacit.models.measures import DEFAULT
from tacit.server import rerank_schemas as schemas
from tacit.server.refusals import Json
from tacit.server.served_models import ServedModels
from tacit.server.service import REFUSALS, Here, Service
from tacit.server.text_model import Pair, check_work, costs_of

Cohere = schemas.RerankQuestion | schemas.RerankTexts

router = APIRouter(responses=REFUSALS, tags=["rerank"])


@router.post("/v1/rerank", response_model=schemas.RerankAnswer)
async def rerank_first(question: schemas.RerankQuestion, service: Here) -> Json:
    """Cohere's first form: documents may be objects, of which `rank_fields` are read, else `text`."""
    texts = [schemas.text_of(document, question.rank_fields) for document in question.documents]
    return await _cohere(service, question, texts, question.return_documents)


@router.post("/v2/rerank", response_model=schemas.RerankAnswer)
async def rerank_second(question: schemas.RerankTexts, service: Here) -> Json:
    """Cohere's second form: documents are texts."""
    return await _cohere(service, question, question.documents, False)


@router.post("/rerank", response_model=list[schemas.RankedText])
async def rerank_texts(question: schemas.TeiQuestion, service: Here) -> Json:
    """The form of text-embeddings-inference: a list of places and scores."""
    models = await service.collection(question.collection)
    order = await _ranked(service, models, question.query, question.texts)
    return Json(
        [
            {"index": place, "score": score}
            | ({"text": question.texts[place]} if question.return_text else {})
            for place, score in order
        ]
    )


async def _cohere(
    service: Service,
    question: schemas.RerankQuestion | schemas.RerankTexts,
    texts: list[str],
    whole: bool | None,
) -> Json:
    models = await service.model(question.model or "", question.collection)
    order = await _ranked(service, models, question.query, texts)
    results: list[dict[str, Any]] = [
        {"index": place, "relevance_score": score} for place, score in order[: question.top_n]
    ]
    if whole:
        for result in results:
            result["document"] = {"text": texts[result["index"]]}
    meta = {"api_version": {"version": "2" if isinstance(question, schemas.RerankTexts) else "1"}}
    return Json({"id": str(uuid4()), "results": results, "meta": meta})


async def _ranked(
    service: Service, models: ServedModels, query: str, texts: list[str]
) -> list[tuple[int, float]]:
    """The place and score of each text, best first; equal ones in their order."""
    models.need("compare")
    service.check_count(len(texts), "documents")
    pairs: list[Pair] = [(query, text, None, None) for text in texts]
    check_work(pairs, service.settings.limits.comparison)
    found = await service.ask(models.texts.compare, pairs, DEFAULT, costs=costs_of(pairs))
    scores = [min(max(score, 0.0), 1.0) for score, _ in found]
    return sorted(enumerate(scores), key=lambda each: -each[1])
