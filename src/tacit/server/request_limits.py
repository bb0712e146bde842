"""Middleware that limits the size and duration of requests.

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
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.server.body_budget import BodyBudget, BodyReservation, BudgetExceededError
from tacit.server.http_errors import error_response
from tacit.server.server_settings import Limits

logger = logging.getLogger(__name__)

_MAX_DRAINED_BYTES = 256_000_000
_MAX_DRAIN_SECONDS = 10.0
_CLOSE = {"connection": "close"}
_DISCONNECT: Message = {"type": "http.disconnect"}
BodyReader = Callable[[], Awaitable[Message | None]]
"""Returns the next message of a body, and None after the last one."""
STREAMING_PATHS = frozenset({"/uploads"})
"""Routes that read the body while it arrives; the time limit holds for each part of it."""


class BodyTooLargeError(Exception):
    """The body is larger than allowed."""


class Shutdown:
    """Cancels the running requests when the service shuts down."""

    def __init__(self) -> None:
        self.has_begun = False
        self._tasks: set[asyncio.Task[None]] = set()

    def cancel_running(self) -> None:
        """Cancel all running requests; each gets a 503 response."""
        self.has_begun = True
        for task in list(self._tasks):
            task.cancel()

    def track(self, task: asyncio.Task[None]) -> None:
        """Remember a request until it is finished."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@dataclass
class _Exchange:
    """A request and its response, and whether the head and the end of the response were sent."""

    scope: Scope
    receive: Receive
    original_send: Send
    has_started: bool = False
    is_complete: bool = False

    async def send(self, message: Message) -> None:
        """Send a message of the response."""
        self.has_started = self.has_started or message["type"] == "http.response.start"
        await self.original_send(message)
        self.is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)

    async def respond_error(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        """Respond with an error."""
        await error_response(status, message, headers)(self.scope, self.receive, self.send)


class RequestLimits:
    """ASGI middleware that enforces ``Limits``; see the module."""

    def __init__(self, app: ASGIApp, limits: Limits, shutdown: Shutdown | None = None) -> None:
        self.app, self.limits, self.shutdown = app, limits, shutdown or Shutdown()
        self.budget = BodyBudget(limits.max_total_body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body and run the application; respond with an error if a limit is exceeded."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        try:
            if scope["path"] in STREAMING_PATHS:
                await self._handle_streaming(exchange)
            else:
                await self._handle_buffered(exchange)
        except BodyTooLargeError:
            await self._reject_large_body(exchange)
        except BudgetExceededError as error:
            await exchange.respond_error(503, str(error), {"retry-after": "2", **_CLOSE})
        except ClientDisconnect:
            logger.info("a client disconnected before its response")
        except Exception:
            logger.exception("unexpected error in %s %s", scope["method"], scope["path"])
            if exchange.has_started:
                raise
            await exchange.respond_error(500, "internal error: see the log of the service")

    async def _handle_buffered(self, exchange: _Exchange) -> None:
        """Read the whole body, then run the application, both within one time limit."""
        body_complete = asyncio.Event()
        messages: list[Message] = []

        async def read_body() -> Message | None:
            return messages.pop() if messages else None

        try:
            async with asyncio.timeout(self.limits.request_timeout):
                with self.budget.reserve() as reservation:
                    body = await self._read_body(exchange, reservation)
                    messages.append({"type": "http.request", "body": body, "more_body": False})
                    body_complete.set()
                    await self._run_app_until_disconnect(exchange, read_body, body_complete)
        except TimeoutError:
            await self._respond_timeout(exchange, body_complete.is_set())

    async def _read_body(self, exchange: _Exchange, reservation: BodyReservation) -> bytes:
        """Read the body into the reserved memory."""
        declared = Headers(scope=exchange.scope).get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self.limits.max_body_bytes:
            raise BodyTooLargeError
        body = bytearray()
        while True:
            message = await reservation.receive_unless_evicted(exchange.receive)
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self.limits.max_body_bytes:
                raise BodyTooLargeError
            reservation.resize(len(body))
            if not message.get("more_body", False):
                reservation.mark_complete()
                return bytes(body)

    async def _handle_streaming(self, exchange: _Exchange) -> None:
        """Let the application read the body while it arrives, with a time limit for each part."""
        body_complete, clock = asyncio.Event(), asyncio.get_running_loop().time

        async def read_body() -> Message | None:
            if body_complete.is_set():
                return None
            timeout.reschedule(clock() + self.limits.request_timeout)
            message = await exchange.receive()
            timeout.reschedule(None)
            if not message.get("more_body", False):
                body_complete.set()
            return message

        try:
            async with asyncio.timeout(None) as timeout:
                await self._run_app_until_disconnect(exchange, read_body, body_complete)
        except TimeoutError:
            await self._respond_timeout(exchange, has_arrived=False)

    async def _run_app_until_disconnect(
        self, exchange: _Exchange, read_body: BodyReader, body_complete: asyncio.Event
    ) -> None:
        """Run the application; cancel it if the client disconnects after its body has arrived."""
        disconnected = asyncio.Event()

        async def wait_for_disconnect() -> None:
            await body_complete.wait()
            while (await exchange.receive())["type"] != "http.disconnect":
                pass
            disconnected.set()

        async def receive_or_disconnect() -> Message:
            message = await read_body()
            if message is None:
                await disconnected.wait()
                return _DISCONNECT
            return message

        async def run_app() -> None:
            await self.app(exchange.scope, receive_or_disconnect, exchange.send)

        app_task, listener = asyncio.create_task(run_app()), asyncio.create_task(wait_for_disconnect())
        self.shutdown.track(app_task)
        try:
            await asyncio.wait({app_task, listener}, return_when=asyncio.FIRST_COMPLETED)
            if not app_task.done() and not exchange.has_started:
                raise ClientDisconnect
            await app_task
        except asyncio.CancelledError:
            await _cancel(app_task)  # a change that is being committed is answered
            if not self.shutdown.has_begun or exchange.has_started:
                raise
            message = "the service is shutting down, and this request was not finished in time"
            await exchange.respond_error(503, message, _CLOSE)
        finally:
            listener.cancel()
            await _cancel(app_task)

    async def _reject_large_body(self, exchange: _Exchange) -> None:
        """Respond at once, then discard the rest of the body: many clients read only after they have sent."""
        message = f"the body is larger than {self.limits.max_body_bytes:,} bytes: send less"
        response = error_response(413, message, _CLOSE)
        await exchange.send({"type": "http.response.start", "status": 413, "headers": response.raw_headers})
        await exchange.send({"type": "http.response.body", "body": response.body, "more_body": True})
        if Headers(scope=exchange.scope).get("expect", "").lower() != "100-continue":
            await _drain(exchange.receive)
        await exchange.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _respond_timeout(self, exchange: _Exchange, has_arrived: bool) -> None:
        """Respond that the request took too long, or close the connection if a response has begun.

        A change that was being committed is answered late, and not with this error.
        """
        if exchange.is_complete:
            return
        if exchange.has_started:
            raise ConnectionError("the client was too slow to read the response")
        seconds = f"{self.limits.request_timeout:g} s"
        if has_arrived:
            message = f"the response took more than {seconds}: send fewer or shorter texts, or try again"
            await exchange.respond_error(503, message)
        else:
            await exchange.respond_error(408, f"the request took more than {seconds} to arrive", _CLOSE)


async def _cancel(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task


async def _drain(receive: Receive) -> None:
    """Receive and discard the rest of a body, within limits of size and time."""
    n_drained = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_MAX_DRAIN_SECONDS):
            while n_drained < _MAX_DRAINED_BYTES:
                message = await receive()
                n_drained += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
