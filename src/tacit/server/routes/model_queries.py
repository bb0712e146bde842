"""Similarity, explanations, senses, translations and classification."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.served_collection import ServedCollection
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, ServiceDep
from tacit.server.text_model import Pair, ScoredWords, check_work, costs_of

router = APIRouter(responses=ERROR_RESPONSES)
_BASE_COST = 1000  # of classifying a text, in addition to its characters


@router.post("/similarity", response_model=schemas.SimilarityAnswer, tags=["texts"])
async def similarity(question: schemas.SimilarityQuestion, service: ServiceDep) -> JsonResponse:
    """Score the similarity of each pair of texts: about 1 for equal texts, about 0 for unrelated ones."""
    models = await service.collection(question.collection, needs="compare")
    service.check_count(len(question.pairs), "pairs")
    pairs = [_check_pair(pair, models) for pair in question.pairs]
    check_work(pairs, service.settings.limits.max_character_pairs)
    scores = await service.ask(models.texts.compare, pairs, question.measure, costs=costs_of(pairs))
    results = [{"score": score, "percentile": percentile} for score, percentile in scores]
    return JsonResponse({"results": results, "measure": question.measure, "model": models.name})


@router.post("/explain", response_model=schemas.ExplainAnswer, tags=["texts"])
async def explain(question: schemas.ExplainQuestion, service: ServiceDep) -> JsonResponse:
    """Split the score of two texts into the contributions of their word pairs."""
    models = await service.collection(question.collection, needs="compare")
    pair = _check_pair(question, models)
    return JsonResponse((await service.ask(models.texts.explain, [pair], question.measure))[0])


@router.post("/unsaid", response_model=schemas.WordsAnswer, tags=["texts"])
async def unsaid(question: schemas.UnsaidQuestion, service: ServiceDep) -> JsonResponse:
    """Return words that a text implies but does not use."""
    models = await service.collection(question.collection, needs="compare")
    models.texts.check_languages(question.language)
    item = (question.text, question.language)
    return _words_answer((await service.ask(models.texts.unsaid, [item], question.k))[0])


@router.post("/senses", response_model=schemas.SensesAnswer, tags=["words"])
async def senses(question: schemas.SensesQuestion, service: ServiceDep) -> JsonResponse:
    """Return the senses of a word, and the one it has in a text."""
    models = await service.collection(question.collection, needs="senses")
    item = (question.word, question.text, question.at)
    return JsonResponse((await service.ask(models.find_senses, [item]))[0])


@router.get("/languages", response_model=schemas.LanguagesAnswer, tags=["words"])
async def languages(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """Return the languages of a multilingual model, with the number of words of each."""
    models = await service.collection(collection, needs="languages")
    return JsonResponse({"languages": models.languages})


@router.post("/translations", response_model=schemas.WordsAnswer, tags=["words"])
async def translations(question: schemas.TranslationsQuestion, service: ServiceDep) -> JsonResponse:
    """Return the words of another language that are used most like a word."""
    models = await service.collection(question.collection, needs="languages")
    models.texts.check_languages(question.language, question.to)
    item = (question.word, question.language, question.to)
    return _words_answer((await service.ask(models.texts.translate, [item], question.k))[0])


@router.post("/classify", response_model=schemas.ClassifyAnswer, tags=["texts"])
async def classify(question: schemas.ClassifyQuestion, service: ServiceDep) -> JsonResponse:
    """Return the class of each text and the probability of every class; a lone classifier is the default."""
    service.check_count(len(question.texts))
    known = service.classifiers
    name = question.classifier or (next(iter(known)) if len(known) == 1 else None)
    if name is None or name not in known:
        there = f"there are {', '.join(map(repr, known))}" if known else "none is loaded"
        raise ApiError(404, f"name a classifier: {there}; tacit serve --classifier NAME=FOLDER loads one")
    costs = [_BASE_COST + len(text) for text in question.texts]
    predictions = await service.ask(known[name].classify, question.texts, costs=costs)
    answer: dict[str, Any] = {"classifier": name, "classes": known[name].classes}
    answer["labels"] = [label for label, _ in predictions]
    answer["probabilities"] = [row for _, row in predictions]
    return JsonResponse(answer)


def _check_pair(pair: schemas.TextPair | schemas.ExplainQuestion, models: ServedCollection) -> Pair:
    """Return two texts and their languages, after checking that the model has these languages."""
    models.texts.check_languages(pair.language_a, pair.language_b)
    return pair.a, pair.b, pair.language_a, pair.language_b


def _words_answer(words: ScoredWords) -> JsonResponse:
    return JsonResponse({"words": [{"word": word, "weight": weight} for word, weight in words]})
