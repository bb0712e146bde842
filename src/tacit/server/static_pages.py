"""The page and its files, from inside the package; nothing comes from another host."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.errors import MissingExtraError
from tacit.search.map_export import VIEWER_DIR

PAGE_DIR = Path(__file__).parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCS_POLICY = POLICY.replace("img-src 'self'", "img-src 'self' data:")
"""The interactive description draws its arrows from inside its style sheet."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def _swagger() -> Path:
    """The files of Swagger UI, as a package brings them; its code is not run."""
    found = find_spec("fastapi_offline")
    if found is None or found.origin is None:
        raise MissingExtraError("the service", "server")
    return Path(found.origin).parent / "static"


class SecurityHeaders:
    """Adds the headers that keep a browser from doing anything but what the page needs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; its answer gets the headers."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, headed)


def install_pages(app: FastAPI) -> None:
    """Serve the page at /, its description of the service at /docs."""

    @app.get("/", include_in_schema=False)
    async def _page() -> FileResponse:
        return FileResponse(PAGE_DIR / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def _docs() -> FileResponse:
        return FileResponse(PAGE_DIR / "docs.html", headers={"content-security-policy": DOCS_POLICY})

    @app.get("/favicon.ico", include_in_schema=False)
    async def _icon() -> FileResponse:
        return FileResponse(PAGE_DIR / "icon.svg", media_type="image/svg+xml")

    app.mount("/docs", StaticFiles(directory=_swagger()), name="docs")
    app.mount("/static/map", StaticFiles(directory=VIEWER_DIR), name="map")
    app.mount("/static", StaticFiles(directory=PAGE_DIR), name="static")
