"""Run the application until it is told to end."""

from __future__ import annotations

import logging
import socket
from typing import Any

import uvicorn

from tacit.errors import InputError
from tacit.server.protocol import patient_for
from tacit.server.settings import Limits

_GRACE = 10  # seconds for requests under way at the end
_BACKLOG = 256


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. What stands in the way is said."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"the host {host!r} is not to be found: {error.strerror or error}") from None
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        raise InputError(
            f"cannot listen at {host} port {port}: {error.strerror or error}; name another with --port"
        ) from None
    return opened


def address_of(opened: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = opened.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def make_server(app: Any, limits: Limits) -> uvicorn.Server:
    """A server that ends gracefully: it takes no more, and finishes what is under way."""
    config = uvicorn.Config(
        app,
        http=patient_for(limits.seconds),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=65_536,
    )
    return uvicorn.Server(config)


def quieten() -> None:
    """Leave texts without known words out of the log of a service: they are answered, day in, day out."""
    for room in ("sentences", "crosslingual"):
        logging.getLogger(f"tacit.{room}").setLevel(logging.ERROR)


def serve(app: Any, opened: socket.socket, limits: Limits) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    from threadpoolctl import threadpool_limits

    # one BLAS thread throughout: batches and the map work side by side, and the limit is the process's
    with threadpool_limits(limits=1, user_api="blas"):
        make_server(app, limits).run(sockets=[opened])
