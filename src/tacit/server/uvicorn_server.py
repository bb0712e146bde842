"""Listen, and run the application until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tacit.errors import InputError
from tacit.server.server_settings import Limits

_FAREWELL = 2  # seconds between telling requests that the service ends and cutting their connections
_BACKLOG = 256


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. What stands in the way is said."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"the host {host!r} is not to be found: {error.strerror or error}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"cannot listen at {host} port {port}: {error.strerror or error}; name another with --port"
        ) from None
    return listening


def base_url(listening: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def create_server(app: Any, limits: Limits) -> uvicorn.Server:
    """A server that ends gracefully: it takes no more, and finishes what is under way."""
    config = uvicorn.Config(
        app,
        http=protocol_with_header_timeout(limits.request_timeout),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=limits.max_connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=math.ceil(limits.shutdown_grace) + _FAREWELL,
        h11_max_incomplete_event_size=65_536,
    )
    return GracefulServer(config, limits.shutdown_grace)


class GracefulServer(uvicorn.Server):
    """At its end, requests under way have a time to be answered; those that outlive it are told so."""

    def __init__(self, config: uvicorn.Config, grace: float) -> None:
        super().__init__(config)
        self.grace = grace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, and finish what is under way."""
        ending = getattr(getattr(self.config.app, "state", None), "ending", None)
        if ending is not None:
            asyncio.get_running_loop().call_later(self.grace, ending.now)
        await super().shutdown(sockets)


def protocol_with_header_timeout(seconds: float) -> type[H11Protocol]:
    """HTTP whose connections have so long to send the headers of their first request.

    Between requests uvicorn's own keep-alive time holds; for bodies and answers that of ``request_limits``.
    """

    class Patient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch_headers()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            busy = self.cycle is not None and not self.cycle.response_complete
            if busy:
                self._cancel()
            elif self._timer is None:  # the beginning of another request on this connection
                self._watch_headers()

        def connection_lost(self, exc: Exception | None) -> None:
            self._cancel()
            super().connection_lost(exc)

        def _watch_headers(self) -> None:
            self._timer = self.loop.call_later(seconds, self._give_up)

        def _cancel(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _give_up(self) -> None:
            self._timer = None
            busy = self.cycle is not None and not self.cycle.response_complete
            if not busy and not self.transport.is_closing():
                self.transport.close()

    return Patient


@contextmanager
def _quietly() -> Iterator[None]:
    """Leave texts without known words out of the log of a service: they are answered, day in, day out."""
    logger = logging.getLogger("tacit.models")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def run_server(app: Any, listening: socket.socket, limits: Limits) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    from threadpoolctl import threadpool_limits

    # one BLAS thread throughout: batches and the map work side by side, and the limit is the process's
    with _quietly(), threadpool_limits(limits=1, user_api="blas"):
        create_server(app, limits).run(sockets=[listening])
