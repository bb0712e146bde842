"""Results that cannot go stale: each is named by what was asked, the data, and the code that computed it.

A file is called ``QUESTION-CODE.json``. The question is the corpus, the model with all its settings, the
seed and the digest of every file that is read; the code is that of the modules the computation uses. Nothing
is ever found under a name that does not fit; what older code answered to the same question can be asked for,
and is marked.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

FORMAT = 2
Numbers = dict[str, float]


@dataclass(frozen=True)
class Key:
    """What tells one result from all others."""

    question: str
    code: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.question}-{self.code}.json"

    @classmethod
    def of(cls, facts: Mapping[str, Any], code: str) -> Key:
        """Of plain values that say what is asked, and the digest of the code.

        >>> Key.of({"seed": 1}, "c0de") == Key.of({"seed": 2}, "c0de")
        False
        """
        text = json.dumps({"format": FORMAT, **facts}, sort_keys=True, allow_nan=False)
        return cls(sha256(text.encode()).hexdigest()[:24], code)


@dataclass(frozen=True)
class Run:
    """The numbers of one experiment, and what is needed to trust them."""

    numbers: Numbers
    code: str
    commit: str
    clean: bool
    date: str
    seconds: float
    cpu_seconds: float
    facts: Mapping[str, Any] = field(default_factory=dict)


class Cache:
    """A folder of results, a file each, written the moment they are known."""

    def __init__(self, folder: str | Path) -> None:
        """Keep the folder's name."""
        self.folder = Path(folder)

    def find(self, key: Key) -> Run | None:
        """The result of this question by this code; None where there is none, or the file is damaged."""
        return _read(self.folder / key.name)

    def older(self, key: Key) -> Run | None:
        """The newest result of this question by other code."""
        others = [_read(path) for path in self.folder.glob(f"{key.question}-*.json") if path.name != key.name]
        return max(filter(None, others), key=lambda run: run.date, default=None)

    def run(self, key: Key, facts: Mapping[str, Any], compute: Callable[[], Numbers]) -> Run:
        """Compute, and keep."""
        wall, cpu = perf_counter(), process_time()
        commit, clean = code_state()
        numbers = compute()
        run = Run(
            numbers,
            key.code,
            commit,
            clean,
            datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            round(perf_counter() - wall, 1),
            round(process_time() - cpu, 1),
            facts,
        )
        _write_whole(self.folder / key.name, {"format": FORMAT, **asdict(run)})
        return run


def _read(file: Path) -> Run | None:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept.pop("format") != FORMAT:
            return None
        numbers = {str(key): float(value) for key, value in kept.pop("numbers").items()}
        return Run(numbers=numbers, **kept)
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None


@lru_cache(maxsize=4096)
def file_digest(file: Path) -> str:
    """The digest of a file's bytes, found once a process."""
    with file.open("rb") as opened:
        digest = sha256()
        while block := opened.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:32]


def code_state() -> tuple[str, bool]:
    """The last commit to the code, and whether the code is as it has it; empty outside a repository."""
    root, code = Path(__file__).parents[1], ("--", "src", "papers")
    commit = _git(root, "log", "-1", "--format=%H", *code)
    changed = _git(root, "status", "--porcelain", *code)
    return (commit or "")[:12], changed == ""


def _git(root: Path, *arguments: str) -> str | None:
    try:
        found = subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607
            cwd=root, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()


def _write_whole(file: Path, values: dict[str, object]) -> None:
    """Write JSON so that the file is there whole or not at all, even when stopped."""
    file.parent.mkdir(parents=True, exist_ok=True)  # where nobody called check
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_text(
            json.dumps(values, indent=1, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8"
        )
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
