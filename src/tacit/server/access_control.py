"""Who may ask: names that belong to this host, and a bearer token compared in constant time."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.server.http_errors import error_response

OPEN = frozenset({"/", "/health", "/ready", "/docs", "/docs/", "/openapi.json", "/favicon.ico"})
"""Paths that need no token: they tell nothing of the texts. So does all below /static/."""


class HostGuard:
    """Refuses requests that call this host by a foreign name (403), and tells the way in.

    A web page elsewhere may point a name of its own at this machine (rebinding); its requests then carry
    that name. ``hosts`` are the names that belong here; ``addresses`` says that any number will do, for no
    page can rebind a number.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], addresses: bool = False) -> None:
        self.app, self.hosts, self.addresses = app, {name.lower() for name in hosts}, addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        name = Headers(scope=scope).get("host", "") if scope["type"] == "http" else "localhost"
        if self._belongs(name) or scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        known = ", ".join(sorted(self.hosts))
        reason = (
            f"this service answers to {known}{' and numbers' * self.addresses}, not to {name[:100]!r}; "
            "name others with --allow-host, or ask for a token"
        )
        await error_response(403, reason)(scope, receive, send)

    def _belongs(self, given: str) -> bool:
        found = _HOST.fullmatch(given.lower())
        if found is None:
            return False
        name = found[1]
        return name in self.hosts or (self.addresses and _is_address(name))


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]@/\s]+)(?::\d{1,5})?")


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class OriginGuard:
    """Refuses what changes something (403) when a page of another origin asks for it.

    Without a token a browser would send it for any page; ``allowed`` are origins that may.
    """

    def __init__(self, app: ASGIApp, allowed: Collection[str] = ()) -> None:
        self.app, self.allowed = app, frozenset(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            own = origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()
            if not own and origin not in self.allowed:
                reason = f"a page at {origin[:100]!r} may not ask for this: allow it with --cors-origin"  # type: ignore[index]
                await error_response(403, reason)(scope, receive, send)
                return
        await self.app(scope, receive, send)


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
        await error_response(401, reason, {"www-authenticate": "Bearer"})(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["path"] in OPEN or scope["path"].startswith(("/static/", "/docs/")):
            return True
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        # bytes: compare_digest refuses other letters in strings
        same = compare_digest(given.strip().encode("utf-8", "replace"), self.token)
        return same and scheme.lower() == "bearer"
