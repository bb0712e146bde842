"""Senses of words, and words of other languages."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server.desk import REFUSALS, Here
from tacit.server.errors import Json
from tacit.server.schemas import (
    LanguagesAnswer,
    SensesAnswer,
    SensesQuestion,
    TranslationsQuestion,
    WordsAnswer,
)

router = APIRouter(responses=REFUSALS, tags=["words"])


@router.post("/senses", response_model=SensesAnswer)
async def senses(question: SensesQuestion, desk: Here) -> Json:
    """The senses of a word, and which of them it has in a text."""
    desk.shelf.need("senses")
    item = (question.word, question.text, question.at)
    return Json((await desk.ask(desk.shelf.find_senses, [item]))[0])


@router.get("/languages", response_model=LanguagesAnswer)
async def languages(desk: Here) -> Json:
    """The languages of the model."""
    desk.shelf.need("languages")
    found = desk.shelf.model.languages_
    return Json(
        {
            "languages": [
                {"code": code, "words": len(language.word_vectors)} for code, language in found.items()
            ]
        }
    )


@router.post("/translations", response_model=WordsAnswer)
async def translations(question: TranslationsQuestion, desk: Here) -> Json:
    """The words of another language used most like a word."""
    desk.shelf.need("languages")
    desk.shelf.speak(question.language, question.to)
    item = (question.word, question.language, question.to)
    found = (await desk.ask(desk.shelf.translate, [item], question.k))[0]
    return Json({"words": [{"word": word, "weight": weight} for word, weight in found]})
