"""Search in a collection."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.search.filters import Filter
from tacit.server.http_errors import JsonResponse
from tacit.server.request_schemas import HitsRequest, SearchRequest, SimilarRequest
from tacit.server.response_schemas import SearchResponse
from tacit.server.served_collection import Query, SearchOptions, ServedCollection
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["collections"])


@router.post("/search", response_model=SearchResponse)
async def search(request: SearchRequest, service: ServiceDep) -> JsonResponse:
    """Return the texts that are most similar to a query, each with the words that match.

    `where` has conditions on columns, all of which must hold: a value, a list of values of which one must
    match, or values by operator, such as `{"price": {">=": 5, "<": 10}}`. `counts` adds, for the columns with
    few values, how many texts have each value and fulfil the conditions on the other columns.
    """
    collection = await service.collection(request.collection, needs="search")
    return await _search(service, collection, request, Query(request.query))


@router.post("/similar", response_model=SearchResponse)
async def search_similar(request: SimilarRequest, service: ServiceDep) -> JsonResponse:
    """Return the texts that are most similar to a text of the collection, without itself."""
    collection = await service.collection(request.collection, needs="search")
    snapshot = collection.required_index.snapshot
    query = Query(snapshot.texts[snapshot.row_of_id(request.id)], (request.id,))
    return await _search(service, collection, request, query)


async def _search(
    service: Service, collection: ServedCollection, request: HitsRequest, query: Query
) -> JsonResponse:
    collection.text_model.check_languages(request.language)
    values = request.model_dump(include={"k", "measure", "offset", "counts", "language", "explain"})
    options = SearchOptions(where=Filter.create(request.where), **values)
    [page] = await service.batcher.submit(collection.search, [query], options)
    return JsonResponse(page)
