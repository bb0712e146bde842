"""A short piece of ``make soak``, and that its twin notices what it is there for."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from endurance.soak import Soak, growth


@pytest.fixture
def soak(tmp_path) -> Soak:
    return Soak(tmp_path / "index", size=120, pool=300)


def test_every_answer_is_one_of_the_twins_while_others_write_and_save(soak):
    soak.run(3.0, every=1.0, log=lambda line: None)
    assert soak.failed == []
    assert min(soak.counts[name] for name in ("answers checked", "texts deleted", "saves", "comparisons")) > 0


def filled(soak: Soak) -> random.Random:
    chance = random.Random(0)
    for _ in range(20):
        soak.write(0, chance)
        soak.write(1, chance)
    return chance


def searched(soak: Soak, chance: random.Random, times: int = 30) -> list[str]:
    for _ in range(times):
        soak.search(chance)
    return soak.failed


def test_the_twin_agrees_with_an_honest_index(soak):
    assert searched(soak, filled(soak)) == []


def test_the_twin_notices_a_text_that_is_lost(soak):
    chance = filled(soak)
    soak.index.delete(list(soak.twin.living())[::2])  # behind its back
    assert any("by brute force" in said for said in searched(soak, chance))


def test_the_twin_notices_a_text_that_should_be_gone(soak):
    chance = filled(soak)
    for name in list(soak.twin.living())[::2]:
        soak.twin.lives[name].died = 0
    assert any("does not live" in said for said in searched(soak, chance))


def test_the_twin_notices_another_score_or_text(soak, monkeypatch):
    chance, honest = filled(soak), soak.index.search_many

    def shifted(*args, **options):
        return [
            [replace(hit, score=hit.score + 0.01, text="x") for hit in hits]
            for hits in honest(*args, **options)
        ]

    monkeypatch.setattr(soak.index, "search_many", shifted)
    assert any("scores" in said or "another's text" in said for said in searched(soak, chance))


def test_growth_is_from_the_second_quarter_to_the_last():
    assert growth([50, 100, 100, 100]) == 0
    assert growth([50, 100, 110, 150]) == pytest.approx(0.5)
