"""Who may ask: names that belong to this host, and a bearer token compared in constant time."""

from __future__ import annotations

from collections.abc import Collection
from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server.refusals import refused

OPEN = frozenset({"/", "/health", "/docs", "/openapi.json", "/favicon.ico"})
"""Paths that need no token: they tell nothing of the texts. So does all below /static/."""


class HostGuard:
    """Starlette's guard against foreign host names; who is refused (403) is told the way in."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self.app = app
        self.guard = TrustedHostMiddleware(_let_in, list(hosts), www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        refusal: list[Message] = []

        async def keep(message: Message) -> None:
            refusal.append(message)

        await self.guard(scope, receive, keep)
        if not refusal:
            await self.app(scope, receive, send)
            return
        name = Headers(scope=scope).get("host", "")[:100]
        reason = f"this service answers to localhost, not to {name!r}; with a token, to any name"
        await refused(403, reason)(scope, receive, send)


async def _let_in(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing: the application that is guarded does."""


class TokenGuard:
    """Refuses requests without the token (401)."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http" or self._may_pass(scope):
            await self.app(scope, receive, send)
            return
        reason = "a bearer token is needed: Authorization: Bearer TOKEN"
        await refused(401, reason, {"www-authenticate": "Bearer"})(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["path"] in OPEN or scope["path"].startswith("/static/"):
            return True
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        # bytes: compare_digest refuses other letters in strings
        same = compare_digest(given.strip().encode("utf-8", "replace"), self.token)
        return same and scheme.lower() == "bearer"
