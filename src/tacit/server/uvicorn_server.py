"""Run the application on uvicorn with graceful shutdown and a header timeout."""

from __future__ import annotations

import asyncio
import math
import os
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from tacit.errors import InputError
from tacit.server.request_limits import Shutdown
from tacit.server.server_settings import Limits

_CLOSE_TIMEOUT = 2  # seconds between cancelling the running requests and closing their connections
_BACKLOG = 256


def open_socket(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 picks a free port."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise InputError(f"cannot resolve the host {host!r}: {error.strerror or error}") from None
    is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:
        return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=is_dual)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise InputError(f"cannot listen at {host} port {port}: {reason}; name another with --port") from None


def base_url(listening: socket.socket) -> str:
    """Return the URL of a listening socket.

    >>> with open_socket("127.0.0.1", 0) as listening:
    ...     base_url(listening).rpartition(":")[0]
    'http://127.0.0.1'
    """
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def create_server(app: FastAPI, limits: Limits) -> uvicorn.Server:
    """Create a server that finishes running requests when it is stopped."""
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
        timeout_graceful_shutdown=math.ceil(limits.shutdown_grace) + _CLOSE_TIMEOUT,
        h11_max_incomplete_event_size=65_536,
    )
    return GracefulServer(config, app.state.shutdown, limits.shutdown_grace)


class GracefulServer(uvicorn.Server):
    """A server that cancels the requests that still run after a grace period, so that they get a response."""

    def __init__(self, config: uvicorn.Config, running: Shutdown, grace: float) -> None:
        super().__init__(config)
        self.running, self.grace = running, grace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and wait for the running requests."""
        asyncio.get_running_loop().call_later(self.grace, self.running.cancel_running)
        await super().shutdown(sockets)


def protocol_with_header_timeout(seconds: float) -> type[H11Protocol]:
    """Create an HTTP protocol that closes connections whose request headers take too long to arrive.

    Between requests uvicorn's keep-alive timeout applies; for bodies and responses, ``request_limits``.
    """

    class HeaderTimeoutProtocol(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._set_timer()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._is_responding():
                self._set_timer(is_on=False)
            elif self._timer is None:  # the first bytes of another request on this connection
                self._set_timer()

        def connection_lost(self, exc: Exception | None) -> None:
            self._set_timer(is_on=False)
            super().connection_lost(exc)

        def _is_responding(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _set_timer(self, is_on: bool = True) -> None:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self.loop.call_later(seconds, self._close) if is_on else None

        def _close(self) -> None:
            self._timer = None
            if not self._is_responding() and not self.transport.is_closing():
                self.transport.close()

    return HeaderTimeoutProtocol


def run_server(app: FastAPI, listening: socket.socket, limits: Limits) -> None:
    """Run the application until Ctrl-C or SIGTERM."""
    from threadpoolctl import threadpool_limits

    # one BLAS thread for the whole process: batches and maps are computed at the same time
    with threadpool_limits(limits=1, user_api="blas"):
        create_server(app, limits).run(sockets=[listening])
