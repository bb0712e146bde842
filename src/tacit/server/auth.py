"""Who may ask: a bearer token compared in constant time, and names that belong to this host."""

from __future__ import annotations

from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.server.errors import refused
from tacit.server.settings import Settings

OPEN = frozenset({"/", "/health", "/docs", "/openapi.json", "/favicon.ico"})
"""Paths that need no token: they tell nothing of the texts. So does all below /static/."""


class Gate:
    """Refuses requests without the token (401) or under a foreign host name (403)."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Stand before ``app``."""
        self.app = app
        self.hosts = settings.hosts
        self.token = settings.token.encode("ascii") if settings.token else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.hosts is not None and host_name(headers.get("host", "")) not in self.hosts:
            name = headers.get("host", "")[:100]
            answer = refused(
                403, f"this service answers to localhost, not to {name!r}; with a token, to any name"
            )
        elif not self._known(scope["path"], headers.get("authorization", "")):
            answer = refused(
                401, "a bearer token is needed: Authorization: Bearer TOKEN", {"www-authenticate": "Bearer"}
            )
        else:
            await self.app(scope, receive, send)
            return
        await answer(scope, receive, send)

    def _known(self, path: str, authorization: str) -> bool:
        if self.token is None or path in OPEN or path.startswith("/static/"):
            return True
        scheme, _, given = authorization.partition(" ")
        # bytes: compare_digest refuses other letters in strings
        same = compare_digest(given.strip().encode("utf-8", "replace"), self.token)
        return same and scheme.lower() == "bearer"


def host_name(header: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()
