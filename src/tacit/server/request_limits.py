"""Limits of a request: its body is read, no larger and no slower than allowed, then it is answered in time.

The application sees only requests whose body has arrived. A client that is too slow gets 408, a body that is
too large 413, a response that takes too long 503, an unexpected error 500. When a client disconnects, its
request is cancelled. The memory of all bodies is bounded, see ``BodyBudget``. Requests that still run after
the grace period of a shutdown get 503.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server.body_budget import BodyBudget, BodyReservation, BudgetExceededError
from tacit.server.http_errors import error_response
from tacit.server.server_settings import Limits

logger = logging.getLogger(__name__)

_DRAINED = 256_000_000  # bytes of a refused body that are read and dropped, so that a client sees the answer
_DRAIN_SECONDS = 10.0
_CLOSE = {"connection": "close"}
_ENDING = "the service is ending, and this took longer than it can wait"
Given = Callable[[], Awaitable[Message | None]]
"""Gives a body, message by message, and None when it has given all."""
STREAMED = frozenset({"/uploads"})
"""Whose bodies the application reads itself as they arrive; each part has the time of a request."""


class BodyTooLargeError(Exception):
    """The body is larger than allowed."""


class ClientDisconnectedError(Exception):
    """The client hung up."""


class Shutdown:
    """Tells requests under way that the service ends."""

    def __init__(self) -> None:
        self.ended = False
        self._tasks: set[asyncio.Task[None]] = set()

    def now(self) -> None:
        """Stop what is under way; each gets its answer."""
        self.ended = True
        for task in list(self._tasks):
            task.cancel()

    def watch(self, task: asyncio.Task[None]) -> None:
        """Remember a request until it is answered."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class RequestLimits:
    """Guards an application; see the module."""

    def __init__(self, app: ASGIApp, limits: Limits, ending: Shutdown | None = None) -> None:
        self.app, self.limits, self.ending = app, limits, ending or Shutdown()
        self.room = BodyBudget(limits.max_total_body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, ask the application, all within the time allowed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent, read = _Sent(send), self._answered
        if scope["path"] in STREAMED:
            read = self._streamed
        try:
            await read(scope, receive, sent)
        except BodyTooLargeError:
            await self._refuse_early(scope, receive, send)
        except BudgetExceededError as error:
            await error_response(503, str(error), {"retry-after": "2", **_CLOSE})(scope, receive, sent)
        except (ClientDisconnectedError, ClientDisconnect):
            logger.info("a client hung up")
        except Exception:
            logger.exception("a fault while answering %s %s", scope["method"], scope["path"])
            if sent.started:
                raise
            await error_response(500, "a fault of the service; its log says more")(scope, receive, sent)

    async def _answered(self, scope: Scope, receive: Receive, sent: _Sent) -> None:
        """Read the body and let the application answer; stop at once when the client hangs up."""
        arrived = False
        try:
            async with asyncio.timeout(self.limits.request_timeout):
                with self.room.hold() as held:
                    body = await self._body(Headers(scope=scope), receive, held)
                    arrived = True
                    await self._replayed(scope, body, receive, sent)
        except TimeoutError:
            await self._too_slow(arrived, sent, scope, receive)

    async def _replayed(self, scope: Scope, body: bytes, receive: Receive, sent: _Sent) -> None:
        """Let the application answer a body that has arrived."""
        given, whole = [body], asyncio.Event()
        whole.set()

        async def replayed() -> Message | None:
            if given:
                return {"type": "http.request", "body": given.pop(), "more_body": False}
            return None

        await self._worked(scope, replayed, whole, receive, sent)

    async def _worked(
        self, scope: Scope, given: Given, whole: asyncio.Event, receive: Receive, sent: _Sent
    ) -> None:
        """Let the application answer, and listen, once it has the whole body, whether anybody still waits."""
        gone = asyncio.Event()

        async def listen() -> None:
            await whole.wait()
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        async def heard() -> Message:
            message = await given()
            if message is None:
                await gone.wait()
                return {"type": "http.disconnect"}
            return message

        async def answer() -> None:
            await self.app(scope, heard, sent)

        work, listening = asyncio.create_task(answer()), asyncio.create_task(listen())
        self.ending.watch(work)
        try:
            await asyncio.wait({work, listening}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not sent.started:
                raise ClientDisconnectedError
            await work
        except asyncio.CancelledError:
            if not self.ending.ended or sent.started:
                raise
            await error_response(503, _ENDING, _CLOSE)(scope, receive, sent)
        finally:
            for task in (work, listening):
                task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work

    async def _streamed(self, scope: Scope, receive: Receive, sent: _Sent) -> None:
        """Let the application read a long body; a client that sends nothing for too long is refused."""
        idle, whole = False, asyncio.Event()

        async def patient() -> Message | None:
            nonlocal idle
            if whole.is_set():
                return None
            try:
                async with asyncio.timeout(self.limits.request_timeout):
                    message = await receive()
            except TimeoutError:
                idle = True
                return {"type": "http.disconnect"}
            if not message.get("more_body", False):
                whole.set()
            return message

        try:
            await self._worked(scope, patient, whole, receive, sent)
        except ClientDisconnect:
            if not idle or sent.started:
                raise
            await self._too_slow(False, sent, scope, receive)

    async def _body(self, headers: Headers, receive: Receive, held: BodyReservation) -> bytes:
        declared = headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self.limits.max_body_bytes:
            raise BodyTooLargeError
        body = bytearray()
        while True:
            message = await held.unless_evicted(_received(receive))
            if message["type"] == "http.disconnect":
                raise ClientDisconnectedError
            body += message.get("body", b"")
            if len(body) > self.limits.max_body_bytes:
                raise BodyTooLargeError
            held.grow(len(body))
            if not message.get("more_body", False):
                held.finished()
                return bytes(body)

    async def _refuse_early(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once, then let the client finish sending: many look for an answer only afterwards."""
        answer = error_response(
            413, f"the body is larger than {self.limits.max_body_bytes:,} bytes: send less", _CLOSE
        )
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
        seconds = f"{self.limits.request_timeout:g} s"
        if arrived:
            answer = error_response(
                503, f"the answer took more than {seconds}: ask for less at once, or try again"
            )
        else:
            answer = error_response(408, f"the request took more than {seconds} to arrive", _CLOSE)
        await answer(scope, receive, sent)


class _Sent:
    """Passes messages on and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self.send, self.started = send, False

    async def __call__(self, message: Message) -> None:
        self.started = self.started or message["type"] == "http.response.start"
        await self.send(message)


async def _received(receive: Receive) -> Message:
    return await receive()


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
