"""Classes of texts, by classifiers that were given at the start."""

from __future__ import annotations

from fastapi import APIRouter

from tacit.server import schemas
from tacit.server.refusals import Json, RefusedError
from tacit.server.service import REFUSALS, Here

router = APIRouter(responses=REFUSALS, tags=["texts"])

_READING = 1000  # what a text costs beside its characters


@router.post("/classify", response_model=schemas.ClassifyAnswer)
async def classify(question: schemas.ClassifyQuestion, service: Here) -> Json:
    """The class of each text, and how probable every class is; a lone classifier need not be named."""
    service.check_count(len(question.texts))
    known = service.classifiers
    name = question.classifier or (next(iter(known)) if len(known) == 1 else None)
    if name is None or name not in known:
        there = f"there are {', '.join(map(repr, known))}" if known else "none is loaded"
        raise RefusedError(404, f"name a classifier: {there}; tacit serve --classifier NAME=FOLDER loads one")
    costs = [_READING + len(text) for text in question.texts]
    found = await service.ask(known[name].classify, question.texts, costs=costs)
    return Json(
        {
            "classifier": name,
            "classes": known[name].classes,
            "labels": [label for label, _ in found],
            "probabilities": [row for _, row in found],
        }
    )
