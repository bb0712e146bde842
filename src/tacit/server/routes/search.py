"""Search in a collection."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.search.filters import Filter
from tacit.server import schemas
from tacit.server.http_errors import JsonResponse
from tacit.server.served_collection import Query, SearchOptions
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["collections"])


@router.post("/search", response_model=schemas.SearchAnswer)
async def search(question: schemas.SearchQuestion, service: ServiceDep) -> JsonResponse:
    """The texts of a collection most like the query, each with the words that made the match.

    `where` has conditions on columns, all of which must hold: a value, a list of values of which one must
    match, or values by operator, such as `{"price": {">=": 5, "<": 10}}`. `counts` adds how many texts have
    each value of the columns with few values, under the conditions on the other columns.
    """
    return await _search(service, question, Query(question.query))


@router.post("/similar", response_model=schemas.SearchAnswer)
async def similar(question: schemas.SimilarQuestion, service: ServiceDep) -> JsonResponse:
    """The texts of a collection most like one of them, without itself."""
    models = await service.collection(question.collection)
    models.need("search")
    assert models.index is not None
    snapshot = models.index.snapshot
    query = Query(snapshot.texts[snapshot.row(question.id)], (question.id,))
    return await _search(service, question, query)


async def _search(
    service: Service, question: schemas.SearchQuestion | schemas.SimilarQuestion, query: Query
) -> JsonResponse:
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
    return JsonResponse((await service.ask(models.search, [query], options))[0])
