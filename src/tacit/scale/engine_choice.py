"""Estimate the memory that training needs and choose an engine."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tacit.corpora.partitions import PARTITION_BYTES, Partition
from tacit.corpora.sources import GZIP_MAGIC

# Memory of a training in memory, measured on short English texts (see docs/scaling.md): for the process, for
# each text (its vector and its row), and for each character (tokens, weights by row and by column).
BASE_BYTES = 250 * 10**6
BYTES_PER_TEXT = 700
BYTES_PER_CHARACTER = 8

# A small corpus is split into this many partitions, of at least this many bytes. More partitions are shared
# more evenly among threads, but each partition has a cost for its words.
TARGET_PARTITIONS = 16
MIN_PARTITION_BYTES = 1 << 20

MAX_MEMORY_SHARE = 0.6  # share of the free memory that a training in memory may be expected to take
_SAMPLED_TEXTS = 2000
_GZIP_RATIO = 4


@dataclass(frozen=True)
class EngineChoice:
    """An engine and the two figures that decided."""

    engine: str
    bytes_needed: int
    bytes_free: int

    def __str__(self) -> str:
        """Return one line for users.

        >>> str(EngineChoice("disk", 13 * 10**9, 8 * 10**9))
        'engine disk: training in memory would need about 13.0 GB, and 8.0 GB are free'
        """
        needed, free = format_bytes(self.bytes_needed), format_bytes(self.bytes_free)
        return f"engine {self.engine}: training in memory would need about {needed}, and {free} are free"


def choose_engine(partitions: Sequence[Partition], memory: int | None = None) -> EngineChoice:
    """Choose "memory" if training needs at most 60 % of the free memory (or of ``memory``), else "disk"."""
    needed, free = estimate_memory(partitions), free_memory() if memory is None else memory
    return EngineChoice("memory" if needed <= MAX_MEMORY_SHARE * free else "disk", needed, free)


def partition_size(n_bytes: int) -> int:
    """Return the size of a partition of a corpus of ``n_bytes``; it does not depend on the machine.

    >>> partition_size(160_000_000)
    10000000
    >>> partition_size(1000) == MIN_PARTITION_BYTES, partition_size(10**12) == PARTITION_BYTES
    (True, True)
    """
    return min(max(-(-n_bytes // TARGET_PARTITIONS), MIN_PARTITION_BYTES), PARTITION_BYTES)


def estimate_memory(partitions: Sequence[Partition]) -> int:
    """Estimate the bytes that a training in memory needs, from the size of the input and its first texts."""
    if not partitions:
        return BASE_BYTES
    parts = [part for partition in partitions for part in partition.parts]
    size = sum(part.size * (_GZIP_RATIO if _is_gzip(part.source) else 1) for part in parts)
    texts = islice(partitions[0].texts(), _SAMPLED_TEXTS)
    lengths = [len(text.encode("utf-8", "replace")) + 1 for text in texts]
    mean_length = sum(lengths) / len(lengths) if lengths else 1.0
    return int(BASE_BYTES + size / mean_length * BYTES_PER_TEXT + size * BYTES_PER_CHARACTER)


def _is_gzip(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == GZIP_MAGIC
    except OSError:
        return False


def free_memory() -> int:
    """Return the bytes that this process can still take, limited by the machine and by its container."""
    limits = []
    for read_limit in (_machine_memory, _container_memory):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            limits.append(read_limit())
    return min(limits, default=4 * 10**9)


def _machine_memory() -> int:
    match = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    if match:
        return int(match[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _container_memory() -> int:
    """Read the limit of the control group; ValueError for "max", which is no limit."""
    folder = Path("/sys/fs/cgroup")
    limit, used = (int((folder / name).read_text()) for name in ("memory.max", "memory.current"))
    return max(limit - used, 0)


def format_bytes(size: float) -> str:
    """Format a number of bytes.

    >>> format_bytes(17_472), format_bytes(624e6), format_bytes(2.5e9)
    ('17.5 kB', '624.0 MB', '2.5 GB')
    """
    from rich.filesize import decimal

    return decimal(round(size))
