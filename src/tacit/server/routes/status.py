"""Whether it is up, what it serves, what it has done."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from tacit import __version__
from tacit.server import schemas
from tacit.server.metrics import CONTENT_TYPE
from tacit.server.refusals import Json
from tacit.server.service import REFUSALS, Here
from tacit.server.settings import EXPLAINED, RESULTS, TEXT

router = APIRouter(tags=["status"])


@router.get("/health", response_model=schemas.HealthAnswer)
async def health() -> Json:
    """Whether the service is up; needs no token."""
    return Json({"status": "ok", "version": __version__})


@router.get("/about", response_model=schemas.AboutAnswer, responses=REFUSALS)
async def about(service: Here) -> Json:
    """What is loaded, what can be asked, and the limits."""
    models, limits = service.models, service.settings.limits
    own = {"text": TEXT, "explained": EXPLAINED, "results": RESULTS}
    return Json(
        {
            "name": models.name,
            "version": __version__,
            "abilities": models.abilities(),
            "words": sum(language["words"] for language in models.languages),
            "texts": 0 if models.index is None else len(models.index),
            "languages": models.languages,
            "examples": models.examples,
            "limits": {**own, "batch": limits.batch, "body": limits.body},
        }
    )


@router.get("/metrics", response_class=PlainTextResponse, responses={401: REFUSALS[401]})
async def metrics(service: Here) -> PlainTextResponse:
    """Counters and histograms, in the text format of Prometheus."""
    return PlainTextResponse(service.metrics.render(), media_type=CONTENT_TYPE)
