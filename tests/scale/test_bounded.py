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
"""Maximum bytes of a training of this many texts with this many words."""


def peak(folder: Path, n_texts: int, n_words: int) -> int:
    """Return the peak memory of a training in a new process; ``ru_maxrss`` would include its parent."""
    texts = write_many(folder / f"{n_texts}.txt", n_texts, n_words)
    code = [sys.executable, "-c", TRAIN, str(texts), str(folder / f"{n_texts}.work")]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    n_trained_words, memory = map(int, done.stdout.split())
    assert n_trained_words == n_words
    return memory


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_hundredth_of_the_corpus_adds_little_memory(tmp_path):
    """The baseline is a training with as many partitions in progress, but fewer texts and words."""
    baseline = peak(tmp_path, 50_000, 1_000)
    more = peak(tmp_path, 50_000 + N_TEXTS // 100, 1_000 + N_WORDS // 100)
    assert more - baseline < (LIMIT - baseline) / 100, f"{more:,} bytes, baseline {baseline:,}"
