"""Memory of a training in partitions: bounded by the words and a partition, not by the texts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helpers.scaled import write_many

TRAIN = """
import re, sys
from pathlib import Path
from tacit import WTMF, TextVectorizer
from tacit.corpora.partitions import partition_corpus
from tacit.scale.engines import ThreadEngine
from tacit.scale.partitioned_backend import PartitionedBackend

path, folder = sys.argv[1:]
trainer = WTMF(TextVectorizer(language=None, min_df=2), n_iter=1, n_threads=2)
parts = partition_corpus([path], size=200_000)
trainer.fit_backend(PartitionedBackend(parts, ThreadEngine(2), folder, 10**8))
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(trainer.model_.n_words, int(peak[1]) * 1024)
"""

LIMIT, N_TEXTS, N_WORDS = 2 * 10**9, 10_000_000, 300_000
"""Bytes that a training of so many texts of so many words may use."""


def peak(folder: Path, n_texts: int, n_words: int) -> int:
    """The peak memory of a training in its own process. (``ru_maxrss`` would include that of its parent.)"""
    texts = write_many(folder / f"{n_texts}.txt", n_texts, n_words)
    code = [sys.executable, "-c", TRAIN, str(texts), str(folder / f"{n_texts}.work")]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    found, memory = map(int, done.stdout.split())
    assert found == n_words
    return memory


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_hundredth_of_the_corpus_adds_a_hundredth_of_the_limit(tmp_path):
    """The floor is a training with as many partitions under way, of fewer texts and words."""
    floor = peak(tmp_path, 50_000, 1_000)
    more = peak(tmp_path, 50_000 + N_TEXTS // 100, 1_000 + N_WORDS // 100)
    assert more - floor < (LIMIT - floor) / 100, f"{more / 1e6:.0f} MB, floor {floor / 1e6:.0f} MB"
