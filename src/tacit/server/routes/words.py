"""Senses of words, and words of other languages."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.refusals import Json
from tacit.server.service import REFUSALS, CollectionQuery, Here

router = APIRouter(responses=REFUSALS, tags=["words"])


@router.post("/senses", response_model=schemas.SensesAnswer)
async def senses(question: schemas.SensesQuestion, service: Here) -> Json:
    """The senses of a word, and which of them it has in a text."""
    models = await service.collection(question.collection)
    models.need("senses")
    item = (question.word, question.text, question.at)
    return Json((await service.ask(models.find_senses, [item]))[0])


@router.get("/languages", response_model=schemas.LanguagesAnswer)
async def languages(service: Here, collection: CollectionQuery = None) -> Json:
    """The languages of a model of several, with the number of words of each."""
    models = await service.collection(collection)
    models.need("languages")
    return Json({"languages": models.languages})


@router.post("/translations", response_model=schemas.WordsAnswer)
async def translations(question: schemas.TranslationsQuestion, service: Here) -> Json:
    """The words of another language used most like a word."""
    models = await service.collection(question.collection)
    models.need("languages")
    models.texts.check_languages(question.language, question.to)
    item = (question.word, question.language, question.to)
    found = (await service.ask(models.texts.translate, [item], question.k))[0]
    return Json({"words": [{"word": word, "weight": weight} for word, weight in found]})
