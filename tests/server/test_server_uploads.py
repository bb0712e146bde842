"""Uploads: cancelled inspections, headers, files that expand too much, and error messages."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading

import pytest

from helpers.services import PATIENCE, running_service
from helpers.waiting import wait_until
from tacit.errors import InputError
from tacit.server.server_settings import Limits, Settings
from tacit.server.worker import _use_original_filename, create_collection, inspect_upload

TABLE = b"1,the card was declined\n2,where is my parcel\n3,I forgot the password\n"


@pytest.fixture
def shop(tmp_path):
    with running_service(
        [], Settings(Limits(request_timeout=PATIENCE, max_inspection_seconds=PATIENCE), store_dir=tmp_path)
    ) as service:
        yield service


def test_an_inspection_stops_when_the_client_disconnects(shop, tmp_path, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    async def inspect_forever(payload):
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr("tacit.server.uploads.run_task", inspect_forever)
    with socket.create_connection(("127.0.0.1", shop.port)) as connection:
        head = "POST /uploads?filename=a.csv HTTP/1.1\r\nHost: localhost\r\n"
        kind = f"Content-Type: application/octet-stream\r\nContent-Length: {len(TABLE)}\r\n\r\n"
        connection.sendall(f"{head}{kind}".encode() + TABLE)
        assert begun.wait(PATIENCE)
        assert not ended.is_set()
    assert ended.wait(PATIENCE)
    wait_until(lambda: [path.name for path in (tmp_path / ".work").iterdir()] == [".lock"])
    assert shop.is_up()


def test_a_file_that_stops_arriving_is_refused_and_leaves_nothing(tmp_path):
    with running_service([], Settings(Limits(request_timeout=1.0), store_dir=tmp_path)) as service:
        with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
            head = "POST /uploads?filename=a.csv HTTP/1.1\r\nHost: localhost\r\n"
            kind = f"Content-Type: application/octet-stream\r\nContent-Length: {2 * len(TABLE)}\r\n\r\n"
            connection.sendall(f"{head}{kind}".encode() + TABLE)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"took more than 1 s to arrive" in answer
        assert [path.name for path in (tmp_path / ".work").iterdir()] == [".lock"]
        assert service.is_up()


def test_the_header_is_detected_and_can_be_overridden(shop):
    found = {}
    for header in (None, "false", "true"):
        answer = shop.client.post(
            "/uploads",
            params={"filename": "a.csv"} | ({} if header is None else {"header": header}),
            content=TABLE,
            headers={"content-type": "application/octet-stream"},
        )
        found[header] = answer.json()
    assert found[None]["header"] is False
    assert (found["false"]["rows"], found["false"]["text"]) == (3, "2")
    assert (found["true"]["rows"], found["true"]["text"]) == (2, "the card was declined")


def test_files_that_expand_too_much_are_not_read(tmp_path, monkeypatch):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"id,text\n" + b"1,word word word\n" * 200_000))
    monkeypatch.setattr(
        "tacit.corpora.table_profile.profile_table", lambda *given: pytest.fail("it was read")
    )
    task = {"source": str(path), "max_texts": 10**6, "max_chars": 1_000_000}
    with pytest.raises(InputError, match="expands to more than 1,000,000 bytes"):
        inspect_upload(task, lambda event: None)


def test_a_collection_needs_two_texts(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("id,text\n1,alone in the world\n", encoding="utf-8")
    task = {"source": str(path), "text": ["text"], "id": "id", "columns": [], "max_texts": 10}
    with pytest.raises(InputError, match="at least 2 texts"):
        create_collection(task, lambda event: None)


def test_upload_errors_name_no_command_line_options(tmp_path):
    path = tmp_path / "upload.txt"
    for content in (b"\x89PNG\r\n\x1a\n\x9d", "caf\u00e9 cr\u00e8me".encode("latin-1") + b"\n\0"):
        path.write_bytes(content)
        task = {"source": str(path), "filename": "menu.txt", "max_texts": 10, "max_chars": 1000}
        with pytest.raises(InputError, match="encoding") as error:
            inspect_upload(task, lambda event: None)
        said = _use_original_filename(error.value, task)
        assert said.startswith("menu.txt, line ")
        assert said.endswith("; save it as UTF-8, if it is a file of texts at all")
