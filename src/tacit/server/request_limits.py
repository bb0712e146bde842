"""Limits of a request: its body is read, no larger and no slower than allowed, then it is answered in time.

The application behind sees only requests whose body has arrived. A client that is too slow gets 408, a body
too large 413, an answer that takes too long 503, a fault of ours 500; who hangs up is forgotten.
"""

from __future__ import annotations

import asyncio
import logging

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server.refusals import refused
from tacit.server.settings import Limits

logger = logging.getLogger(__name__)

_DRAINED = 256_000_000  # bytes of a refused body that are read and dropped, so that a client sees the answer
_DRAIN_SECONDS = 10.0
_CLOSE = {"connection": "close"}


class TooLargeError(Exception):
    """The body is larger than allowed."""


class GoneError(Exception):
    """The client hung up."""


class RequestLimits:
    """Guards an application; see the module."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, ask the application, all within the time allowed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent = _Sent(send)
        arrived = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                body = await self._body(Headers(scope=scope), receive)
                arrived = True
                await self.app(scope, _replay(body, receive), sent)
        except TooLargeError:
            await self._refuse_early(scope, receive, send)
        except GoneError:
            logger.info("a client hung up while it was sending")
        except TimeoutError:
            await self._too_slow(arrived, sent, scope, receive)
        except Exception:
            logger.exception("a fault while answering %s %s", scope["method"], scope["path"])
            if sent.started:
                raise
            await refused(500, "a fault of the service; its log says more")(scope, receive, sent)

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        declared = headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self.limits.body:
            raise TooLargeError
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise GoneError
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.limits.body:
                raise TooLargeError
            if not message.get("more_body", False):
                return b"".join(parts)

    async def _refuse_early(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once, then let the client finish sending: many look for an answer only afterwards."""
        answer = refused(413, f"the body is larger than {self.limits.body:,} bytes: send less", _CLOSE)
        await send(
            {"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers}
        )
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        expects = Headers(scope=scope).get("expect", "").lower() == "100-continue"
        if not expects:
            await _drain(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _too_slow(self, arrived: bool, sent: _Sent, scope: Scope, receive: Receive) -> None:
        if sent.started:  # the client does not take its answer: end the connection
            raise ConnectionError("the client was too slow to read its answer")
        seconds = f"{self.limits.seconds:g} s"
        if arrived:
            answer = refused(503, f"the answer took more than {seconds}: ask for less at once, or try again")
        else:
            answer = refused(408, f"the request took more than {seconds} to arrive", _CLOSE)
        await answer(scope, receive, sent)


class _Sent:
    """Passes messages on and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self.send, self.started = send, False

    async def __call__(self, message: Message) -> None:
        self.started = self.started or message["type"] == "http.response.start"
        await self.send(message)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A receive that gives the body that was read, then waits for the client to hang up."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


async def _drain(receive: Receive) -> None:
    """Read and drop what still arrives, up to a bound."""
    dropped = 0
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while dropped < _DRAINED:
                message = await receive()
                dropped += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return
