"""Middleware that checks the host name, the origin and the bearer token of requests."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from ipaddress import ip_address
from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.server.http_errors import JsonResponse, error_response

PUBLIC_PATHS = frozenset({"/", "/health", "/ready", "/docs", "/docs/", "/openapi.json", "/favicon.ico"})
"""Paths that need no token, like all below /static/ and /docs/: they contain no texts."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]@/\s]+)(?::\d{1,5})?")


class Guard:
    """Middleware that runs the application only if ``check`` finds no error."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with an error."""
        error = self.check(scope, Headers(scope=scope)) if scope["type"] == "http" else None
        await (error or self.app)(scope, receive, send)

    def check(self, scope: Scope, headers: Headers) -> JsonResponse | None:
        """Return the error response for a request that is not accepted."""
        raise NotImplementedError


class HostGuard(Guard):
    """Responds 403 if the Host header is not an accepted name.

    This prevents DNS rebinding, where a web page points its own domain name at this machine and reads what is
    served. ``allow_ip_hosts`` accepts any IP address, because an address cannot be rebound.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], allow_ip_hosts: bool = False) -> None:
        super().__init__(app)
        self.hosts, self.allow_ip_hosts = {name.lower() for name in hosts}, allow_ip_hosts

    def check(self, scope: Scope, headers: Headers) -> JsonResponse | None:
        """Check the Host header."""
        host = headers.get("host", "")
        match = _HOST.fullmatch(host.lower())
        if match and match[1] in self.hosts:
            return None
        if match and self.allow_ip_hosts:
            with suppress(ValueError):
                ip_address(match[1].strip("[]"))
                return None
        names = ", ".join(sorted(self.hosts)) + " and any IP address" * self.allow_ip_hosts
        message = (
            f"host {host[:100]!r} is not accepted, only {names}: add it with --allow-host, or use a token"
        )
        return error_response(403, message)


class OriginGuard(Guard):
    """Responds 403 to a POST or DELETE sent by a page of another origin.

    Without a token, a browser would send such a request for any page. ``allowed`` are origins to accept.
    """

    def __init__(self, app: ASGIApp, allowed: Collection[str] = ()) -> None:
        super().__init__(app)
        self.allowed = frozenset(allowed)

    def check(self, scope: Scope, headers: Headers) -> JsonResponse | None:
        """Check the Origin header, which browsers send."""
        origin, host = headers.get("origin"), headers.get("host", "")
        if origin is None or origin in self.allowed or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return None
        if origin.partition("://")[2].lower() == host.lower():
            return None
        return error_response(403, f"origin {origin[:100]!r} is not accepted: add it with --cors-origin")


class TokenGuard(Guard):
    """Responds 401 to requests without the bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        super().__init__(app)
        self.token = token.encode("ascii")

    def check(self, scope: Scope, headers: Headers) -> JsonResponse | None:
        """Check the Authorization header, except for public paths."""
        if scope["path"] in PUBLIC_PATHS or scope["path"].startswith(("/static/", "/docs/")):
            return None
        scheme, _, token = headers.get("authorization", "").partition(" ")
        # bytes, because compare_digest accepts only ASCII strings
        is_equal = compare_digest(token.strip().encode("utf-8", "replace"), self.token)
        if is_equal and scheme.lower() == "bearer":
            return None
        message = "a bearer token is required: Authorization: Bearer TOKEN"
        return error_response(401, message, {"www-authenticate": "Bearer"})
