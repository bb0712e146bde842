"""To operate it: logs, readiness, other origins, compression, the end; and memory under slow clients."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from contextlib import suppress

import pytest

from helpers.services import PATIENCE, reason, running
from helpers.waiting import wait_until
from tacit.server.body_budget import BodyBudget, BudgetExceededError
from tacit.server.server_settings import Limits, Settings, allowed_hosts

ORIGIN = "https://desk.example"


@pytest.fixture(scope="module")
def operated(models):
    hosts = allowed_hosts("127.0.0.1", None)
    settings = Settings(
        Limits(request_timeout=PATIENCE), hosts=hosts, cors_origins=(ORIGIN,), access_log="json"
    )
    with running(models, settings) as service:
        yield service


def test_the_log_has_a_line_for_each_request_and_no_texts(operated, caplog):
    with caplog.at_level(logging.INFO, "tacit.access"):
        operated.ask("/search", {"query": "a very secret query"})
        operated.get("/about", params={"collection": "secret name"})
        operated.get("/secret-path")
        wait_until(lambda: len(caplog.records) >= 3)  # a line is written when its answer has been sent
    lines = [json.loads(record.message) for record in caplog.records if record.name == "tacit.access"]
    seen = [(line["method"], line["route"], line["status"]) for line in lines]
    assert seen == [("POST", "/search", 200), ("GET", "/about", 404), ("GET", "other", 404)]
    assert all(line["ms"] >= 0 and line["bytes"] > 0 and line["client"] == "127.0.0.1" for line in lines)
    assert "secret" not in caplog.text


def test_a_page_that_was_allowed_may_ask_and_no_other(operated):
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    allowed = operated.client.options("/search", headers={"origin": ORIGIN, **asked})
    assert allowed.headers["access-control-allow-origin"] == ORIGIN
    answer = operated.ask("/search", {"query": "card"}, headers={"origin": ORIGIN})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, ORIGIN)
    other = operated.client.options("/search", headers={"origin": "https://evil.example", **asked})
    assert "access-control-allow-origin" not in other.headers
    refused = operated.ask("/search", {"query": "card"}, headers={"origin": "https://evil.example"})
    assert refused.status_code == 403


def test_long_answers_are_compressed_for_those_who_ask(service):
    question = {"input": ["card"] * 200}
    packed = service.ask("/v1/embeddings", question, headers={"accept-encoding": "gzip"})
    plain = service.ask("/v1/embeddings", question, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


def test_health_and_readiness_are_apart(service):
    assert service.client.head("/health").status_code == 200
    assert service.client.head("/health").content == b""
    wait_until(lambda: service.get("/ready").status_code != 503)
    assert service.get("/ready").json() == {"status": "ready"}
    here = service.app.state.service
    here.is_warm = False
    try:
        answer = service.get("/ready")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert service.get("/health").status_code == 200
    finally:
        here.is_warm = True


def test_the_document_tells_of_the_token_where_one_is_asked_for(models, service):
    from tacit.server.app import create_app

    guarded = create_app(models, Settings(token="a-token-of-some-length")).openapi()
    assert guarded["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert guarded["paths"]["/search"]["post"]["security"] == [{"token": []}]
    assert guarded["paths"]["/health"]["get"]["security"] == []
    assert "securitySchemes" not in service.get("/openapi.json").json()["components"]


def test_docs_come_from_this_host_alone(service):
    page = service.get("/docs")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    for path in ("/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/static/docs.js", "/static/docs.css"):
        assert path in page.text
        assert service.get(path).status_code == 200


def test_a_request_that_outlives_the_grace_gets_json(models, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(models.texts, "unsaid", lambda items, k: (go.wait(20) and None) or [[]] * len(items))
    found = {}

    def ask(service) -> None:
        found["answer"] = service.ask("/unsaid", {"text": "card"})

    try:
        with running(models, Settings(Limits(request_timeout=PATIENCE, shutdown_grace=0.3))) as service:
            asking = threading.Thread(target=ask, args=(service,))
            asking.start()
            while not service.app.state.ending._tasks:
                time.sleep(0.01)
            service.server.should_exit = True
            asking.join(30)
            go.set()
    finally:
        go.set()
    answer = found["answer"]
    assert answer.status_code == 503
    assert "the service is ending" in reason(answer)


def test_work_stops_when_its_client_hangs_up(models, monkeypatch):
    begun, go, seen = threading.Event(), threading.Event(), []

    def slow(items, *options):
        seen.append(len(items))
        begun.set()
        go.wait(20)
        return [([0.0], 0)] * len(items)

    monkeypatch.setattr(models.texts, "encode", slow)
    with running(models, Settings(Limits(request_timeout=PATIENCE))) as service:
        body = json.dumps({"input": ["x" * 4000] * 1000}).encode()
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            head = "POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            assert begun.wait(30)
        wait_until(lambda: service.app.state.service.metrics.in_flight._value.get() == 0)
        go.set()
        assert service.is_up()
    assert len(seen) == 1
    assert seen[0] < 1000


def test_room_for_bodies_is_bounded_in_sum_and_the_slowest_makes_way(monkeypatch):
    monkeypatch.setattr("tacit.server.body_budget._SLOW", 0.0)
    room = BodyBudget(1_000_000)

    async def never() -> None:
        await asyncio.Event().wait()

    async def slow(held) -> None:
        held.grow(600_000)
        await held.unless_evicted(never())

    async def run() -> None:
        with room.hold() as first, room.hold() as second:
            waiting = asyncio.create_task(slow(first))
            await asyncio.sleep(0.01)
            second.grow(700_000)
            with pytest.raises(BudgetExceededError, match="arrived too slowly"):
                await waiting
            assert room.used == 700_000 - 65_536
            second.finished()
            with room.hold() as third:
                third.grow(60_000)  # a small one is always taken
                with pytest.raises(BudgetExceededError, match="as many large requests"):
                    third.grow(900_000)
        assert room.used == 0

    with_own_loop(run)


def with_own_loop(run) -> None:
    """In a thread of its own: a browser's driver keeps a loop running in the main one."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def test_many_slow_clients_share_a_bounded_room(models):
    limits = Limits(request_timeout=PATIENCE, max_total_body_bytes=2_000_000)
    with running(models, Settings(limits)) as service:
        connections = []
        head = "POST /similarity HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for _ in range(12):
            connection = socket.create_connection(("127.0.0.1", service.port))
            connection.sendall(f"{head}Content-Length: 7000000\r\n\r\n".encode())
            connections.append(connection)
        threads = [threading.Thread(target=_pour, args=(each, 1_000_000)) for each in connections]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        [limits_middleware] = _middleware(service.app, "RequestLimits")
        assert limits_middleware.room.used <= 2_000_000
        assert service.ask("/similarity", {"pairs": []}).status_code == 200
        for connection in connections:
            connection.close()


def _pour(connection, size: int) -> None:
    connection.settimeout(5)
    with suppress(OSError):  # it may be refused
        connection.sendall(b"x" * size)


def _middleware(app, name: str) -> list:
    found, layer = [], app.middleware_stack
    while layer is not None:
        if type(layer).__name__ == name:
            found.append(layer)
        layer = getattr(layer, "app", None)
    return found


def test_spans_of_opentelemetry_have_routes_and_no_bodies(models):
    pytest.importorskip("opentelemetry.sdk", reason="the extra telemetry brings it")
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from starlette.testclient import TestClient

    from tacit.server.app import create_app
    from tacit.server.monitoring import install_tracing

    app, kept = create_app(models), InMemorySpanExporter()
    provider = install_tracing(app, kept)
    with TestClient(app) as client:
        assert client.post("/search", json={"query": "a very secret query"}).status_code == 200
    provider.shutdown()
    spans = kept.get_finished_spans()
    assert [span.name for span in spans] == ["POST /search"]
    assert "secret" not in str([dict(span.attributes) for span in spans])
