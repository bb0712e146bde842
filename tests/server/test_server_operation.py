"""Logs, readiness, CORS, compression, shutdown and memory limits."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from contextlib import suppress

import pytest

from helpers.services import PATIENCE, error_message, running_service
from helpers.waiting import wait_until
from tacit.server.body_budget import BodyBudget, BudgetExceededError
from tacit.server.jobs import Job, JobQueue
from tacit.server.request_limits import RequestLimits
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Limits, Settings, allowed_hosts

ORIGIN = "https://desk.example"


@pytest.fixture(scope="module")
def operated(models):
    hosts = allowed_hosts("127.0.0.1", None)
    settings = Settings(
        Limits(request_timeout=PATIENCE), hosts=hosts, cors_origins=(ORIGIN,), access_log="json"
    )
    with running_service(models, settings) as service:
        yield service


def test_the_access_log_has_a_line_per_request_and_no_texts(operated, caplog):
    with caplog.at_level(logging.INFO, "tacit.access"):
        operated.post("/search", {"query": "a very secret query"})
        operated.get("/about", params={"collection": "secret name"})
        operated.get("/secret-path")
        wait_until(lambda: len(caplog.records) >= 3)  # a line is written when its answer has been sent
    lines = [json.loads(record.message) for record in caplog.records if record.name == "tacit.access"]
    seen = [(line["method"], line["route"], line["status"]) for line in lines]
    assert seen == [("POST", "/search", 200), ("GET", "/about", 404), ("GET", "other", 404)]
    assert all(line["ms"] >= 0 and line["bytes"] > 0 and line["client"] == "127.0.0.1" for line in lines)
    assert "secret" not in caplog.text


def test_only_allowed_origins_may_send_requests(operated):
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    allowed = operated.client.options("/search", headers={"origin": ORIGIN, **asked})
    assert allowed.headers["access-control-allow-origin"] == ORIGIN
    answer = operated.post("/search", {"query": "card"}, headers={"origin": ORIGIN})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, ORIGIN)
    other = operated.client.options("/search", headers={"origin": "https://evil.example", **asked})
    assert "access-control-allow-origin" not in other.headers
    refused = operated.post("/search", {"query": "card"}, headers={"origin": "https://evil.example"})
    assert refused.status_code == 403


def test_long_responses_are_compressed_if_accepted(service):
    question = {"input": ["card"] * 200}
    packed = service.post("/v1/embeddings", question, headers={"accept-encoding": "gzip"})
    plain = service.post("/v1/embeddings", question, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


def test_health_and_readiness_are_separate(service):
    assert service.client.head("/health").status_code == 200
    assert service.client.head("/health").content == b""
    wait_until(lambda: service.get("/ready").status_code != 503)
    assert service.get("/ready").json() == {"status": "ready"}
    here = service.app.state.service
    here.is_ready = False
    try:
        answer = service.get("/ready")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert service.get("/health").status_code == 200
    finally:
        here.is_ready = True


def test_openapi_has_the_bearer_scheme_if_a_token_is_required(models, service):
    from tacit.server.app import create_app

    guarded = create_app(models, Settings(token="a-token-of-some-length")).openapi()
    assert guarded["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert guarded["paths"]["/search"]["post"]["security"] == [{"token": []}]
    assert guarded["paths"]["/health"]["get"]["security"] == []
    assert "securitySchemes" not in service.get("/openapi.json").json()["components"]


def test_the_api_page_loads_nothing_from_other_hosts(service):
    page = service.get("/docs")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    for path in ("/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/static/docs.js", "/static/docs.css"):
        assert path in page.text
        assert service.get(path).status_code == 200


def test_requests_that_exceed_the_shutdown_grace_get_503(models, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(models.model, "unsaid", lambda text, k, language: (go.wait(20) and None) or [])
    found = {}

    def ask(service) -> None:
        found["answer"] = service.post("/unsaid", {"text": "card"})

    try:
        with running_service(
            models, Settings(Limits(request_timeout=PATIENCE, shutdown_grace=0.3))
        ) as service:
            asking = threading.Thread(target=ask, args=(service,))
            asking.start()
            while not service.app.state.shutdown._tasks:
                time.sleep(0.01)
            service.server.should_exit = True
            asking.join(30)
            go.set()
    finally:
        go.set()
    answer = found["answer"]
    assert answer.status_code == 503
    assert "the service is shutting down" in error_message(answer)


def test_shutdown_does_not_wait_for_the_warm_up(monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(ServedCollection, "warm_up", lambda self: go.wait(2 * PATIENCE))
    try:
        with running_service(ServedCollection("slow")) as service:
            assert service.get("/ready").status_code == 503
    finally:
        go.set()


def test_the_job_queue_stops_though_a_job_ignores_its_cancellation(monkeypatch, tmp_path):
    """As ``asyncio.wait_for`` can in Python 3.11, when a process ends at the same moment."""

    async def run_stubbornly(payload, set_progress):
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return {}

    async def run() -> None:
        monkeypatch.setattr("tacit.server.jobs.run_task", run_stubbornly)
        queue = JobQueue()
        queue.submit(Job("test", {}, tmp_path / "work"))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(20):
            await queue.stop()

    run_in_own_loop(run)


@pytest.mark.parametrize(("fault", "error"), [("fail", RuntimeError), ("stall", ConnectionError)])
def test_no_second_response_after_the_head_was_sent(fault, error):
    sent = []

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if fault == "fail":
            raise RuntimeError("the body cannot be produced")
        await asyncio.Event().wait()

    async def send(message) -> None:
        sent.append(message)

    async def run() -> None:
        messages = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive():
            if not messages:
                await asyncio.Event().wait()
            return messages.pop()

        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        await RequestLimits(app, Limits(request_timeout=0.2))(scope, receive, send)

    with pytest.raises(error):
        run_in_own_loop(run)
    assert [message["type"] for message in sent] == ["http.response.start"]


def test_processing_stops_when_the_client_disconnects(models, monkeypatch):
    begun, go, seen = threading.Event(), threading.Event(), []

    def slow(items, *options):
        seen.append(len(items))
        begun.set()
        go.wait(20)
        return [([0.0], 0)] * len(items)

    monkeypatch.setattr(models, "encode", slow)
    with running_service(models, Settings(Limits(request_timeout=PATIENCE))) as service:
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


def test_body_budget_is_bounded_and_evicts_the_slowest_body(monkeypatch):
    monkeypatch.setattr("tacit.server.body_budget._SLOW_AFTER", 0.0)
    budget = BodyBudget(1_000_000)

    async def receive_nothing() -> None:
        await asyncio.Event().wait()

    async def read_slowly(reservation) -> None:
        reservation.resize(600_000)
        await reservation.receive_unless_evicted(receive_nothing)

    async def run() -> None:
        with budget.reserve() as first, budget.reserve() as second:
            reading = asyncio.create_task(read_slowly(first))
            await asyncio.sleep(0.01)
            second.resize(700_000)
            with pytest.raises(BudgetExceededError, match="arrived too slowly"):
                await reading
            assert budget.used == 700_000 - 65_536
            second.mark_complete()
            with budget.reserve() as third:
                third.resize(60_000)  # a small body is always accepted
                with pytest.raises(BudgetExceededError, match="too many large requests"):
                    third.resize(900_000)
        assert budget.used == 0

    run_in_own_loop(run)


def run_in_own_loop(run) -> None:
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


def test_bodies_of_slow_clients_share_the_memory_budget(models):
    limits = Limits(request_timeout=PATIENCE, max_total_body_bytes=2_000_000)
    with running_service(models, Settings(limits)) as service:
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
        assert limits_middleware.budget.used <= 2_000_000
        assert service.post("/similarity", {"pairs": []}).status_code == 200
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
