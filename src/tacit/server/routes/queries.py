"""Similarity, explanations, senses, translations, classification and search."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

from fastapi import APIRouter

from tacit.search.filters import Filter
from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.analysis_tasks import THEME_IDS_FILE
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.served_collection import Query, SearchOptions, ServedCollection
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES)
_BASE_COST = 1000  # of classifying a text, in addition to its characters


@router.post("/similarity", response_model=responses.SimilarityResponse, tags=["texts"])
async def compare_texts(request: requests.SimilarityRequest, service: ServiceDep) -> JsonResponse:
    """Score the similarity of each pair of texts: about 1 for equal texts, about 0 for unrelated ones."""
    collection = await service.collection(request.collection, needs="compare")
    pairs = [pair.as_tuple() for pair in request.pairs]
    scores = await service.compare(collection, pairs, request.measure)
    results = [{"score": score, "percentile": percentile} for score, percentile in scores]
    return JsonResponse({"results": results, "measure": request.measure, "model": collection.name})


@router.post("/explain", response_model=responses.ExplainResponse, tags=["texts"])
async def explain_score(request: requests.ExplainRequest, service: ServiceDep) -> JsonResponse:
    """Split the score of two texts into the contributions of their word pairs."""
    collection = await service.collection(request.collection, needs="compare")
    pair = request.as_tuple()
    return JsonResponse(await service.batcher.run(collection.explain, pair, request.measure))


@router.post("/unsaid", response_model=responses.WordsResponse, tags=["texts"])
async def find_unsaid_words(request: requests.UnsaidRequest, service: ServiceDep) -> JsonResponse:
    """Return words that a text implies but does not use."""
    collection = await service.collection(request.collection, needs="compare")
    words = await service.batcher.run(collection.model.unsaid, request.text, request.k, request.language)
    return _words_response(words)


@router.post("/senses", response_model=responses.SensesResponse, tags=["words"])
async def find_senses(request: requests.SensesRequest, service: ServiceDep) -> JsonResponse:
    """Return the senses of a word, and the one it has in a text."""
    collection = await service.collection(request.collection, needs="senses")
    word, text, position = request.word, request.text, request.at
    return JsonResponse(await service.batcher.run(collection.find_senses, word, text, position))


@router.get("/languages", response_model=responses.LanguagesResponse, tags=["words"])
async def list_languages(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """Return the languages of a multilingual model, with the number of words of each."""
    served = await service.collection(collection, needs="languages")
    return JsonResponse({"languages": served.languages})


@router.post("/translations", response_model=responses.WordsResponse, tags=["words"])
async def translate_word(request: requests.TranslationsRequest, service: ServiceDep) -> JsonResponse:
    """Return the words of another language that are used most like a word."""
    collection = await service.collection(request.collection, needs="languages")
    arguments = request.word, request.language, request.k, request.to
    return _words_response(await service.batcher.run(collection.model.translations, *arguments))


@router.post("/classify", response_model=responses.ClassifyResponse, tags=["texts"])
async def classify_texts(request: requests.ClassifyRequest, service: ServiceDep) -> JsonResponse:
    """Return the class of each text and the probability of every class.

    `classifier` may be left out if only one is loaded.
    """
    service.check_batch_size(len(request.texts))
    loaded = service.classifiers
    name = request.classifier or (next(iter(loaded)) if len(loaded) == 1 else None)
    if name is None or name not in loaded:
        known = f"there are {', '.join(map(repr, loaded))}" if loaded else "none is loaded"
        raise ApiError(404, f"name a classifier: {known}; tacit serve --classifier NAME=FOLDER loads one")
    costs = [_BASE_COST + len(text) for text in request.texts]
    predictions = await service.batcher.submit(loaded[name].classify, request.texts, costs=costs)
    labels = [label for label, _ in predictions]
    probabilities = [row for _, row in predictions]
    classes = loaded[name].classes
    return JsonResponse(
        {"classifier": name, "classes": classes, "labels": labels, "probabilities": probabilities}
    )


def _words_response(words: list[tuple[str, float]]) -> JsonResponse:
    return JsonResponse({"words": [{"word": word, "weight": weight} for word, weight in words]})


@router.post("/search", response_model=responses.SearchResponse, tags=["collections"])
async def search(request: requests.SearchRequest, service: ServiceDep) -> JsonResponse:
    """Return the texts that are most similar to a query, each with the words that match.

    `where` has conditions on columns, all of which must hold: a value, a list of values of which one must
    match, or values by operator, such as `{"price": {">=": 5, "<": 10}}`. `counts` adds, for the columns with
    few values, how many texts have each value and fulfil the conditions on the other columns.
    `outside_vector` has as many numbers as the vectors that the texts of the collection were added with.
    """
    collection = await service.collection(request.collection, needs="search")
    return await _search(service, collection, request, Query(request.query, (), request.outside_vector))


@router.post("/similar", response_model=responses.SearchResponse, tags=["collections"])
async def search_similar(request: requests.SimilarRequest, service: ServiceDep) -> JsonResponse:
    """Return the texts that are most similar to a text of the collection, without itself."""
    collection = await service.collection(request.collection, needs="search")
    snapshot = collection.required_index.snapshot
    row = snapshot.row_of_id(request.id)
    query = Query(snapshot.texts[row], (request.id,), snapshot.given_vector(row))
    return await _search(service, collection, request, query)


async def _search(
    service: Service, collection: ServedCollection, request: requests.HitsRequest, query: Query
) -> JsonResponse:
    values = request.model_dump(include={"k", "measure", "offset", "counts", "language", "explain"})
    where = Filter.create(request.where)
    if request.theme is not None:
        ids = await asyncio.to_thread(_read_theme, service, collection, request.theme)
        where = replace(where, ids=ids)
    options = SearchOptions(where=where, has_vectors=query.outside_vector is not None, **values)
    [page] = await service.batcher.submit(collection.search, [query], options)
    return JsonResponse(page)


def _read_theme(
    service: Service, collection: ServedCollection, theme: requests.ThemeFilter
) -> frozenset[str]:
    """Return the ids of the texts of a theme; raise a 404 error if there is none."""
    job = service.jobs.get(theme.job)
    try:
        if job.payload.get("collections") != [collection.name, None]:
            raise KeyError(theme.job)
        ids = json.loads((job.folder / THEME_IDS_FILE).read_text(encoding="utf-8"))
        return frozenset(ids[theme.theme])
    except (FileNotFoundError, KeyError):
        message = f"the job {theme.job} has no theme {theme.theme!r} of this collection: find themes again"
        raise ApiError(404, message) from None
