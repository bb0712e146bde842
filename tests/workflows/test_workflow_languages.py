"""The same model of German texts by the command line, by the service and by Python."""

from __future__ import annotations

import json

import tacit
from helpers.cli_runs import tacit as run_tacit
from helpers.services import PATIENCE, running_service
from helpers.small_texts import GERMAN, model_digest
from helpers.waiting import wait_until
from tacit.server.server_settings import Limits, Settings, allowed_hosts


def test_command_service_and_python_train_the_same_model(tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join(GERMAN), encoding="utf-8")
    result = run_tacit("train", tmp_path / "m", tmp_path / "texts.txt", "--json")
    assert (result.code, result.json["language"]) == (0, "de")
    assert run_tacit("index", tmp_path / "i", tmp_path / "texts.txt").code == 0
    settings = Settings(
        Limits(request_timeout=PATIENCE, max_inspection_seconds=PATIENCE),
        hosts=allowed_hosts("127.0.0.1", None),
        store_dir=tmp_path / "home",
    )
    with running_service([], settings) as service:
        job = service.post("/collections", {"name": "german", "texts": GERMAN}).json()["job"]
        wait_until(lambda: service.get(f"/jobs/{job}").json()["state"] == "done", PATIENCE)
    stored = [
        tacit.load(tmp_path / "m"),
        tacit.load(tmp_path / "i").model,
        tacit.load(tmp_path / "home" / "german" / "index").model,
    ]
    digests = {model_digest(model) for model in (*stored, tacit.learn(GERMAN).model)}
    assert len(digests) == 1
    assert [list(model.languages) for model in stored] == [["de"]] * 3


def test_the_detected_language_is_printed_and_stored(tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join(GERMAN), encoding="utf-8")
    result = run_tacit("train", tmp_path / "m", tmp_path / "texts.txt")
    assert "    Language: German (detected from 10 texts).\n" in result.out
    config = json.loads((tmp_path / "m" / "config.json").read_text(encoding="utf-8"))
    assert list(config["parameters"]["languages"]) == ["de"]
