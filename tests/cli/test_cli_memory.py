"""Memory while many texts are indexed and embedded: a fiftieth of ten million in a fiftieth of 2 GB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tacit as library
from helpers.cli_runs import PATIENCE
from tacit import WTMF, TextVectorizer

TEXTS, FEW = 200_000, 6000
SEGMENT, BATCH, PAIRS = 5243, 1311, 40
"""A fiftieth of what ten million texts are worked on by: texts of a segment, of a batch, random pairs whose
scores are taken, which touch pages all over the files."""

MOST = 40e6  # bytes above what few texts take: 200 for each text

PROGRAM = """
import re, sys
from tacit.cli.main import run
from tacit.models import vector_files
from tacit.search import ranking, segment

vector_files.ENCODE_BATCH = segment.ENCODE_BATCH = BATCH
ranking.N_RANDOM_PAIRS = PAIRS
try:
    run()
finally:
    print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells what memory took")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """Texts of a few words by Zipf's law, and a model of some of them."""
    folder = tmp_path_factory.mktemp("many")
    rng = np.random.default_rng(0)
    words = (3000 * rng.random((TEXTS, 7)) ** 3).astype(int)
    lines = [" ".join(f"w{word}" for word in row) for row in words.tolist()]
    (folder / "many.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "few.txt").write_text("\n".join(lines[:FEW]), encoding="utf-8")
    WTMF(TextVectorizer(min_df=2), n_components=64, n_iter=1).fit(lines[:FEW]).save(folder / "model")
    return folder


def peak(*arguments: object) -> float:
    """The most memory a command has at once, files that are mapped too, in bytes."""
    program = f"BATCH, PAIRS = {BATCH, PAIRS}\n{PROGRAM}"
    command = [sys.executable, "-c", program, *map(str, arguments), "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return 1024.0 * float(done.stderr.split()[-1])


def test_an_index_of_many_texts_takes_the_memory_of_a_segment(corpus, tmp_path):
    options = ("--model", corpus / "model", "--segment", SEGMENT)
    floor = peak("index", tmp_path / "few", corpus / "few.txt", *options)
    assert peak("index", tmp_path / "many", corpus / "many.txt", *options) - floor < MOST
    index = library.load(tmp_path / "many")
    assert len(index) == TEXTS
    assert len(index.snapshot.segments) == -(-TEXTS // SEGMENT)
    assert index.search("w1 w7 w30", 1)


@pytest.mark.parametrize("out", ["v.npy", "shards/"])
def test_vectors_of_many_texts_take_the_memory_of_a_batch(corpus, tmp_path, out):
    floor = peak("embed", corpus / "model", corpus / "few.txt", "-o", f"{tmp_path}/few{out}")
    most = peak("embed", corpus / "model", corpus / "many.txt", "-o", f"{tmp_path}/{out}")
    assert most - floor < MOST
    if out == "v.npy":
        assert np.load(tmp_path / out, mmap_mode="r").shape == (TEXTS, 64)
