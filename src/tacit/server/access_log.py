"""A line for each request that was answered: who, what address, how it ended, how long. No texts."""

from __future__ import annotations

import json
import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("tacit.access")

FORMS = ("text", "json")
_HUNG_UP = 499


class AccessLog:
    """Writes the line, as text or as JSON.

    The address is the route's: names in it, queries and bodies may hold texts of people, and are left out.
    """

    def __init__(self, app: ASGIApp, form: str = "text") -> None:
        self.app, self.form = app, form

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and write about it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, sent, started = _HUNG_UP, 0, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            self._write(scope, status, sent, time.perf_counter() - started)

    def _write(self, scope: Scope, status: int, sent: int, seconds: float) -> None:
        client = scope.get("client") or ("-", 0)
        facts = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "client": client[0],
            "method": scope["method"][:10],
            "route": getattr(scope.get("route"), "path", "other"),
            "status": status,
            "bytes": sent,
            "ms": round(seconds * 1000, 1),
        }
        logger.info(json.dumps(facts) if self.form == "json" else " ".join(map(str, facts.values())))


def write_to_stderr() -> None:
    """Let the lines go to stderr as they are."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(logging.INFO)
