"""A corpus in partitions, small enough to train on in a moment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacit.corpora.partitions import Partition, partition_corpus
from tacit.scale.engines import ThreadEngine
from tacit.scale.partitioned_backend import PartitionedBackend
from tacit.training.wtmf import WTMF

MEMORY = 10**9


def write_corpus(path: Path, n_texts: int = 3000, n_words: int = 800, seed: int = 0) -> Path:
    """Texts of words by Zipf's law, half of them of one of ten topics; some lines are blank."""
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(n_texts):
        n = int(rng.integers(3, 12))
        ranks = (rng.zipf(1.2, n) - 1) % n_words
        topic = int(rng.integers(10))
        words = np.where(rng.random(n) < 0.5, ranks, (ranks * 7 + 80 * topic) % n_words)
        lines.append(" ".join(f"word{'abcdefghij'[w % 10]}{w}" for w in words))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def cut(path: Path, n_parts: int = 11) -> list[Partition]:
    return partition_corpus([path], size=path.stat().st_size // n_parts)


@dataclass
class Training:
    trainer: WTMF
    backend: PartitionedBackend

    def run(self) -> WTMF:
        return self.trainer.fit_backend(self.backend)


def training(
    parts: list[Partition], folder: Path, engine: object = None, memory: int = MEMORY, **options: object
) -> Training:
    trainer = WTMF(**{"n_components": 12, "n_iter": 4, "n_threads": 1, **options})
    return Training(trainer, PartitionedBackend(parts, engine or ThreadEngine(1), folder, memory))


def vectors(trained: WTMF) -> bytes:
    return trained.model_.pivot.word_vectors.tobytes()


def write_many(path: Path, n_texts: int, n_words: int = 15_000, seed: int = 0) -> Path:
    """As many texts as one likes, quickly: 4 to 14 words each, by Zipf's law."""
    rng = np.random.default_rng(seed)
    names = [f"w{number}" for number in range(n_words)]
    edges = np.cumsum(1 / np.arange(1, n_words + 1))
    lengths = rng.integers(4, 15, n_texts)
    words = np.searchsorted(edges / edges[-1], rng.random(int(lengths.sum()))).clip(max=n_words - 1).tolist()
    ends = np.cumsum(lengths).tolist()
    with path.open("w", encoding="ascii") as file:
        for start, end in zip([0, *ends], ends, strict=False):
            file.write(" ".join(map(names.__getitem__, words[start:end])) + "\n")
    return path
