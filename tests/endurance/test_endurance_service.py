"""A short piece of ``make soak-service``, and that it notices what it is there for."""

from __future__ import annotations

import pytest

import tacit
from endurance.soak_service import ABSENT, PRESENT, ServiceSoak


@pytest.fixture
def soak(tmp_path) -> ServiceSoak:
    (tmp_path / "home").mkdir()
    return ServiceSoak(tmp_path / "home")


def test_what_is_acknowledged_survives_being_killed(soak):
    soak.run(25, kill_every=6)
    assert not soak.has_failed(), (soak.failures, soak.counts)
    for name in ("additions", "deletions", "searches", "reloads", "additions from the shell", "kills"):
        assert soak.counts[name] > 0, soak.counts


def test_the_soak_notices_a_lost_and_a_refused_text(soak):
    folder = soak.home / "c0" / "index"
    index = tacit.load(folder)
    index.add(["refused"], ["refused"])
    index.save(folder)
    soak.states = {("c0", "lost"): PRESENT, ("c0", "refused"): ABSENT, ("c1", "refused"): ABSENT}
    soak.compare_folders()
    assert soak.has_failed()
    assert soak.counts["acknowledged writes lost"] == soak.counts["refused writes present"] == 1
