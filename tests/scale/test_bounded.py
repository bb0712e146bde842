"""Memory past memory: bounded by the words and a partition, not by the texts."""

from __future__ import annotations

import subprocess
import sys

from helpers.scaled import write_many

TRAIN = """
import resource, sys
from tacit import WTMF, TextVectorizer
from tacit.corpora.partitions import partitions_of
from tacit.scale.engines import Threads
from tacit.scale.partitioned_backend import PartitionedBackend

path, folder, n_iter = sys.argv[1:]
trainer = WTMF(TextVectorizer(language=None, min_df=2), n_iter=int(n_iter), n_threads=2)
parts = partitions_of([path], size=800_000)
trainer.fit_backend(PartitionedBackend(parts, Threads(2), folder, 10**8))
print(trainer.model_.n_words, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def peak(path, folder) -> int:
    """The most memory that a training had, in a process of its own."""
    code = [sys.executable, "-c", TRAIN, str(path), str(folder), "1"]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[1])


def test_a_twentieth_of_the_texts_takes_a_twentieth_of_the_memory_above_the_floor(tmp_path):
    """500,000 texts of 15,000 words; what the same training of few texts takes is the floor."""
    few, many = write_many(tmp_path / "few.txt", 2_000), write_many(tmp_path / "many.txt", 500_000)
    floor, found = peak(few, tmp_path / "a"), peak(many, tmp_path / "b")
    assert found - floor < (2 * 10**9 - floor) / 20, f"{found / 1e6:.0f} MB, floor {floor / 1e6:.0f} MB"
