"""Search in a collection."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.search.filters import Filter
from tacit.server import schemas
from tacit.server.refusals import Json
from tacit.server.served_models import Query, SearchOptions
from tacit.server.service import REFUSALS, Here, Service

router = APIRouter(responses=REFUSALS, tags=["collections"])


@router.post("/search", response_model=schemas.SearchAnswer)
async def search(question: schemas.SearchQuestion, service: Here) -> Json:
    """The texts of a collection most like the query, each with the words that made the match.

    `where` has conditions on columns, all of which must hold: a value, a list of values of which one must
    match, or values by operator, such as `{"price": {">=": 5, "<": 10}}`. `counts` adds how many texts have
    each value of the columns with few values, under the conditions on the other columns.
    """
    return await _search(service, question, Query(question.query))


@router.post("/similar", response_model=schemas.SearchAnswer)
async def similar(question: schemas.SimilarQuestion, service: Here) -> Json:
    """The texts of a collection most like one of them, without itself."""
    models = await service.collection(question.collection)
    models.need("search")
    assert models.index is not None
    snapshot = models.index.now
    query = Query(snapshot.texts[snapshot.row(question.id)], (question.id,))
    return await _search(service, question, query)


async def _search(
    service: Service, question: schemas.SearchQuestion | schemas.SimilarQuestion, query: Query
) -> Json:
    models = await service.collection(question.collection)
    models.need("search")
    models.texts.check_languages(question.language)
    options = SearchOptions(
        question.k,
        question.measure,
        Filter.create(question.where),
        question.offset,
        question.counts,
        question.language,
        question.explain,
    )
    return Json((await service.ask(models.search, [query], options))[0])
