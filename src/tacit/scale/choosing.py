"""Which engine suits an input: what a training in memory would take, and what the machine has free."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tacit.corpora.partitions import PARTITION_BYTES, Partition
from tacit.corpora.sources import GZIP_MAGIC
from tacit.errors import InputError

FLOOR = 250 * 10**6
TEXT_BYTES = 700
CHARACTER_BYTES = 8
"""What a training in memory takes: at the least, for each text (its vector and its row), and for each
character of it (tokens, weights both ways). Measured on short English texts; see docs/scaling.md."""

PARTS = 16
LEAST_SIZE = 1 << 20
"""Into how many partitions a corpus is cut that is small for it, and the least bytes of one: the more there
are, the more evenly threads share them, and each pays for its words once more."""

SAFE = 0.6
"""The part of the free memory that a training in memory may be expected to take."""
_SAMPLE = 2000
_UNZIPPED = 4
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True)
class Choice:
    """An engine, and why."""

    engine: str
    need: int
    free: int

    def __str__(self) -> str:
        """One line for people.

        >>> str(Choice("disk", 13 * 10**9, 8 * 10**9))
        'engine disk: in memory it would take about 13.0 GB, and 8.0 GB are free'
        """
        need, free = shown_bytes(self.need), shown_bytes(self.free)
        return f"engine {self.engine}: in memory it would take about {need}, and {free} are free"


def choose_engine(partitions: Sequence[Partition], memory: int | None = None) -> Choice:
    """In memory where that fits well, else on disk; ``memory`` stands for what the machine has free."""
    need, free = memory_needed(partitions), free_memory() if memory is None else memory
    return Choice("memory" if need <= SAFE * free else "disk", need, free)


def partition_size(n_bytes: int) -> int:
    """About how many bytes a partition of a corpus of so many has: by the corpus alone, not by the machine.

    >>> partition_size(1000) == LEAST_SIZE, partition_size(160_000_000), partition_size(10**12) == SIZE
    (True, 10000000, True)
    """
    return min(max(-(-n_bytes // PARTS), LEAST_SIZE), PARTITION_BYTES)


def memory_needed(partitions: Sequence[Partition]) -> int:
    """About how many bytes a training in memory would take, from the input's size and its first texts."""
    if not partitions:
        return FLOOR
    size = sum(part.size * (_UNZIPPED if _zipped(part.source) else 1) for p in partitions for part in p.parts)
    lengths = [len(text.encode("utf-8", "replace")) + 1 for text in islice(partitions[0].texts(), _SAMPLE)]
    typical = sum(lengths) / len(lengths) if lengths else 1.0
    return int(FLOOR + size / typical * TEXT_BYTES + size * CHARACTER_BYTES)


def _zipped(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == GZIP_MAGIC
    except OSError:
        return False


def free_memory() -> int:
    """The bytes a process can still take: of the machine, or of the container it is in."""
    limits = [limit for limit in (_machine(), _container()) if limit is not None]
    return min(limits, default=4 * 10**9)


def _machine() -> int | None:
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
        if found:
            return int(found[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (OSError, ValueError, AttributeError):
        return None


def _container() -> int | None:
    folder = Path("/sys/fs/cgroup")
    try:
        most, used = ((folder / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return None if most == "max" else max(int(most) - int(used), 0)
    except (OSError, ValueError):
        return None


def shown_bytes(size: float) -> str:
    """A size for people.

    >>> shown_bytes(17_472), shown_bytes(624e6), shown_bytes(2.5e9)
    ('17.5 kB', '624.0 MB', '2.5 GB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size / 1000:.1f} kB"


def bytes_of(given: str, name: str = "memory") -> int:
    """The bytes that people mean.

    >>> bytes_of("2GB"), bytes_of("512 MB"), bytes_of("1.5g")
    (2000000000, 512000000, 1500000000)
    >>> bytes_of("much")
    Traceback (most recent call last):
    tacit.errors.InputError: memory=much: give a size, such as 2GB or 500MB
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", given.lower())
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if not size:
        raise InputError(f"{name}={given}: give a size, such as 2GB or 500MB", parameter=name)
    return size
