"""Middleware that checks the host name, the origin and the bearer token of requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
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
    """Middleware that responds with the error that a check returns, or else runs the application."""

    def __init__(self, app: ASGIApp, check: Callable[[Scope, Headers], JsonResponse | None]) -> None:
        self.app, self.check = app, check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with an error."""
        error = self.check(scope, Headers(scope=scope)) if scope["type"] == "http" else None
        await (error or self.app)(scope, receive, send)


def check_host(
    hosts: Collection[str], allow_ip_hosts: bool, scope: Scope, headers: Headers
) -> JsonResponse | None:
    """Return a 403 error if the Host header is not one of ``hosts``.

    This prevents DNS rebinding, where a web page points its own domain name at this machine and reads what is
    served. ``allow_ip_hosts`` accepts any IP address, because an address cannot be rebound.
    """
    host = headers.get("host", "")
    match = _HOST.fullmatch(host.lower())
    if match and match[1] in {name.lower() for name in hosts}:
        return None
    if match and allow_ip_hosts:
        with suppress(ValueError):
            ip_address(match[1].strip("[]"))
            return None
    names = ", ".join(sorted(hosts)) + " and any IP address" * allow_ip_hosts
    message = f"host {host[:100]!r} is not accepted, only {names}: add it with --allow-host, or use a token"
    return error_response(403, message)


def check_origin(allowed: Collection[str], scope: Scope, headers: Headers) -> JsonResponse | None:
    """Return a 403 error for a POST or DELETE that a page of another origin sent, unless it is allowed.

    Browsers send the Origin header. Without a token, they would send such a request for any page.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None or origin in allowed or scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return None
    if origin.partition("://")[2].lower() == host.lower():
        return None
    return error_response(403, f"origin {origin[:100]!r} is not accepted: add it with --cors-origin")


def check_token(token: str, scope: Scope, headers: Headers) -> JsonResponse | None:
    """Return a 401 error if the Authorization header has not the bearer token, except for public paths."""
    if scope["path"] in PUBLIC_PATHS or scope["path"].startswith(("/static/", "/docs/")):
        return None
    scheme, _, given = headers.get("authorization", "").partition(" ")
    # bytes, because compare_digest accepts only ASCII strings
    is_equal = compare_digest(given.strip().encode("utf-8", "replace"), token.encode("ascii"))
    if is_equal and scheme.lower() == "bearer":
        return None
    message = "a bearer token is required: Authorization: Bearer TOKEN"
    return error_response(401, message, {"www-authenticate": "Bearer"})
