"""The application: routes behind guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from tacit import __version__
from tacit.server.access import HostGuard, TokenGuard
from tacit.server.batching import Batcher
from tacit.server.map_drawing import MapDrawing
from tacit.server.metrics import Metrics, RequestCounter
from tacit.server.pages import PageHeaders, install_pages
from tacit.server.refusals import install_refusals
from tacit.server.request_limits import RequestLimits
from tacit.server.routes import collection, status, texts, words
from tacit.server.served_models import ServedModels
from tacit.server.service import Service
from tacit.server.settings import Settings

ABOUT = (
    "What short texts mean beyond the words they use. Everything is answered by the model on this machine."
)


def make_app(models: ServedModels, settings: Settings | None = None) -> FastAPI:
    """An ASGI application that serves some models.

    >>> sorted(route for route in make_app(ServedModels()).openapi()["paths"])[:4]
    ['/about', '/explain', '/health', '/languages']
    """
    settings = settings or Settings()
    metrics = Metrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        batcher = Batcher(waiting=settings.limits.waiting, watch=metrics.saw_batch)
        metrics.waiting.set_function(batcher.__len__)
        drawing = None if models.index is None else MapDrawing(models.index)
        app.state.service = Service(models, settings, metrics, batcher, drawing)
        batcher.start()
        yield
        await batcher.stop()

    app = FastAPI(
        title="tacit", version=__version__, description=ABOUT, docs_url=None, redoc_url=None, lifespan=life
    )
    install_refusals(app)
    for group in (texts, collection, words, status):
        app.include_router(group.router)
    install_pages(app)
    # the last added is the outermost: every answer is counted and has its headers
    app.add_middleware(RequestLimits, limits=settings.limits)
    if settings.token:
        app.add_middleware(TokenGuard, token=settings.token)
    if settings.hosts is not None:
        app.add_middleware(HostGuard, hosts=settings.hosts)
    app.add_middleware(PageHeaders)
    app.add_middleware(RequestCounter, metrics=metrics)
    return app
