"""How alike texts are, why, and what they leave unsaid."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.refusals import Json
from tacit.server.served_models import ServedModels
from tacit.server.service import REFUSALS, Here
from tacit.server.text_model import Pair, check_work, costs_of

router = APIRouter(responses=REFUSALS, tags=["texts"])


@router.post("/similarity", response_model=schemas.SimilarityAnswer)
async def similarity(question: schemas.SimilarityQuestion, service: Here) -> Json:
    """How alike the texts of each pair are: about 1 for the same, about 0 for nothing in common."""
    models = await service.collection(question.collection)
    models.need("compare")
    service.check_count(len(question.pairs), "pairs")
    pairs = [_checked(pair, models) for pair in question.pairs]
    check_work(pairs, service.settings.limits.comparison)
    found = await service.ask(models.texts.compare, pairs, question.measure, costs=costs_of(pairs))
    results = [{"score": score, "percentile": percentile} for score, percentile in found]
    return Json({"results": results, "measure": question.measure, "model": models.name})


@router.post("/explain", response_model=schemas.ExplainAnswer)
async def explain(question: schemas.ExplainQuestion, service: Here) -> Json:
    """Split the score of two texts into what each pair of their words adds to it."""
    models = await service.collection(question.collection)
    models.need("compare")
    pair = _checked(question, models)
    return Json((await service.ask(models.texts.explain, [pair], question.measure))[0])


@router.post("/unsaid", response_model=schemas.WordsAnswer)
async def unsaid(question: schemas.UnsaidQuestion, service: Here) -> Json:
    """The words a text is about but does not say."""
    models = await service.collection(question.collection)
    models.need("compare")
    models.texts.check_languages(question.language)
    item = (question.text, question.language)
    found = await service.ask(models.texts.unsaid, [item], question.k)
    return Json({"words": [{"word": word, "weight": weight} for word, weight in found[0]]})


def _checked(pair: schemas.TextPair | schemas.ExplainQuestion, models: ServedModels) -> Pair:
    models.texts.check_languages(pair.language_a, pair.language_b)
    return pair.a, pair.b, pair.language_a, pair.language_b
