"""Similarity, explanations, senses, translations and classification."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.batch_text_model import Pair, ScoredWords, check_comparison_size, comparison_costs
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.served_collection import ServedCollection
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES)
_BASE_COST = 1000  # of classifying a text, in addition to its characters


@router.post("/similarity", response_model=responses.SimilarityResponse, tags=["texts"])
async def compare_texts(request: requests.SimilarityRequest, service: ServiceDep) -> JsonResponse:
    """Score the similarity of each pair of texts: about 1 for equal texts, about 0 for unrelated ones."""
    collection = await service.collection(request.collection, needs="compare")
    service.check_batch_size(len(request.pairs), "pairs")
    pairs = [_check_pair(pair, collection) for pair in request.pairs]
    check_comparison_size(pairs, service.settings.limits.max_character_pairs)
    costs = comparison_costs(pairs)
    scores = await service.batcher.submit(collection.text_model.compare, pairs, request.measure, costs=costs)
    results = [{"score": score, "percentile": percentile} for score, percentile in scores]
    return JsonResponse({"results": results, "measure": request.measure, "model": collection.name})


@router.post("/explain", response_model=responses.ExplainResponse, tags=["texts"])
async def explain_score(request: requests.ExplainRequest, service: ServiceDep) -> JsonResponse:
    """Split the score of two texts into the contributions of their word pairs."""
    collection = await service.collection(request.collection, needs="compare")
    pairs = [_check_pair(request, collection)]
    [explanation] = await service.batcher.submit(collection.text_model.explain, pairs, request.measure)
    return JsonResponse(explanation)


@router.post("/unsaid", response_model=responses.WordsResponse, tags=["texts"])
async def find_unsaid_words(request: requests.UnsaidRequest, service: ServiceDep) -> JsonResponse:
    """Return words that a text implies but does not use."""
    collection = await service.collection(request.collection, needs="compare")
    collection.text_model.check_languages(request.language)
    items = [(request.text, request.language)]
    [words] = await service.batcher.submit(collection.text_model.unsaid, items, request.k)
    return _words_response(words)


@router.post("/senses", response_model=responses.SensesResponse, tags=["words"])
async def find_senses(request: requests.SensesRequest, service: ServiceDep) -> JsonResponse:
    """Return the senses of a word, and the one it has in a text."""
    collection = await service.collection(request.collection, needs="senses")
    items = [(request.word, request.text, request.at)]
    [senses] = await service.batcher.submit(collection.find_senses, items)
    return JsonResponse(senses)


@router.get("/languages", response_model=responses.LanguagesResponse, tags=["words"])
async def list_languages(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """Return the languages of a multilingual model, with the number of words of each."""
    served = await service.collection(collection, needs="languages")
    return JsonResponse({"languages": served.languages})


@router.post("/translations", response_model=responses.WordsResponse, tags=["words"])
async def translate_word(request: requests.TranslationsRequest, service: ServiceDep) -> JsonResponse:
    """Return the words of another language that are used most like a word."""
    collection = await service.collection(request.collection, needs="languages")
    collection.text_model.check_languages(request.language, request.to)
    items = [(request.word, request.language, request.to)]
    [words] = await service.batcher.submit(collection.text_model.translate, items, request.k)
    return _words_response(words)


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


def _check_pair(pair: requests.TextPair, collection: ServedCollection) -> Pair:
    """Return two texts and their languages, after checking that the model has these languages."""
    collection.text_model.check_languages(pair.language_a, pair.language_b)
    return pair.a, pair.b, pair.language_a, pair.language_b


def _words_response(words: ScoredWords) -> JsonResponse:
    return JsonResponse({"words": [{"word": word, "weight": weight} for word, weight in words]})
