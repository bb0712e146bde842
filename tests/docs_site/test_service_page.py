"""The requests that the page about the service shows get the answers that it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tacit
from examples.make_data import write_data
from helpers.follow_page import assert_printed
from helpers.services import running_service
from helpers.waiting import PATIENCE
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Limits, Settings, allowed_hosts

PAGE = Path(__file__).parents[2] / "docs" / "server.md"
REQUEST = re.compile(r"^\$ (curl .+)\n(.*)$", re.MULTILINE)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page sends requests with curl")
def test_requests_of_the_page_get_the_answers_it_shows(tmp_path):
    write_data(tmp_path)
    index = tacit.build_index(tmp_path / "tickets.csv", text="message", id="id")
    limits = Limits(request_timeout=PATIENCE, max_inspection_seconds=PATIENCE)
    settings = Settings(limits, hosts=allowed_hosts("127.0.0.1", None), store_dir=tmp_path / "home")
    ids: dict[str, str] = {}
    with running_service([ServedCollection("tickets-index", index.model, index)], settings) as service:
        for command, shown in REQUEST.findall(PAGE.read_text("utf-8")):
            for placeholder, value in {**ids, "http://127.0.0.1:8000": service.base}.items():
                command = command.replace(placeholder, value)
            run = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr
            assert_printed(shown, run.stdout, command)
            for key, value in re.findall(r'^\{"(upload|job)":"(\w+)"', run.stdout):
                ids[key.upper()] = value
    assert list(ids) == ["UPLOAD", "JOB"]
