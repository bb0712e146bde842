"""What is acknowledged is on disk, what is refused is not, and no collection waits for another."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.homes import add, home_service, stored_texts, write_collection
from helpers.notes import NOTES
from helpers.services import error_message, running_service
from helpers.stepping import StepExecutor, SteppingLoop
from helpers.waiting import wait_until
from tacit.server.collection_owner import MAX_WAITING, CollectionOwner
from tacit.server.http_errors import JsonResponse
from tacit.server.request_limits import RequestLimits
from tacit.server.served_collection import load_collection
from tacit.server.server_settings import Limits
from tacit.storage import durable_files, lock_for_writing
from tacit.workflows import update_index


@pytest.fixture
def folder(tmp_path, served_model):
    write_collection(tmp_path, "b", served_model)
    return write_collection(tmp_path, "a", served_model)


def test_additions_survive_reloads(folder, tmp_path):
    with home_service(tmp_path) as service, ThreadPoolExecutor(3) as pool:
        adding = [
            pool.submit(lambda client=client: [add(service, "a", f"{client} {n}") for n in range(20)])
            for client in range(2)
        ]
        while not all(each.done() for each in adding):
            assert service.post("/collections/a/reload").status_code == 200
        assert {answer.status_code for each in adding for answer in each.result()} == {200}
    assert {f"{client} {n}" for client in range(2) for n in range(20)} <= stored_texts(folder)


def test_additions_survive_the_unloading_of_their_collection(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.server.collection_registry.MAX_OPEN", 1)
    with home_service(tmp_path) as service, ThreadPoolExecutor(3) as pool:
        adding = [
            pool.submit(lambda client=client: [add(service, "a", f"{client} {n}") for n in range(20)])
            for client in range(3)
        ]
        while not all(each.done() for each in adding):
            service.post("/search", {"query": "card", "collection": "b"})
        assert {answer.status_code for each in adding for answer in each.result()} == {200}
    assert {f"{client} {n}" for client in range(3) for n in range(20)} <= stored_texts(folder)


def test_additions_of_another_process_stay(folder, tmp_path):
    with home_service(tmp_path) as service:
        assert add(service, "a", "added by the service").status_code == 200
        update_index(folder, ["added from the shell"])
        assert add(service, "a", "added by the service again").status_code == 200
        hits = service.post("/search", {"query": "added from the shell", "collection": "a", "k": 1}).json()
        assert hits["hits"][0]["text"] == "added from the shell"
        listed = service.get("/collections").json()["collections"]
    texts = {"added by the service", "added from the shell", "added by the service again", *NOTES}
    assert stored_texts(folder) == texts
    assert {each["name"]: each["texts"] for each in listed} == {"a": len(texts), "b": len(NOTES)}


def test_a_deleted_collection_does_not_come_back(folder, tmp_path):
    for n in range(6):
        shutil.copytree(tmp_path / "a", tmp_path / f"c{n}")
    with home_service(tmp_path) as service, ThreadPoolExecutor(2) as pool:
        for n in range(6):
            adding = [
                pool.submit(
                    lambda n=n, client=client: [add(service, f"c{n}", f"{client} {i}") for i in range(5)]
                )
                for client in range(2)
            ]
            wait_until(lambda n=n: len(stored_texts(tmp_path / f"c{n}" / "index")) > len(NOTES) + n)
            assert service.client.delete(f"/collections/c{n}").status_code == 204
            codes = [answer.status_code for each in adding for answer in each.result()]
            assert set(codes) <= {200, 404}
            assert not (tmp_path / f"c{n}").exists()
        assert [each["name"] for each in service.get("/collections").json()["collections"]] == ["a", "b"]


def test_a_collection_can_be_deleted_while_another_process_writes_it(folder, tmp_path):
    with home_service(tmp_path, request_timeout=1.0) as service:
        with lock_for_writing(folder):
            assert add(service, "a", "a late text").status_code == 503
            assert service.client.delete("/collections/a").status_code == 204
        assert add(service, "a", "a late text").status_code == 404
        assert service.post("/collections/a/reload").status_code == 404
        assert [each["name"] for each in service.get("/collections").json()["collections"]] == ["b"]
    assert not (tmp_path / "a").exists()


def test_a_refused_addition_is_not_found_and_can_be_repeated(folder, tmp_path, monkeypatch):
    def refuse(temporary, path):
        raise OSError(errno.ENOSPC, "No space left on device")

    with home_service(tmp_path) as service:
        assert add(service, "a", "an earlier text").status_code == 200
        with monkeypatch.context() as patch:
            patch.setattr(durable_files, "replace_with_retry", refuse)
            refused = add(service, "a", "zebra crossing")
        assert (refused.status_code, "No space left" in error_message(refused)) == (507, True)
        hits = service.post("/search", {"query": "zebra crossing", "collection": "a"}).json()["hits"]
        assert "zebra crossing" not in [hit["text"] for hit in hits]
        assert add(service, "a", "zebra crossing").status_code == 200
    assert {"an earlier text", "zebra crossing"} < stored_texts(folder)


def test_a_locked_collection_delays_no_other(folder, tmp_path):
    with home_service(tmp_path, request_timeout=10) as service, ThreadPoolExecutor(MAX_WAITING) as pool:
        with lock_for_writing(folder):
            waiting = [pool.submit(add, service, "a", f"late {n}") for n in range(MAX_WAITING)]
            owners = service.app.state.service.registry._stored
            wait_until(lambda: "a" in owners and owners["a"].n_waiting == MAX_WAITING)
            refused = add(service, "a", "one too many")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
            assert "8 changes of it are waiting" in error_message(refused)
            assert service.get("/collections").status_code == 200
            for name in ("a", "b"):  # readers of the locked collection do not wait either
                assert service.post("/search", {"query": "card", "collection": name}).status_code == 200
            assert add(service, "b", "in time").status_code == 200
            assert not any(each.done() for each in waiting)
            answers = [each.result() for each in waiting]
            assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "2")}
        assert add(service, "a", "after the lock").status_code == 200
    assert stored_texts(folder) == {*NOTES, "after the lock"}  # what was refused did not happen later
    assert "in time" in stored_texts(tmp_path / "b" / "index")


def test_a_change_that_is_being_committed_is_not_answered_with_an_error(folder, monkeypatch):
    monkeypatch.setattr("tacit.server.collection_owner.ThreadPoolExecutor", StepExecutor)
    loop, sent = SteppingLoop(), []
    owner = CollectionOwner("a", lambda: load_collection(index=str(folder)), folder)
    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def app(scope, receive, send):
        ids = await owner.change(lambda index: index.add(["a slow text"]))
        await JsonResponse({"ids": ids})(scope, receive, send)

    async def receive():
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    request = loop.create_task(RequestLimits(app, Limits(request_timeout=5))(scope, receive, send))
    loop.settle()
    StepExecutor.instances[-1].step()  # the change begins
    loop.advance(6)  # the time of the request is over
    assert (request.done(), sent) == (False, [])
    StepExecutor.instances[-1].step()
    loop.settle()
    request.result()
    loop.close()
    assert (sent[0]["status"], sent[1]["body"]) == (200, b'{"ids":["16"]}')
    assert "a slow text" in stored_texts(folder)


def test_an_unreadable_folder_is_listed_with_its_reason(folder, tmp_path):
    shutil.copytree(tmp_path / "a", tmp_path / "a~")
    shutil.copytree(tmp_path / "a", tmp_path / "damaged")
    (tmp_path / "damaged" / "index" / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "damaged" / "about.json").write_text('{"created": "2030"}', encoding="utf-8")
    (tmp_path / "no collection").mkdir()
    with home_service(tmp_path) as service:
        answer = service.get("/collections").json()
        errors = {each["name"]: each["error"] for each in answer["collections"]}
        assert list(errors) == ["a", "a~", "b", "damaged"]
        assert (errors["a"], errors["b"]) == (None, None)
        assert "the name 'a~'" in errors["a~"]
        assert "config.json is damaged" in errors["damaged"]
        assert answer["default"] == "b"
        assert service.post("/search", {"query": "card"}).status_code == 200
        assert service.get("/about").json()["collection"] == "b"
        assert service.post("/search", {"query": "card", "collection": "damaged"}).status_code == 503
        assert service.post("/search", {"query": "card", "collection": "a~"}).status_code == 404
        assert service.client.delete("/collections/damaged").status_code == 204
    assert not (tmp_path / "damaged").exists()


def test_the_map_of_a_folder_that_was_named_is_kept_in_memory(folder):
    def state():
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    before = state()
    with running_service(load_collection(index=str(folder))) as service:
        wait_until(lambda: service.get("/map").status_code == 200)
        assert service.get("/map/points").status_code == 200
    assert state() == before


def test_a_named_folder_that_is_damaged_stays_in_memory(folder):
    with running_service(load_collection(index=str(folder), name="named")) as service:
        (folder / "config.json").write_text("{}", encoding="utf-8")
        refused = service.post("/collections/named/reload")
        assert (refused.status_code, "config.json is damaged" in error_message(refused)) == (503, True)
        assert service.post("/search", {"query": "card"}).json()["hits"]


def test_the_map_of_a_collection_is_stored_with_it(folder, tmp_path):
    with home_service(tmp_path) as service:
        wait_until(lambda: service.get("/map", params={"collection": "a"}).status_code == 200)
    assert (folder / "map" / "config.json").is_file()


def test_refused_requests_leave_no_files(folder, tmp_path):
    def files():
        return sorted(str(path) for path in (tmp_path / ".work").rglob("*"))

    with home_service(tmp_path, max_pending_jobs=1) as service:
        texts = [f"{note} {n}" for note in NOTES for n in range(100)]
        job = service.post("/collections", {"name": "c", "texts": texts}).json()["job"]
        before = files()
        for path, body in (
            ("/collections", {"name": "d", "texts": texts}),
            ("/clusters", {}),
            ("/duplicates", {}),
        ):
            answer = service.post(path, body)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
        assert files() == before
        service.client.delete(f"/jobs/{job}")
        assert files() == [str(tmp_path / ".work" / ".lock")]


def test_a_finished_job_keeps_only_its_results(folder, tmp_path):
    with home_service(tmp_path) as service:
        job = service.post("/collections", {"name": "c", "texts": NOTES}).json()["job"]
        done = wait_until(lambda: (now := service.get(f"/jobs/{job}").json())["state"] == "done" and now)
        assert done["result"]["texts"] == len(NOTES)
        assert [path.name for path in (tmp_path / ".work").iterdir()] == [".lock"]
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "c").rglob("*")}
        assert {mode & 0o077 for mode in modes.values()} == {0}, json.dumps(modes, default=str)
        assert stat.S_IMODE(os.stat(tmp_path / "a").st_mode) == 0o700  # that of an earlier version too
