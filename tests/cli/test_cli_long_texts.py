"""Long texts: their cost beyond that of short ones, and the note on the sample of their words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from helpers.cli_runs import PATIENCE, tacit
from tacit import WTMF, TextVectorizer

PROGRAM = """
import os, re, sys
from tacit.cli.main import run
try:
    run()
finally:
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    print(f"cost {sum(os.times()[:2])} {peak}", file=sys.stderr)
"""

on_linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells what memory took")


class Cost(NamedTuple):
    """Seconds of the processor, and the most memory at once, in MB."""

    seconds: float
    memory: float


def cost(*arguments: object) -> Cost:
    """The least of two runs: the first one may compile."""
    costs = []
    for _ in range(2):
        command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)
        assert done.returncode == 0, done.stderr
        seconds, kilobytes = re.search(r"cost (\S+) (\d+)", done.stderr).groups()
        costs.append(Cost(float(seconds), int(kilobytes) / 1024))
    return Cost(*map(min, zip(*costs, strict=True)))


@pytest.fixture(scope="module")
def words() -> list[str]:
    """Running text: few words are frequent, many are rare."""
    rng = np.random.default_rng(0)
    letters = rng.choice(list("etaoinshrdlucmfwyp"), (30_000, 9))
    spelt = ["".join(row[:size]) for row, size in zip(letters, rng.integers(3, 10, 30_000), strict=True)]
    return [spelt[number] for number in (30_000 * rng.random(300_000) ** 4).astype(int).tolist()]


@pytest.fixture(scope="module")
def model(tmp_path_factory, words) -> Path:
    folder = tmp_path_factory.mktemp("long") / "model"
    texts = [" ".join(words[start : start + 20]) for start in range(0, len(words), 20)]
    WTMF(TextVectorizer(min_df=1), n_components=50, n_iter=1).fit(texts).save(folder)
    return folder


def text(words: list[str], start: int, size: int) -> str:
    return " ".join(words[start:])[:size]


@on_linux
def test_texts_of_100_kb_are_explained_in_2_s_and_200_mb(model, words):
    short = cost("explain", model, text(words, 0, 50), text(words, 100, 50))
    long = cost("explain", model, text(words, 0, 100_000), text(words, 100_000, 100_000))
    assert long.seconds - short.seconds < 2
    assert long.memory - short.memory < 200


@on_linux
def test_a_hundred_texts_of_20_kb_are_indexed_in_ten_seconds(model, words, tmp_path):
    for name, size in (("short", 50), ("long", 20_000)):
        lines = [text(words, 2500 * number, size) for number in range(100)]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    short, long = (
        cost("index", tmp_path / f"{name}.index", tmp_path / name, "--model", model)
        for name in ("short", "long")
    )
    assert long.seconds - short.seconds < 10


@pytest.mark.parametrize("verb", ["compare", "explain"])
def test_sampling_of_long_texts_is_reported_once(model, words, verb):
    result = tacit(verb, model, text(words, 0, 60_000), text(words, 100_000, 60_000))
    assert result.err == "tacit: 2 texts have more than 1024 distinct words: alignment uses a sample\n"
    assert tacit(verb, model, *words[:2]).err == ""
