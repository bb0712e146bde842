"""Cache of run records: one file of JSON lines, which are read at once and appended one by one.

A run is identified by what was computed: the description of its corpus, the digest of the files that are
read, the kind of model with all its settings, the seed, and the results version of that kind. Neither the
code nor the name of a paper, table or row is part of it. A record holds all of these parts as plain values,
so that a renamed setting is a text edit of the file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tacit.errors import InputError

Numbers = dict[str, float]
RUNS = Path(__file__).parents[1] / "runs.jsonl"
"""The records of this repository."""


@dataclass(frozen=True)
class RunKey:
    """The values that identify a run.

    Parameters
    ----------
    corpus : what is read and how, as ``Corpus.describe_input`` returns it.
    data : the digest of all files that training and evaluation read.
    model : the kind of model.
    settings : every setting of the model, defaults included.
    seed : the random seed.
    results_version : the version of the kind of model, raised by hand when its numbers change.
    """

    corpus: Mapping[str, Any]
    data: str
    model: str
    settings: Mapping[str, Any]
    seed: int
    results_version: int = 1

    @cached_property
    def text(self) -> str:
        """Return the key as canonical JSON; equal keys have equal texts, and records are sorted by it.

        >>> key = RunKey({"sources": []}, "d1", "lda", {"n_iter": 20}, seed=0)
        >>> key.text == RunKey({"sources": []}, "d1", "lda", {"n_iter": 20}, seed=1).text
        False
        """
        return _dump(asdict(self))


@dataclass(frozen=True)
class RunRecord:
    """The numbers of one run with its key, the commit that computed it, and the time it took.

    ``clean`` is whether the code was that of ``commit``, without uncommitted changes.
    """

    key: RunKey
    numbers: Numbers
    commit: str
    clean: bool
    date: str
    seconds: float
    cpu_seconds: float

    def to_line(self) -> str:
        """Return the record as one line of JSON, with the parts of its key as fields."""
        values = asdict(self)
        return _dump({**values.pop("key"), **values}) + "\n"

    @classmethod
    def from_line(cls, line: str) -> RunRecord:
        """Read a line that ``to_line`` wrote; raises ValueError, KeyError or TypeError for any other."""
        values = json.loads(line)
        key = RunKey(**{part.name: values.pop(part.name) for part in fields(RunKey)})
        return cls(key=key, **values)

    @classmethod
    def measure(cls, key: RunKey, compute: Callable[[], Numbers]) -> RunRecord:
        """Call ``compute`` and record its numbers with the time they took."""
        wall, cpu = perf_counter(), process_time()
        commit, clean = git_state()
        numbers = compute()
        return cls(
            key,
            numbers,
            commit,
            clean,
            datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            round(perf_counter() - wall, 1),
            round(process_time() - cpu, 1),
        )


class RunCache:
    """The run records of a file; new records are appended immediately.

    A last line without a line break is what an interrupted write leaves: it is ignored, and removed before
    the next record is appended. Of two records of one key the later counts.

    >>> from tempfile import TemporaryDirectory
    >>> key = RunKey({}, "d1", "ir", {}, seed=0)
    >>> with TemporaryDirectory() as folder:
    ...     cache = RunCache(Path(folder, "runs.jsonl"))
    ...     cache.append(RunRecord.measure(key, lambda: {"r": 0.5}))
    ...     RunCache(cache.file).find(key).numbers
    {'r': 0.5}
    """

    def __init__(self, file: str | Path = RUNS) -> None:
        """Store the file's name; it is read when the first record is looked up."""
        self.file = Path(file)

    def find(self, key: RunKey) -> RunRecord | None:
        """Return the record of a key, or None."""
        return self._records.get(key.text)

    def records(self) -> list[RunRecord]:
        """Return all records, sorted by their keys."""
        return [self._records[text] for text in sorted(self._records)]

    def append(self, record: RunRecord) -> None:
        """Add a record to the file, by one write at its end."""
        line = record.to_line().encode()
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab", buffering=0) as opened:
            content = self.file.read_bytes()
            end = _end_of_last_line(content)
            if end < len(content):
                opened.truncate(end)
            opened.write(line)
        self._records[record.key.text] = record

    def sort(self) -> None:
        """Rewrite the file, sorted and with one line a key; records of other processes are kept."""
        self.__dict__.pop("_records", None)
        part = self.file.with_suffix(f".{os.getpid()}.part")
        try:
            write_records(part, self.records())
            part.replace(self.file)
        finally:
            part.unlink(missing_ok=True)

    @cached_property
    def _records(self) -> dict[str, RunRecord]:
        records = {}
        for number, line in enumerate(_whole_lines(self.file), 1):
            try:
                record = RunRecord.from_line(line)
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{self.file}, line {number}, is not a run record ({error!r}): delete the line or "
                    "restore the file"
                ) from None
            records[record.key.text] = record
        return records


def write_records(file: Path, records: Iterable[RunRecord]) -> None:
    """Write records to a new file."""
    file.write_bytes("".join(record.to_line() for record in records).encode())


def _whole_lines(file: Path) -> list[str]:
    """Return the lines that end in a line break; none if the file does not exist."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return []
    return content[: _end_of_last_line(content)].decode().split("\n")[:-1]


def _end_of_last_line(content: bytes) -> int:
    return content.rfind(b"\n") + 1


def _dump(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def data_digest(files: Mapping[str, Path]) -> str:
    """Return one digest of files: of their paths within the data folder and of their contents."""
    digests = [[path, file_digest(file)] for path, file in sorted(files.items())]
    return sha256(json.dumps(digests).encode()).hexdigest()[:24]


@lru_cache(maxsize=4096)
def file_digest(file: Path) -> str:
    """Return the digest of a file's content, computed once per process."""
    with file.open("rb") as stream:
        digest = sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:32]


def git_state() -> tuple[str, bool]:
    """Return the last commit to the code, and whether the code is unchanged since; empty without git."""
    root, code = Path(__file__).parents[2], ("--", "src", "papers/*.py", "papers/*.toml")
    commit = _git(root, "log", "-1", "--format=%H", *code)
    changed = _git(root, "status", "--porcelain", *code)
    return (commit or "")[:12], changed == ""


def _git(root: Path, *arguments: str) -> str | None:
    try:
        completed = subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607
            cwd=root, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return completed.stdout.strip()
