"""The application: routes behind guards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from tacit import __version__
from tacit.server.access_control import OPEN, HostGuard, OriginGuard, TokenGuard
from tacit.server.batching import Batcher
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import install_error_handlers
from tacit.server.jobs import JobQueue
from tacit.server.monitoring import Metrics, RequestMonitor
from tacit.server.request_limits import RequestLimits, Shutdown
from tacit.server.routes import ROUTERS
from tacit.server.served_classifier import ServedClassifier
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Settings
from tacit.server.service import Service
from tacit.server.static_pages import SecurityHeaders, install_pages
from tacit.server.uploads import Uploads

ABOUT = (
    "What short texts mean beyond the words they use. Everything is answered by the model on this machine."
)
_SCHEME = {"type": "http", "scheme": "bearer", "description": "The token of tacit serve --token-file."}
_COMPRESSED = 2000  # bytes from which on an answer is compressed


def create_app(
    models: ServedCollection | Sequence[ServedCollection] = (),
    settings: Settings | None = None,
    classifiers: Mapping[str, ServedClassifier] | None = None,
) -> FastAPI:
    """An ASGI application that serves some models, the first of which is meant where none is named.

    >>> sorted(route for route in create_app(ServedCollection()).openapi()["paths"])[:4]
    ['/about', '/classify', '/clusters', '/collections']
    """
    settings = settings or Settings()
    given = [models] if isinstance(models, ServedCollection) else list(models)
    metrics, ending = Metrics(), Shutdown()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        batcher = Batcher(waiting=settings.limits.max_pending_requests, watch=metrics.observe_batch)
        metrics.waiting.set_function(batcher.__len__)
        jobs = JobQueue(settings.limits.max_pending_jobs)
        with ExitStack() as stack:
            home = (
                None
                if settings.store_dir is None
                else stack.enter_context(CollectionStore(settings.store_dir))
            )
            library = CollectionRegistry(given, home, settings.n_threads)
            stack.callback(library.close)
            uploads = Uploads(library, settings.limits)
            service = Service(
                library, settings, metrics, batcher, jobs, uploads, dict(classifiers or {}), ending
            )
            app.state.service = service
            batcher.start()
            jobs.start()
            warming = asyncio.create_task(service.warm())
            yield
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await jobs.stop()
            await batcher.stop()

    app = FastAPI(
        title="tacit", version=__version__, description=ABOUT, docs_url=None, redoc_url=None, lifespan=life
    )
    app.state.ending = ending
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    install_pages(app)
    _install_openapi(app, guarded=bool(settings.token))
    _guard(app, settings, metrics, ending)
    return app


def _guard(app: FastAPI, settings: Settings, metrics: Metrics, ending: Shutdown) -> None:
    """Put guards before the routes; the last added is the outermost: every answer has its headers."""
    app.add_middleware(RequestLimits, limits=settings.limits, ending=ending)
    app.add_middleware(GZipMiddleware, minimum_size=_COMPRESSED, compresslevel=1)
    if settings.token:
        app.add_middleware(TokenGuard, token=settings.token)
    else:
        app.add_middleware(OriginGuard, allowed=settings.cors_origins)
    if settings.cors_origins:
        options: dict[str, Any] = {"allow_methods": ["GET", "POST", "DELETE"]}
        options["allow_headers"] = ["authorization", "content-type"]
        app.add_middleware(CORSMiddleware, allow_origins=settings.cors_origins, **options)
    if settings.hosts is not None:
        app.add_middleware(HostGuard, hosts=settings.hosts, addresses=settings.allow_ip_hosts)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMonitor, metrics=metrics, log_format=settings.access_log)


def _install_openapi(app: FastAPI, guarded: bool) -> None:
    """Create the OpenAPI document on demand; with the bearer scheme, if requests need a token.

    >>> app = FastAPI(title="a", version="1")
    >>> _install_openapi(app, guarded=True)
    >>> app.openapi()["components"]["securitySchemes"]["token"]["scheme"]
    'bearer'
    """

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            if guarded:
                document.setdefault("components", {})["securitySchemes"] = {"token": _SCHEME}
                for path, operations in document.get("paths", {}).items():
                    for operation in operations.values():
                        operation["security"] = [] if path in OPEN else [{"token": []}]
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
