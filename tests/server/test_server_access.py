"""Access control, limits and sockets."""

from __future__ import annotations

import socket

import pytest

from helpers.services import PATIENCE, error_message, running_service
from tacit.errors import InputError, ModelError
from tacit.server.served_collection import load_collection
from tacit.server.server_settings import Limits, Settings, allowed_hosts, read_token
from tacit.server.uvicorn_server import open_socket

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def guarded(models):
    with running_service(models, Settings(Limits(request_timeout=PATIENCE), TOKEN)) as service:
        yield service


@pytest.mark.parametrize(
    "given", [None, "", TOKEN, "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer ü"]
)
def test_requests_without_the_token_give_401(guarded, given):
    headers = {} if given is None else {"authorization": given.encode("utf-8")}
    for path in ("/about", "/metrics", "/v1/models", "/map"):
        answer = guarded.get(path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "bearer token" in error_message(answer)
    assert guarded.post("/search", {"query": "card"}, headers=headers).status_code == 401


def test_requests_with_the_token_are_answered(guarded):
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert guarded.get("/about", headers=headers).status_code == 200
    assert guarded.post("/search", {"query": "card"}, headers=headers).status_code == 200
    assert guarded.get("/about", headers=headers | {"host": "search.example"}).status_code == 200


def test_the_page_itself_needs_no_token(guarded):
    for path in ("/", "/docs", "/health", "/openapi.json", "/static/main.js"):
        assert guarded.get(path).status_code == 200


def test_a_token_is_read_from_a_file_or_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("TACIT_TOKEN", raising=False)
    assert read_token(None) is None
    monkeypatch.setenv("TACIT_TOKEN", TOKEN)
    assert read_token(None) == TOKEN
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}-of-the-file\n", encoding="utf-8")
    assert read_token(str(file)) == f"{TOKEN}-of-the-file"


@pytest.mark.parametrize("content", ["", "short", "with spaces in the middle", "ünprintable-in-ascii"])
def test_weak_tokens_are_rejected(tmp_path, content):
    file = tmp_path / "token"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="at least 16"):
        read_token(str(file))
    with pytest.raises(InputError, match="cannot read the token file"):
        read_token(str(tmp_path / "absent"))


def test_allowed_hosts_with_and_without_a_token():
    assert allowed_hosts("127.0.0.1", None) == {"localhost", "127.0.0.1", "[::1]"}
    assert allowed_hosts("127.0.0.1", TOKEN) is None
    assert {"localhost", "0.0.0.0", "search.example"} <= allowed_hosts("0.0.0.0", None, ["search.example"])
    assert "search.example" in allowed_hosts("0.0.0.0", TOKEN, ["search.example"])


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("192.168.7.9:8000", 200),
        ("[fe80::1]:8000", 200),
        ("localhost", 200),
        ("search.example", 200),
        ("SEARCH.EXAMPLE:80", 200),
        ("evil.example", 403),
        ("192.168.7.9.evil.example", 403),
        ("evil.example:192", 403),
        ("192.168.7.9@evil.example", 403),
        ("1.2.3.4.5", 403),
        ("", 403),
    ],
)
def test_public_services_accept_ip_addresses_but_no_foreign_names(models, name, status):
    from starlette.testclient import TestClient

    from tacit.server.app import create_app

    hosts = allowed_hosts("0.0.0.0", None, ["search.example"])
    app = create_app(models, Settings(hosts=hosts, allow_ip_hosts=True))
    assert TestClient(app).get("/health", headers={"host": name}).status_code == status


def test_requests_of_other_origins_are_rejected(service):
    for origin, status in (
        (None, 200),
        (service.base, 200),
        ("http://evil.example", 403),
        ("null", 403),
        (service.base.replace("127.0.0.1", "localhost"), 403),
    ):
        headers = {} if origin is None else {"origin": origin}
        assert service.post("/search", {"query": "card"}, headers=headers).status_code == status


@pytest.mark.parametrize(
    "bounds",
    [
        {"request_timeout": 0},
        {"max_texts_per_request": -1},
        {"request_timeout": float("nan")},
        {"max_body_bytes": True},
    ],
)
def test_limits_must_be_positive(bounds):
    with pytest.raises(InputError, match="above 0"):
        Limits(**bounds)


def test_a_port_in_use_is_an_error(service):
    with pytest.raises(InputError, match=f"port {service.port}: Address already in use; name another"):
        open_socket("127.0.0.1", service.port)


def test_an_unknown_host_is_an_error():
    with pytest.raises(InputError, match="cannot resolve the host"):
        open_socket("no host", 0)


def test_ipv6_loopback_where_there_is_one(models):
    try:
        opened = open_socket("::1", 0)
    except InputError as error:
        pytest.skip(f"no IPv6 here: {error}")
    with opened:
        assert opened.family == socket.AF_INET6


def test_folders_of_another_kind_are_an_error(tmp_path, models, served_model):
    with pytest.raises(InputError, match="nothing to serve"):
        load_collection()
    served_model.save(tmp_path / "model")
    models.index.save(tmp_path / "index")
    with pytest.raises(ModelError, match="not an index"):
        load_collection(index=str(tmp_path / "model"))
    assert load_collection(model=str(tmp_path / "index")).capabilities() == ["compare"]
    with pytest.raises(ModelError, match="not a sense model"):
        load_collection(senses=str(tmp_path / "model"))
    found = load_collection(index=str(tmp_path / "index"), n_threads=1)
    assert (found.name, found.capabilities()) == ("index", ["compare", "search", "map"])
