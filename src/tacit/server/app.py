"""Create the ASGI application: routes, middleware and lifespan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from tacit import __version__
from tacit.server.access_control import PUBLIC_PATHS, Guard, check_host, check_origin, check_token
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import install_error_handlers
from tacit.server.monitoring import Metrics, RequestMonitor
from tacit.server.request_limits import RequestLimits, Shutdown
from tacit.server.routes import ROUTERS
from tacit.server.served_collection import ServedClassifier, ServedCollection
from tacit.server.server_settings import Settings
from tacit.server.service import Service
from tacit.server.static_pages import SecurityHeaders, install_pages

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
        with ExitStack() as stack:
            folder = settings.store_dir
            store = None if folder is None else stack.enter_context(CollectionStore(folder))
            temporary = stack.enter_context(TemporaryDirectory(prefix="tacit-", ignore_cleanup_errors=True))
            lock_timeout = settings.limits.lock_timeout
            registry = CollectionRegistry(preloaded, store, settings.n_threads, lock_timeout)
            work_dir = Path(temporary) if store is None else store.work_dir
            service = Service(settings, registry, classifiers or {}, work_dir, metrics, shutdown)
            app.state.service = service
            # a daemon thread: it may compile for minutes, and shutdown shall not wait for it
            Thread(target=service.warm_up, name="tacit-warm-up", daemon=True).start()
            yield
            await service.jobs.stop()
            await service.batcher.stop()
            await registry.stop()

    options: dict[str, Any] = {"docs_url": None, "redoc_url": None, "lifespan": lifespan}
    app = FastAPI(title="tacit", version=__version__, description=DESCRIPTION, **options)
    app.state.shutdown = shutdown
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    install_pages(app)
    if settings.token:
        _require_token_in_openapi(app)
    _add_middleware(app, settings, metrics, shutdown)
    return app


def _add_middleware(app: FastAPI, settings: Settings, metrics: Metrics, shutdown: Shutdown) -> None:
    """Add the middleware, the innermost first."""
    app.add_middleware(RequestLimits, limits=settings.limits, shutdown=shutdown)
    app.add_middleware(GZipMiddleware, minimum_size=GZIP_MIN_BYTES, compresslevel=1)
    if settings.token:
        app.add_middleware(Guard, check=partial(check_token, settings.token))
    else:
        app.add_middleware(Guard, check=partial(check_origin, settings.cors_origins))
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
        )
    if settings.hosts is not None:
        app.add_middleware(Guard, check=partial(check_host, settings.hosts, settings.allow_ip_hosts))
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMonitor, metrics=metrics, log_format=settings.access_log)


def _require_token_in_openapi(app: FastAPI) -> None:
    """Add the bearer scheme to the OpenAPI document.

    >>> app = FastAPI(title="a", version="1")
    >>> _require_token_in_openapi(app)
    >>> app.openapi()["components"]["securitySchemes"]["token"]["scheme"]
    'bearer'
    """

    document = app.openapi()  # FastAPI keeps it
    document.setdefault("components", {})["securitySchemes"] = {"token": _SECURITY_SCHEME}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            operation["security"] = [] if path in PUBLIC_PATHS else [{"token": []}]
