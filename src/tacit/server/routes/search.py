"""Search in a collection."""

from __future__ import annotations

import json

from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.refusals import Json
from tacit.server.searching import Query, SearchOptions
from tacit.server.service import REFUSALS, Here, Service

router = APIRouter(responses=REFUSALS, tags=["collections"])


@router.post("/search", response_model=schemas.SearchAnswer)
async def search(question: schemas.SearchQuestion, service: Here) -> Json:
    """The texts of a collection most like the query, each with the words that made the match.

    `where` asks for texts with one of the given values in each column. `counts` tells how many texts have
    each value of the columns to choose by, under the conditions on the other columns.
    """
    return await _found(service, question, Query(question.query))


@router.post("/similar", response_model=schemas.SearchAnswer)
async def similar(question: schemas.SimilarQuestion, service: Here) -> Json:
    """The texts of a collection most like one of them, without itself."""
    models = await service.collection(question.collection)
    models.need("search")
    assert models.index is not None
    now = models.index.now
    return await _found(service, question, Query(now.texts[now.row(question.id)], question.id))


async def _found(
    service: Service, question: schemas.SearchQuestion | schemas.SimilarQuestion, query: Query
) -> Json:
    models = await service.collection(question.collection)
    models.need("search")
    models.texts.check_languages(question.language)
    options = SearchOptions(
        question.measure,
        question.explain,
        question.offset,
        question.language,
        json.dumps(question.where or {}),
        question.counts,
    )
    return Json((await service.ask(models.search, [query], question.k, options))[0])
