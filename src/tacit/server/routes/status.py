"""Health, readiness, metrics and what is loaded."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from tacit import __version__
from tacit.server import response_schemas as responses
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.monitoring import CONTENT_TYPE
from tacit.server.server_settings import MAX_EXPLAINED_CHARS, MAX_RESULTS, MAX_TEXT_CHARS
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, ServiceDep

router = APIRouter(tags=["status"])


@router.get("/health", response_model=responses.HealthResponse)
@router.head("/health", include_in_schema=False)
async def health() -> JsonResponse:
    """Return that the service is running; needs no token."""
    return JsonResponse({"status": "ok", "version": __version__})


@router.get("/ready", response_model=responses.ReadyResponse, responses={503: ERROR_RESPONSES[503]})
@router.head("/ready", include_in_schema=False)
async def ready(service: ServiceDep) -> JsonResponse:
    """Return whether requests are answered without delay; needs no token.

    503 while models are being prepared, while too many requests wait, and during shutdown.
    """
    if not service.is_ready:
        raise ApiError(503, "the models are being prepared", retry_after="1")
    is_full = len(service.batcher) >= service.settings.limits.max_pending_requests
    if service.shutdown.has_begun or is_full:
        raise ApiError(503, "the service is busy or shutting down", retry_after="1")
    return JsonResponse({"status": "ready"})


@router.get("/about", response_model=responses.AboutResponse, responses=ERROR_RESPONSES)
async def about(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """Return what a collection has and can do, and the limits of requests."""
    served, limits = await service.collection(collection), service.settings.limits
    return JsonResponse(
        {
            "name": served.name,
            "collection": collection or await service.registry.default(),
            "version": __version__,
            "abilities": served.capabilities(),
            "words": sum(language["words"] for language in served.languages),
            "texts": 0 if served.index is None else len(served.index),
            "languages": served.languages,
            "examples": served.examples,
            "words_to_try": served.example_words,
            "classifiers": list(service.classifiers),
            "may_write": service.registry.store is not None,
            "limits": {
                "text": MAX_TEXT_CHARS,
                "explained": MAX_EXPLAINED_CHARS,
                "results": MAX_RESULTS,
                "batch": limits.max_texts_per_request,
                "body": limits.max_body_bytes,
            },
        }
    )


@router.get("/metrics", response_class=PlainTextResponse, responses={401: ERROR_RESPONSES[401]})
async def metrics(service: ServiceDep) -> PlainTextResponse:
    """Return counters and histograms in the text format of Prometheus."""
    return PlainTextResponse(service.metrics.render(), media_type=CONTENT_TYPE)
