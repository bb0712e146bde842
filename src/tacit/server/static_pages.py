"""The web page, the API page and their security headers; nothing is loaded from another host."""

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
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# the style sheet of Swagger UI contains its arrows as data: URLs
DOCS_CONTENT_SECURITY_POLICY = CONTENT_SECURITY_POLICY.replace("img-src 'self'", "img-src 'self' data:")
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class SecurityHeaders:
    """Middleware that adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def install_pages(app: FastAPI) -> None:
    """Serve the page at / and the API page at /docs."""

    @app.get("/", include_in_schema=False)
    async def _page() -> FileResponse:
        return FileResponse(PAGE_DIR / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def _docs() -> FileResponse:
        headers = {"content-security-policy": DOCS_CONTENT_SECURITY_POLICY}
        return FileResponse(PAGE_DIR / "docs.html", headers=headers)

    @app.get("/favicon.ico", include_in_schema=False)
    async def _icon() -> FileResponse:
        return FileResponse(PAGE_DIR / "icon.svg", media_type="image/svg+xml")

    app.mount("/docs", StaticFiles(directory=_swagger_ui_dir()), name="docs")
    app.mount("/static/map", StaticFiles(directory=VIEWER_DIR), name="map")
    app.mount("/static", StaticFiles(directory=PAGE_DIR), name="static")


def _swagger_ui_dir() -> Path:
    """Return the folder of Swagger UI in the package fastapi_offline, which is not imported."""
    spec = find_spec("fastapi_offline")
    if spec is None or spec.origin is None:
        raise MissingExtraError("the service", "server")
    return Path(spec.origin).parent / "static"
