"""A real service on loopback, in a thread of the tests' process."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from helpers.waiting import PATIENCE, wait_until
from tacit.server.app import create_app
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Limits, Settings, allowed_hosts
from tacit.server.uvicorn_server import base_url, create_server, open_socket


@dataclass
class RunningService:
    """The address of the service, its application and a client."""

    base: str
    port: int
    app: Any
    client: httpx.Client
    server: Any = None

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.client.post(path, json=body, **options)

    def send(self, path: str, content: Any, kind: str = "application/json") -> httpx.Response:
        return self.client.post(path, content=content, headers={"content-type": kind})

    def is_up(self) -> bool:
        return self.get("/health").json()["status"] == "ok"


def error_message(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["message"])


@contextmanager
def running_service(
    models: ServedCollection | list[ServedCollection], settings: Settings | None = None, **others: Any
) -> Iterator[RunningService]:
    settings = settings or Settings(Limits(request_timeout=PATIENCE), hosts=allowed_hosts("127.0.0.1", None))
    listening = open_socket("127.0.0.1", 0)
    app = create_app(models, settings, **others)
    server = create_server(app, settings.limits)
    # a daemon: if the service does not end, the test fails, and the run does not hang
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started, "the service did not start"
        base = base_url(listening)
        with httpx.Client(base_url=base, timeout=PATIENCE, trust_env=False) as client:
            yield RunningService(base, listening.getsockname()[1], app, client, server)
    finally:
        server.should_exit = True
        thread.join(120)  # a kernel that is being compiled is not interrupted
        listening.close()
        assert not thread.is_alive(), f"the service did not end:\n{_stacks()}"


def _stacks() -> str:
    """Return the stacks of all threads: they show what the service waits for."""
    frames = sys._current_frames()
    return "\n".join(
        f"{thread.name}:\n{''.join(traceback.format_stack(frames[thread.ident]))}"
        for thread in threading.enumerate()
        if thread.ident in frames
    )
