"""The description of the service for machines: with the bearer scheme, where a token is asked for."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tacit.server.access import OPEN

_SCHEME = {"type": "http", "scheme": "bearer", "description": "The token of tacit serve --token-file."}


def describe(app: FastAPI, guarded: bool) -> None:
    """Let the application describe itself, once.

    >>> app = FastAPI(title="a", version="1")
    >>> describe(app, guarded=True)
    >>> app.openapi()["components"]["securitySchemes"]["token"]["scheme"]
    'bearer'
    """

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            if guarded:
                found.setdefault("components", {})["securitySchemes"] = {"token": _SCHEME}
                for path, operations in found.get("paths", {}).items():
                    for operation in operations.values():
                        operation["security"] = [] if path in OPEN else [{"token": []}]
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
