"""Malformed, huge and slow requests get a proper response, and the service keeps running."""

from __future__ import annotations

import json
import socket
import time

import pytest

from helpers.services import error_message, running_service
from tacit.server import http_errors
from tacit.server.server_settings import Limits, Settings


@pytest.fixture(scope="module")
def hasty(models):
    """A service with a short time limit."""
    with running_service(models, Settings(Limits(request_timeout=1.0))) as service:
        yield service


@pytest.fixture(autouse=True)
def _still_up(service, hasty):
    yield
    assert service.is_up()
    assert hasty.is_up()


def connect(service) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=20)


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def post(length: int | str, path: str = "/similarity") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"pairs": [}',
        b"\xff\xfe\x00",
        b'{"pairs": "\xff"}',
        b"[" * 100_000,
        b"1" * 100_000,
        b"\x00",
    ],
    ids=["empty", "cut", "words", "bracket", "bytes", "letters", "deep", "long number", "NUL"],
)
def test_bad_json(service, body):
    answer = service.send("/similarity", body)
    assert answer.status_code in (400, 422)
    assert error_message(answer)


@pytest.mark.parametrize(
    ("path", "question", "why"),
    [
        ("/similarity", {"pairs": "card"}, "pairs: input should be a valid list"),
        ("/similarity", {"pairs": [{"a": 1, "b": "x"}]}, r"pairs.0.a: input should be a valid string"),
        ("/similarity", {"pairs": [{"a": "x"}]}, "pairs.0.b: field required"),
        ("/similarity", {"pairs": [], "measure": "colour"}, "measure: input should be 'blend'"),
        ("/similarity", {"pairs": [], "mesure": "blend"}, "mesure: extra inputs are not permitted"),
        ("/similarity", [], "the body: input should be a valid dictionary"),
        ("/similarity", None, "the body"),
        ("/explain", {"a": None, "b": "x"}, "a: input should be a valid string"),
        ("/explain", {"a": "x", "b": "y", "language_a": "es"}, "the model has no language 'es': it has en"),
        ("/unsaid", {"text": "card", "k": 0}, "k: input should be greater than or equal to 1"),
        ("/unsaid", {"text": "card", "k": "3"}, "k: input should be a valid integer"),
        ("/unsaid", {"text": "card", "k": True}, "k: input should be a valid integer"),
        ("/search", {"query": "card", "k": 1000}, "k: input should be less than or equal to 100"),
        ("/search", {"query": ["card"]}, "query: input should be a valid string"),
        ("/v1/embeddings", {"input": {"text": "card"}}, "input"),
        ("/v1/embeddings", {"input": "card", "encoding_format": "hex"}, "encoding_format"),
    ],
)
def test_wrong_types_give_422_with_the_field_and_the_reason(service, path, question, why):
    answer = service.post(path, question)
    assert answer.status_code == 422
    assert why in error_message(answer)


@pytest.mark.parametrize("text", ["", "\x00", "card\x00payment", " ", "\u202e", "e\u0301", "🙂", "卡 支付"])
def test_odd_characters_are_accepted(service, text):
    for path, question in {
        "/similarity": {"pairs": [{"a": text, "b": "card"}]},
        "/explain": {"a": text, "b": text},
        "/unsaid": {"text": text},
        "/search": {"query": text},
        "/v1/embeddings": {"input": text},
    }.items():
        assert service.post(path, question).status_code == 200, path


def test_a_lone_surrogate_is_rejected(service):
    answer = service.send("/search", rb'{"query": "\ud800"}')
    assert answer.status_code in (400, 422)
    assert error_message(answer)


def test_ten_thousand_texts(service):
    answer = service.post("/v1/embeddings", {"input": ["card"] * 10_000})
    assert answer.status_code == 422
    assert "10,000 texts in one request: at most 2,048" in error_message(answer)
    answer = service.post("/similarity", {"pairs": [{"a": "card", "b": "card"}] * 10_000})
    assert answer.status_code == 422
    assert "10,000 pairs" in error_message(answer)


def test_the_maximum_number_of_texts(service):
    answer = service.post("/v1/embeddings", {"input": ["card"] * 2048})
    assert len(answer.json()["data"]) == 2048


def test_a_long_text(service):
    for path, question in {
        "/similarity": {"pairs": [{"a": "card " * 2000, "b": "card"}]},
        "/search": {"query": "card " * 2000},
        "/v1/embeddings": {"input": "card " * 2000},
    }.items():
        answer = service.post(path, question)
        assert answer.status_code == 422
        assert "should have at most" in error_message(answer)


def test_long_texts_that_are_many(service):
    answer = service.post("/similarity", {"pairs": [{"a": "card " * 900, "b": "card " * 900}] * 20})
    assert answer.status_code == 422
    assert "pairs of characters, at most 100,000,000" in error_message(answer)


def test_a_hundred_megabytes(service):
    body = b'{"pairs": "' + b"x" * 100_000_000 + b'"}'
    answer = service.send("/similarity", body)
    assert answer.status_code == 413
    assert "larger than 8,000,000 bytes" in error_message(answer)


def test_a_hundred_megabytes_without_their_length(service):
    chunks = (b"x" * 1_000_000 for _ in range(100))
    answer = service.send("/similarity", chunks)
    assert answer.status_code == 413


def test_a_large_body_is_rejected_before_it_is_sent(service):
    with connect(service) as connection:
        connection.sendall(post(100_000_000)[:-2] + b"Expect: 100-continue\r\n\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 413 ")


def test_a_client_that_sends_its_body_slowly(hasty):
    with connect(hasty) as connection:
        connection.sendall(post(1000) + b'{"pairs": [')
        started = time.monotonic()
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"took more than 1 s to arrive" in answer
    assert time.monotonic() - started < 15


def test_a_client_that_sends_its_headers_slowly(hasty):
    with connect(hasty) as connection:
        connection.sendall(b"POST /similarity HTTP/1.1\r\nHost: local")
        assert read_all(connection) == b""


def test_a_second_request_that_arrives_slowly(hasty):
    with connect(hasty) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET /he")
        started = time.monotonic()
        read_all(connection)
        assert time.monotonic() - started < 15


def test_a_client_that_disconnects(service):
    for sent in (b"", b"POST /sim", post(1000) + b"{", post(2) + b"{}"):
        for _ in range(20):
            with connect(service) as connection:
                connection.sendall(sent)
    assert service.post("/similarity", {"pairs": []}).status_code == 200


def test_a_response_that_takes_too_long(hasty, models, monkeypatch):
    monkeypatch.setattr(models.model, "unsaid", lambda text, k, language: time.sleep(2) or [])
    answer = hasty.post("/unsaid", {"text": "card"})
    assert answer.status_code == 503
    assert "more than 1 s" in error_message(answer)


def test_not_http(service):
    for sent in (b"\x16\x03\x01\x02\x00\x01\x00", b"SSH-2.0-x\r\n\r\n", post("-5"), post("many")):
        with connect(service) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            assert b"200 OK" not in read_all(connection)


@pytest.mark.parametrize(
    "name",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8000",
        "evil.example:127.0.0.1",
        "localhost@evil.example",
        "[::1].evil.example",
        "",
    ],
)
def test_foreign_host_names_are_rejected(service, name):
    answer = service.get("/about", headers={"host": name})
    assert answer.status_code == 403
    assert f"host {name!r} is not accepted, only 127.0.0.1, [::1], localhost:" in error_message(answer)
    assert "access-control-allow-origin" not in service.get("/about").headers


@pytest.mark.parametrize(
    "name", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000"]
)
def test_host_names_of_this_machine_are_accepted(service, name):
    assert service.get("/about", headers={"host": name}).status_code == 200


def test_a_form_of_another_page_is_rejected(service):
    answer = service.send("/search", json.dumps({"query": "card"}), "text/plain")
    assert answer.status_code == 422


def test_unsupported_methods_and_unknown_paths(service):
    assert service.get("/similarity").status_code == 405
    assert "does not support GET" in error_message(service.get("/similarity"))
    assert "unknown path /nowhere" in error_message(service.get("/nowhere"))


def test_unexpected_errors_are_logged_but_not_sent(service, models, monkeypatch, caplog):
    def fail(text, k, language):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(models.model, "unsaid", fail)
    answer = service.post("/unsaid", {"text": "card"})
    assert answer.status_code == 500
    assert error_message(answer) == "internal error: see the log of the service"
    assert "secret" in caplog.text


PAIR, VALID_TEXT = '{"a":"a","b":"b"},', '"a",'


def repeated(item: str, first: str = "") -> str:
    return f"[{first}{item * 100_000}1]"


def named(value: str) -> str:
    return "{" + ",".join(f'"{n:x}":{value}' for n in range(100_000)) + "}"


HOSTILE_BODIES = {
    "items": ("/similarity", f'{{"pairs":{repeated("1,")}}}'),
    "late items": ("/similarity", f'{{"pairs":{repeated("1,", first=5000 * PAIR)}}}'),
    "documents": ("/collections/notes/documents", f'{{"documents":{repeated("{},")}}}'),
    "texts": ("/v1/embeddings", f'{{"input":{repeated("{},", first=VALID_TEXT)}}}'),
    "points": ("/map/selection", f'{{"line":{repeated("[],")}}}'),
    "fields": ("/similarity", named("1")),
    "conditions": ("/search", f'{{"query":"a","where":{named("[{}]")}}}'),
    "operators": ("/search", f'{{"query":"a","where":{{"a":{named("[{}]")}}}}}'),
    "values": ("/search", f'{{"query":"a","where":{{"a":{repeated("{},")}}}}}'),
    "a long name": ("/search", f'{{"query":"a","where":{{"{"." * 100_000}":1}}}}'),
}


@pytest.mark.parametrize("kind", HOSTILE_BODIES)
def test_a_body_of_many_errors_has_few_collected(service, monkeypatch, kind):
    collected = []
    handle = http_errors._field_path
    monkeypatch.setattr(http_errors, "_field_path", lambda *args: collected.append(1) or handle(*args))
    answer = service.send(*HOSTILE_BODIES[kind])
    assert answer.status_code == 422
    assert len(answer.content) < 5000
    assert 1 <= len(collected) <= 10_000


def test_the_first_twenty_problems_are_shown(service):
    pairs = [{"a": "a", "b": "b"}] * 1500 + [{"a": "a"}] * 30
    answer = service.post("/similarity", {"pairs": pairs})
    assert answer.status_code == 422
    problems = [problem.partition(":")[0] for problem in error_message(answer).split("; ")]
    assert problems == [f"pairs.{n}.b" for n in range(1500, 1520)]
    assert answer.json()["error"]["param"] == "pairs.1500.b"
