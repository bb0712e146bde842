"""Small models for the tests of storage, and what it means for two to be the same."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tacit.storage import StoredModel, read_config, write_model
from tacit.storage.config import content_entries


def small(name: str = "first", size: int = 3) -> StoredModel:
    rng = np.random.default_rng(len(name))
    return StoredModel(
        kind="WTMF",
        parameters={"n_components": 2, "missing_weight": 0.01, "language": None},
        training={"name": name, "seed": 7, "loss": [3.25, 1.1, 0.1 + 0.2]},
        arrays={"P": rng.random((size, 2), dtype=np.float32), "df": np.arange(size), "idf": rng.random(size)},
        vocabulary=[(f"{name}{i}", str(i)) for i in range(size)],
    )


def saved(folder: Path, name: str = "first") -> Path:
    write_model(folder, small(name), card=f"# {name}\n")
    return folder


def same(one: StoredModel, other: StoredModel) -> bool:
    rest = [(s.kind, s.parameters, s.training, s.vocabulary, s.version) for s in (one, other)]
    return rest[0] == rest[1] and bits(one) == bits(other)


def bits(stored: StoredModel) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    return {name: (a.dtype.name, a.shape, a.tobytes()) for name, a in stored.arrays.items()}


def content(folder: Path, role: str) -> Path:
    """The file that holds the arrays, or the vocabulary."""
    return folder / read_config(folder)["files"][role]["name"]


def strays(folder: Path) -> list[str]:
    """List files in or beside a folder that are not part of its model: none after a clean write."""
    parts = {"config.json", "README.md", ".lock", *(e["name"] for e in content_entries(read_config(folder)))}
    return sorted({*os.listdir(folder)} - parts) + sorted({*os.listdir(folder.parent)} - {folder.name})
