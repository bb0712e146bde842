"""Create the ASGI application: routes, middleware and lifespan."""

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
from tacit.server.access_control import PUBLIC_PATHS, HostGuard, OriginGuard, TokenGuard
from tacit.server.batching import Batcher
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import install_error_handlers
from tacit.server.jobs import JobQueue
from tacit.server.monitoring import Metrics, RequestMonitor
from tacit.server.request_limits import RequestLimits, Shutdown
from tacit.server.routes import ROUTERS
from tacit.server.served_collection import ServedClassifier, ServedCollection
from tacit.server.server_settings import Settings
from tacit.server.service import Service
from tacit.server.static_pages import SecurityHeaders, install_pages
from tacit.server.uploads import Uploads

DESCRIPTION = "Similarity, search and grouping of short texts, computed by a model on this machine."
GZIP_MIN_BYTES = 2000
_SECURITY_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "The token of tacit serve --token-file.",
}


def create_app(
    collections: ServedCollection | Sequence[ServedCollection] = (),
    settings: Settings | None = None,
    classifiers: Mapping[str, ServedClassifier] | None = None,
) -> FastAPI:
    """Create the ASGI application; the first collection is the default one.

    >>> sorted(route for route in create_app(ServedCollection()).openapi()["paths"])[:4]
    ['/about', '/classify', '/clusters', '/collections']
    """
    settings = settings or Settings()
    preloaded = [collections] if isinstance(collections, ServedCollection) else list(collections)
    metrics, shutdown = Metrics(), Shutdown()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        limits = settings.limits
        batcher = Batcher(max_pending=limits.max_pending_requests, on_batch=metrics.observe_batch)
        metrics.waiting.set_function(batcher.__len__)
        jobs = JobQueue(limits.max_pending_jobs)
        with ExitStack() as stack:
            folder = settings.store_dir
            store = None if folder is None else stack.enter_context(CollectionStore(folder))
            registry = CollectionRegistry(preloaded, store, settings.n_threads)
            stack.callback(registry.close)
            uploads = Uploads(registry, limits)
            service = Service(
                registry, settings, metrics, batcher, jobs, uploads, dict(classifiers or {}), shutdown
            )
            app.state.service = service
            batcher.start()
            jobs.start()
            warm_up = asyncio.create_task(service.warm_up())
            yield
            warm_up.cancel()
            await asyncio.gather(warm_up, return_exceptions=True)
            await jobs.stop()
            await batcher.stop()

    options: dict[str, Any] = {"docs_url": None, "redoc_url": None, "lifespan": lifespan}
    app = FastAPI(title="tacit", version=__version__, description=DESCRIPTION, **options)
    app.state.shutdown = shutdown
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    install_pages(app)
    _install_openapi(app, needs_token=bool(settings.token))
    _add_middleware(app, settings, metrics, shutdown)
    return app


def _add_middleware(app: FastAPI, settings: Settings, metrics: Metrics, shutdown: Shutdown) -> None:
    """Add the middleware, the innermost first."""
    app.add_middleware(RequestLimits, limits=settings.limits, shutdown=shutdown)
    app.add_middleware(GZipMiddleware, minimum_size=GZIP_MIN_BYTES, compresslevel=1)
    if settings.token:
        app.add_middleware(TokenGuard, token=settings.token)
    else:
        app.add_middleware(OriginGuard, allowed=settings.cors_origins)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
        )
    if settings.hosts is not None:
        app.add_middleware(HostGuard, hosts=settings.hosts, allow_ip_hosts=settings.allow_ip_hosts)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMonitor, metrics=metrics, log_format=settings.access_log)


def _install_openapi(app: FastAPI, needs_token: bool) -> None:
    """Create the OpenAPI document on demand; with the bearer scheme, if requests need a token.

    >>> app = FastAPI(title="a", version="1")
    >>> _install_openapi(app, needs_token=True)
    >>> app.openapi()["components"]["securitySchemes"]["token"]["scheme"]
    'bearer'
    """

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            if needs_token:
                document.setdefault("components", {})["securitySchemes"] = {"token": _SECURITY_SCHEME}
                for path, operations in document.get("paths", {}).items():
                    for operation in operations.values():
                        operation["security"] = [] if path in PUBLIC_PATHS else [{"token": []}]
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
