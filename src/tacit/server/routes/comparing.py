"""How alike texts are, why, and what they leave unsaid."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server.desk import REFUSALS, Desk, Here
from tacit.server.errors import Json, RefusedError
from tacit.server.schemas import (
    ExplainAnswer,
    ExplainQuestion,
    SimilarityAnswer,
    SimilarityQuestion,
    TextPair,
    UnsaidQuestion,
    WordsAnswer,
)
from tacit.server.shelf import Pair

router = APIRouter(responses=REFUSALS, tags=["comparing"])


@router.post("/similarity", response_model=SimilarityAnswer)
async def similarity(question: SimilarityQuestion, desk: Here) -> Json:
    """How alike the texts of each pair are: about 1 for the same, about 0 for nothing in common."""
    desk.shelf.need("compare")
    desk.check_count(len(question.pairs), "pairs")
    pairs = [_checked(pair, desk) for pair in question.pairs]
    _check_work(pairs, desk)
    found = await desk.ask(desk.shelf.compare, pairs, question.measure)
    results = [{"score": score, "percentile": chance} for score, chance in found]
    return Json({"results": results, "measure": question.measure, "model": desk.shelf.name})


@router.post("/explain", response_model=ExplainAnswer)
async def explain(question: ExplainQuestion, desk: Here) -> Json:
    """Split the score of two texts into what each pair of their words adds to it."""
    desk.shelf.need("compare")
    pair = _checked(question, desk)
    return Json((await desk.ask(desk.shelf.explain, [pair], question.measure))[0])


@router.post("/unsaid", response_model=WordsAnswer)
async def unsaid(question: UnsaidQuestion, desk: Here) -> Json:
    """The words a text is about but does not say."""
    desk.shelf.need("compare")
    desk.shelf.speak(question.language)
    found = await desk.ask(desk.shelf.unsaid, [(question.text, question.language)], question.k)
    return Json({"words": [{"word": word, "weight": weight} for word, weight in found[0]]})


def _checked(pair: TextPair | ExplainQuestion, desk: Desk) -> Pair:
    desk.shelf.speak(pair.language_a, pair.language_b)
    return pair.a, pair.b, pair.language_a, pair.language_b


def _check_work(pairs: list[Pair], desk: Desk) -> None:
    """Refuse pairs whose words are too many to hold against each other."""
    work, most = sum(len(pair[0]) * len(pair[1]) for pair in pairs), desk.settings.limits.comparison
    if work > most:
        raise RefusedError(
            422,
            f"these pairs make {work:,} pairs of characters, at most {most:,} at once: send fewer at a time",
        )
