"""The service conforms to its OpenAPI document, which conforms to a snapshot."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from helpers.openapi_snapshot import FILE, snapshot
from tacit.models.measures import get_measure, measure_names
from tacit.search.ranking import SEARCH_MEASURES


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("SimilarityRequest", measure_names()),
        ("ExplainRequest", [name for name in measure_names() if get_measure(name).is_explainable]),
        ("SearchRequest", [*SEARCH_MEASURES]),
    ],
)
def test_openapi_lists_all_measures(service, form, names):
    forms = service.get("/openapi.json").json()["components"]["schemas"]
    assert forms[form]["properties"]["measure"]["enum"] == names


def test_paths_fields_and_defaults_are_those_of_the_snapshot():
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    found = json.loads(json.dumps(snapshot()))
    update = "PYTHONPATH=tests python -m helpers.openapi_snapshot"
    assert found.keys() == stored.keys(), f"other paths than in {FILE.name}; to update it: {update}"
    for path in stored:
        assert found[path] == stored[path], f"{path} is not as in {FILE.name}; to update it: {update}"


def test_schemathesis_finds_nothing(service, tmp_path):
    pytest.importorskip("schemathesis", reason="the dev group brings schemathesis")
    # Whether a language, or a number of dimensions, is the model's own no schema can tell: a request that
    # fits the schema may be refused. That nothing crashes or is answered in another form is what counts.
    arguments = [
        "run", f"{service.base}/openapi.json", "--phases", "examples,coverage,fuzzing",
        "--max-examples", "15", "--generation-deterministic", "--request-timeout", "60", "--no-color",
        "--exclude-checks", "positive_data_acceptance",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *arguments],
        cwd=tmp_path,
        env={**os.environ, "NO_PROXY": "*"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    paths = service.get("/openapi.json").json()["paths"]
    assert f"Tested: {sum(len(methods) for methods in paths.values())}" in done.stdout
    assert service.is_up()
