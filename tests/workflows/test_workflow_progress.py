"""Progress events of workflows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tacit.workflows
from tacit.workflows.progress import ProgressEvent, stage_callback


def test_stage_callback_passes_events_on():
    events: list[ProgressEvent] = []
    stage_callback(events.append, "merging")(2, 5)
    assert events == [ProgressEvent("merging", 2, 5)]


def test_stage_callback_without_progress_does_nothing():
    stage_callback(None, "merging")(2, 5)


@pytest.mark.parametrize(
    ("event", "finished"),
    [
        (ProgressEvent("reading", 100), False),
        (ProgressEvent("sweeps", 14, 15), False),
        (ProgressEvent("sweeps", 15, 15), True),
    ],
)
def test_a_stage_is_finished_when_all_is_done(event, finished):
    assert event.is_finished is finished


def test_public_names_of_workflows_can_be_imported():
    stub = Path(tacit.workflows.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    declared = re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)
    assert {name: module for module, name in declared} == tacit.workflows._MODULES
    assert set(tacit.workflows.__all__) <= set(dir(tacit.workflows))
    for name in tacit.workflows.__all__:
        assert getattr(tacit.workflows, name)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tacit.workflows.colour
