"""Whether it is up, what it serves, what it has done."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from tacit import __version__
from tacit.server import schemas
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.monitoring import CONTENT_TYPE
from tacit.server.server_settings import MAX_EXPLAINED_CHARS, MAX_RESULTS, MAX_TEXT_CHARS
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, ServiceDep

router = APIRouter(tags=["status"])


@router.get("/health", response_model=schemas.HealthAnswer)
@router.head("/health", include_in_schema=False)
async def health() -> JsonResponse:
    """Whether the service is up; needs no token."""
    return JsonResponse({"status": "ok", "version": __version__})


@router.get("/ready", response_model=schemas.ReadyAnswer, responses={503: ERROR_RESPONSES[503]})
@router.head("/ready", include_in_schema=False)
async def ready(service: ServiceDep) -> JsonResponse:
    """Whether questions are answered without delay: everything is read and warm, and nothing is ending.

    Needs no token. 503 before, when too many questions wait, and at the end.
    """
    if not service.is_warm:
        raise ApiError(503, "the models are being prepared", retry_after="1")
    if service.ending.ended or len(service.batcher) >= service.settings.limits.max_pending_requests:
        raise ApiError(503, "the service is ending, or too busy", retry_after="1")
    return JsonResponse({"status": "ready"})


@router.get("/about", response_model=schemas.AboutAnswer, responses=ERROR_RESPONSES)
async def about(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """What a collection has, what can be asked of it, and the limits."""
    models, limits = await service.collection(collection), service.settings.limits
    own = {"text": MAX_TEXT_CHARS, "explained": MAX_EXPLAINED_CHARS, "results": MAX_RESULTS}
    return JsonResponse(
        {
            "name": models.name,
            "collection": collection or service.library.default,
            "version": __version__,
            "abilities": models.abilities(),
            "words": sum(language["words"] for language in models.languages),
            "texts": 0 if models.index is None else len(models.index),
            "languages": models.languages,
            "examples": models.examples,
            "words_to_try": models.words_to_try,
            "classifiers": list(service.classifiers),
            "may_write": service.may_write,
            "limits": {**own, "batch": limits.max_texts_per_request, "body": limits.max_body_bytes},
        }
    )


@router.get("/metrics", response_class=PlainTextResponse, responses={401: ERROR_RESPONSES[401]})
async def metrics(service: ServiceDep) -> PlainTextResponse:
    """Counters and histograms, in the text format of Prometheus."""
    return PlainTextResponse(service.metrics.render(), media_type=CONTENT_TYPE)
