"""The page that compares systems: generated from the recorded results, with losses and absent systems."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks" / "systems"


def load_script(name: str) -> ModuleType:
    """Import a script of the benchmark, whose folder is not a package."""
    spec = importlib.util.spec_from_file_location(f"systems_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


page, tasks = load_script("page"), load_script("tasks")


def make_system(nearest: float, ranking: float, seconds: float) -> dict[str, Any]:
    entries = [
        {
            "kind": "collection",
            "name": "news",
            "figures": {"nearest class": nearest},
            "seconds": {"train": seconds},
        },
        {"kind": "ranking", "name": "faq", "figures": {"ranking": ranking}, "seconds": {"train": seconds}},
    ]
    facts = {"cold_start": 1.0, "memory": 2**20, "disk": 2**21, "settings": "defaults", "version": "1"}
    return facts | {"results": entries}


@pytest.fixture
def report() -> dict[str, Any]:
    return {
        "date": "2026-01-01", "machine": {"processor": "CPU", "cores": 2}, "load": [1.0, 2.0],
        "texts": 10, "queries": 5,
        "tasks": [{"kind": "collection", "name": "news"}, {"kind": "ranking", "name": "faq"}],
        "systems": {
            "tacit": make_system(0.8, 0.5, 2.0), "other": make_system(0.7, 0.6, 0.5),
            "absent": {"reason": "no module"},
        },
    }  # fmt: skip


def test_page_lists_losses_and_the_reason_of_absent_systems(report):
    text = page.make_page(report)
    assert "| tacit | **.800** | .500 |" in text
    assert "- *ranking*, tacit .500: other .600" in text
    assert "- *nearest class*" not in text.partition("Where another")[2]
    assert "- *seconds*, tacit 2: other 0.5" in text
    assert "- absent: no module" in text


def test_picture_has_a_point_for_each_system_and_labels_apart(report):
    root = ElementTree.fromstring(page.make_picture(report))
    circles = root.findall("{*}circle")
    assert [circle.get("class") for circle in circles] == ["own", "other"]
    assert float(circles[0].get("cx")) > float(circles[1].get("cx"))
    heights = page.label_places([(10.0, 50.0), (20.0, 51.0), (30.0, 52.0)])
    assert all(abs(a - b) >= 14 for i, a in enumerate(heights) for b in heights[:i])


def test_page_is_the_one_of_the_recorded_results():
    recorded = json.loads((FOLDER / "results.json").read_text("utf-8"))
    assert page.PAGE.read_text("utf-8") == page.make_page(recorded)
    assert page.PICTURE.read_text("utf-8") == page.make_picture(recorded)


def test_discounted_gain_of_a_perfect_and_of_a_late_hit():
    assert tasks.ndcg([3, 1, 2], {1, 3}) == pytest.approx(1.0)
    assert tasks.ndcg([9, 3], {3}) == pytest.approx(0.6309, abs=1e-4)


def test_answers_are_judged_against_the_truth():
    collection = {"kind": "collection", "truth": [["a", "b"], ["b", "a"]]}
    figures = tasks.judge(collection, {"hits": [[1, 0], [1, 0]], "labels": ["b", "a"]})
    assert figures == {"nearest class": 0.5, "few labels": 1.0}
    links = {"kind": "lists", "truth": [(0, 0), (1, 1)]}
    assert tasks.judge(links, {"links": [[0, 0], [1, 2]]})["links"] == pytest.approx(0.5)
