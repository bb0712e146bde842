"""The application: routes behind guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from tacit import __version__
from tacit.server import errors, pages
from tacit.server.auth import Gate
from tacit.server.batching import Batcher
from tacit.server.bounds import Bounds
from tacit.server.desk import Desk
from tacit.server.drawing import Drawing
from tacit.server.metrics import Metrics, Watch
from tacit.server.routes import comparing, embeddings, searching, status, words
from tacit.server.settings import Settings
from tacit.server.shelf import Shelf

ABOUT = (
    "What short texts mean beyond the words they use. Everything is answered by the model on this machine."
)


def make_app(shelf: Shelf, settings: Settings | None = None) -> FastAPI:
    """An ASGI application that serves what is on the shelf.

    >>> sorted(route for route in make_app(Shelf()).openapi()["paths"])[:4]
    ['/about', '/explain', '/health', '/languages']
    """
    settings = settings or Settings()
    metrics = Metrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        batcher = Batcher(waiting=settings.limits.waiting, watch=metrics.saw_batch)
        drawing = None if shelf.index is None else Drawing(shelf.index)
        app.state.desk = Desk(shelf, settings, metrics, batcher, drawing)
        batcher.start()
        yield
        await batcher.stop()

    app = FastAPI(
        title="tacit", version=__version__, description=ABOUT, docs_url=None, redoc_url=None, lifespan=life
    )
    errors.install(app)
    for room in (embeddings, comparing, searching, words, status):
        app.include_router(room.router)
    pages.install(app)
    # the last added is the outermost: every answer is counted and has its headers
    app.add_middleware(Bounds, limits=settings.limits)
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(pages.Headed)
    app.add_middleware(Watch, metrics=metrics)
    return app
