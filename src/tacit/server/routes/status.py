"""Whether it is up, what it serves, what it has done."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from tacit import __version__
from tacit.server.desk import REFUSALS, Here
from tacit.server.errors import Json
from tacit.server.metrics import CONTENT_TYPE
from tacit.server.schemas import AboutAnswer, HealthAnswer
from tacit.server.settings import EXPLAINED, RESULTS, TEXT

router = APIRouter(tags=["status"])


@router.get("/health", response_model=HealthAnswer)
async def health() -> Json:
    """Whether the service is up; needs no token."""
    return Json({"status": "ok", "version": __version__})


@router.get("/about", response_model=AboutAnswer, responses=REFUSALS)
async def about(desk: Here) -> Json:
    """What is loaded, what can be asked, and the limits."""
    shelf = desk.shelf
    vectors = getattr(shelf.model, "word_vectors_", ())
    bounds = desk.settings.limits
    return Json(
        {
            "name": shelf.name,
            "version": __version__,
            "abilities": shelf.abilities(),
            "words": len(vectors),
            "texts": 0 if shelf.index is None else len(shelf.index),
            "languages": shelf.languages,
            "examples": shelf.examples,
            "limits": {
                "text": TEXT,
                "explained": EXPLAINED,
                "results": RESULTS,
                "batch": bounds.batch,
                "body": bounds.body,
            },
        }
    )


@router.get("/metrics", response_class=PlainTextResponse, responses={401: REFUSALS[401]})
async def metrics(desk: Here) -> PlainTextResponse:
    """Counters and histograms, in the text format of Prometheus."""
    return PlainTextResponse(desk.metrics.render(len(desk.batcher)), media_type=CONTENT_TYPE)
