"""Middleware that checks the host name, the origin and the bearer token of requests."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.server.http_errors import error_response

PUBLIC_PATHS = frozenset({"/", "/health", "/ready", "/docs", "/docs/", "/openapi.json", "/favicon.ico"})
"""Paths that need no token, like all below /static/ and /docs/: they contain no texts."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]@/\s]+)(?::\d{1,5})?")


class HostGuard:
    """Middleware that responds 403 if the Host header is not an accepted name.

    This prevents DNS rebinding, where a web page points its own domain name at this machine and reads what is
    served. ``allow_ip_hosts`` accepts any IP address, because an address cannot be rebound.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], allow_ip_hosts: bool = False) -> None:
        self.app, self.hosts, self.allow_ip_hosts = app, {name.lower() for name in hosts}, allow_ip_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with an error."""
        if scope["type"] != "http" or self._is_allowed(host := Headers(scope=scope).get("host", "")):
            await self.app(scope, receive, send)
            return
        names = ", ".join(sorted(self.hosts)) + " and any IP address" * self.allow_ip_hosts
        message = (
            f"host {host[:100]!r} is not accepted, only {names}: add it with --allow-host, or use a token"
        )
        await error_response(403, message)(scope, receive, send)

    def _is_allowed(self, host: str) -> bool:
        match = _HOST.fullmatch(host.lower())
        if match is None:
            return False
        return match[1] in self.hosts or (self.allow_ip_hosts and _is_ip_address(match[1]))


def _is_ip_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class OriginGuard:
    """Middleware that responds 403 to a POST or DELETE sent by a page of another origin.

    Without a token, a browser would send such a request for any page. ``allowed`` are origins to accept.
    """

    def __init__(self, app: ASGIApp, allowed: Collection[str] = ()) -> None:
        self.app, self.allowed = app, frozenset(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with an error."""
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            headers = Headers(scope=scope)
            origin, host = headers.get("origin"), headers.get("host", "")
            is_same_origin = origin is None or origin.partition("://")[2].lower() == host.lower()
            if not is_same_origin and origin not in self.allowed:
                message = f"origin {str(origin)[:100]!r} is not accepted: add it with --cors-origin"
                await error_response(403, message)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class TokenGuard:
    """Middleware that responds 401 to requests without the bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with an error."""
        if scope["type"] != "http" or self._is_authorized(scope):
            await self.app(scope, receive, send)
            return
        message = "a bearer token is required: Authorization: Bearer TOKEN"
        await error_response(401, message, {"www-authenticate": "Bearer"})(scope, receive, send)

    def _is_authorized(self, scope: Scope) -> bool:
        if scope["path"] in PUBLIC_PATHS or scope["path"].startswith(("/static/", "/docs/")):
            return True
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        # bytes, because compare_digest accepts only ASCII strings
        is_equal = compare_digest(token.strip().encode("utf-8", "replace"), self.token)
        return is_equal and scheme.lower() == "bearer"
