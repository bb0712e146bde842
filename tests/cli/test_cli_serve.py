"""tacit serve as a process: it tells where it is, answers, and ends in order."""

from __future__ import annotations

import json
import re
import select
import signal
import subprocess
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import pytest

from helpers.cli_runs import COMMAND, ENVIRONMENT, one_line_error, tacit
from helpers.waiting import wait_until

pytest.importorskip("fastapi", reason="the service needs the extra server")


@pytest.fixture(scope="module")
def served_index(tmp_path_factory, model, corpus):
    folder = tmp_path_factory.mktemp("indices") / "notes.index"
    assert tacit("index", folder, corpus, "--model", model).code == 0
    return folder


@contextmanager
def serving(*args: object, **environment: str):
    data = TemporaryDirectory()
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "XDG_DATA_HOME": data.name, **environment},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], 180)
        assert ready, "the service said nothing in three minutes"
        line = process.stdout.readline().decode()
        match = re.search(r"(?:is|are) served at (http://127\.0\.0\.1:\d+) ", line)
        assert match, line + process.stderr.read().decode()
        yield process, match[1]
    finally:
        process.kill()
        process.communicate()
        data.cleanup()


def ask(address: str, question: object = None, **headers: str):
    body = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(address, body, {"content-type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def metrics(base: str) -> str:
    with urllib.request.urlopen(f"{base}/metrics", timeout=60) as answer:
        return answer.read().decode()


def test_index_is_served_until_terminated(served_index):
    with serving("--index", served_index, "--read-only") as (process, base):
        assert ask(f"{base}/about")["abilities"] == ["compare", "search", "map"]
        hits = ask(f"{base}/search", {"query": "a loan of the bank", "k": 1})["hits"]
        assert "loan" in hits[0]["text"]
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        assert (out, err) == (b"", b"")
        assert process.returncode in (0, -signal.SIGTERM)


def test_ctrl_c_lets_requests_under_way_finish(model):
    pairs = [{"a": "the cat sleeps on the mat " * 30, "b": "a dog barks at the door " * 30}] * 100
    with serving("--model", model) as (process, base), ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, f"{base}/similarity", {"pairs": pairs})
        wait_until(lambda: "tacit_batched_questions_total 1.0\n" in metrics(base))
        process.send_signal(signal.SIGINT)
        assert len(answer.result(60)["results"]) == 100
        assert process.wait(60) == 130


def test_a_token_is_asked_for(model, tmp_path):
    token = "0123456789abcdef0123"
    with serving("--model", model, TACIT_TOKEN=token) as (_, base):
        assert ask(f"{base}/health")["status"] == "ok"
        with pytest.raises(urllib.error.HTTPError, match="401") as error:
            ask(f"{base}/about")
        error.value.close()
        assert ask(f"{base}/about", authorization=f"Bearer {token}")["name"] == "notes"


def test_nothing_to_serve():
    error = one_line_error(tacit("serve", "--port", 0, "--read-only"))
    assert "give --model, --index, --senses, --demo or --home" in error


def test_an_empty_start_and_limits_are_spoken(tmp_path):
    home = tmp_path / "home"
    with serving("--home", home, "--max-texts", 77) as (process, base):
        line = process.stdout.readline().decode()
        assert f"are stored in {home}: files of at most 200 MB, 77 texts" in line
        about = ask(f"{base}/collections")
        assert (about["may_write"], about["limits"]["texts"], about["default"]) == (True, 77, None)
        assert "another service uses it" in one_line_error(tacit("serve", "--port", 0, "--home", home))


def test_the_page_is_opened_in_the_browser(tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n', encoding="utf-8")
    browser.chmod(0o755)
    with serving("--open", "--home", tmp_path / "home", BROWSER=f"{browser} %s") as (_, base):
        wait_until(lambda: opened.exists() and opened.read_text(encoding="utf-8"))
        assert opened.read_text(encoding="utf-8") == f"{base}\n"


def test_no_home_without_a_token_where_others_can_reach_it(tmp_path):
    error = one_line_error(tacit("serve", "--port", 0, "--host", "0.0.0.0", "--home", tmp_path))
    assert "--home needs a token if other machines can reach it" in error


def test_several_models_by_name(model, served_index):
    with serving("--index", f"faq={served_index}", "--model", f"old={model}", "--index", served_index) as (
        _,
        base,
    ):
        names = [each["name"] for each in ask(f"{base}/collections")["collections"]]
        assert names == ["faq", served_index.name, "old"]
    error = one_line_error(tacit("serve", "--model", model, "--model", model, "--port", 0))
    assert "two folders have the name 'notes'" in error


def test_demo_brings_its_own(model):
    error = one_line_error(tacit("serve", "--demo", "--model", model))
    assert "leave out --model and --index" in error


def test_a_model_is_no_index(model):
    error = one_line_error(tacit("serve", "--index", model, "--port", 0))
    assert "not an index: create one with tacit index" in error


def test_limits_make_sense(model):
    error = one_line_error(tacit("serve", "--model", model, "--seconds", -1))
    assert "--seconds -1.0: give a number above 0" in error


def test_a_port_in_use(model):
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        error = one_line_error(tacit("serve", "--model", model, "--port", port))
    assert f"cannot listen at 127.0.0.1 port {port}" in error
