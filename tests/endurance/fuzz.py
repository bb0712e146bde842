"""Forge folders of every kind, load them and use them, with bounds checked: ``make fuzz FOLDERS=100000``.

A folder must be refused or used; only tacit's own errors may come out, no process may die or hang, and none
may take more than four times the folder (and a floor, see `endurance.worker`).
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from endurance.folders import KINDS, make_folders
from endurance.uses import FEW

PATIENCE = 300.0
"""Seconds without a word before a process counts as hung: compiling with bounds checked comes first."""
CHUNK = 500
SOURCE = Path(__file__).parents[2] / "src"


def checked_environment(cache: Path) -> dict[str, str]:
    """Bounds checked in every kernel: with a cache of its own, since numba's knows no such difference."""
    return {
        **os.environ,
        **({"NUMBA_OPT": "0"} if FEW in os.environ else {}),  # quicker to compile
        "PYTHONPATH": os.pathsep.join([str(SOURCE), str(Path(__file__).parents[1])]),
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_CACHE_DIR": str(cache),
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "PYTHONFAULTHANDLER": "1",
    }


@dataclass
class Findings:
    """What came of all folders."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[Any]] = field(default_factory=dict)
    peak: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, told: dict[str, Any]) -> None:
        with self.lock:
            self.counts["folders"] += told["outcome"] != "unwritable"
            self.counts[told["outcome"]] += 1
            self.counts[f"{kind} {told['outcome']}"] += 1
            self.counts["calls refused"] += told.get("errors", 0)
            self.peak = max(self.peak, told.get("peak", 0))
        if "fault" in told:
            self.fault(kind, told["fault"], told)

    def fault(self, kind: str, what: str, told: Any) -> None:
        with self.lock:
            known = self.faults.setdefault(f"{kind}: {what}", [])
            known.append(told)
            if len(known) == 1:
                say(f"FAULT {kind}: {what} {json.dumps(told)[:600]}")

    def summary(self) -> str:
        kinds = sorted(
            {name.rsplit(" ", 1)[0] for name in self.counts if name.endswith((" used", " refused"))}
        )
        lines = [
            f"{kind}: {self.counts[f'{kind} used']:,} used, {self.counts[f'{kind} refused']:,} refused"
            for kind in kinds
            if kind != "calls"
        ]
        total = ", ".join(
            f"{self.counts[name]:,} {name}" for name in ("folders", "used", "refused", "calls refused")
        )
        faults = [f"{len(found)} x {what}" for what, found in self.faults.items()]
        lines += [
            f"in all {total}; highest peak {self.peak / 2**20:.1f} MB",
            f"{len(faults)} faults",
            *faults,
        ]
        return "\n".join(lines)


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)  # noqa: T201


def run_chunk(kind: str, source: Path, cache: Path, start: int, count: int, found: Findings) -> None:
    """Try seeds from ``start`` on; a process that dies is noted, and another goes on behind its seed."""
    end = start + count
    while start < end:
        with tempfile.TemporaryDirectory(dir=shared_memory()) as work:
            start = run_worker(kind, source, Path(work), cache, (start, end), found)


def shared_memory() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


def run_worker(
    kind: str, source: Path, work: Path, cache: Path, seeds: tuple[int, int], found: Findings
) -> int:
    start, end = seeds
    command = [sys.executable, "-m", "endurance.worker", source, work, str(start), str(end - start)]
    with (
        open(work / "errors", "w+b") as errors,
        subprocess.Popen(
            command, bufsize=0, stdout=subprocess.PIPE, stderr=errors, env=checked_environment(cache)
        ) as process,
    ):
        at = start
        while (line := next_line(process)) is not None:
            told = json.loads(line)
            if "end" in told:
                process.wait()
                return end
            found.note(kind, told)
            at = told["seed"] + 1
        try:
            hung, code = False, process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            hung, code = True, process.wait()
        errors.seek(0)
        what = "hangs" if hung else f"dies by {code}"
        found.counts["folders"] += 1
        found.fault(kind, what, {"seed": at, "errors": errors.read()[-2000:].decode("utf-8", "replace")})
    return at + 1


def next_line(process: subprocess.Popen[bytes]) -> bytes | None:
    """The next line, or None at the end or after a long silence; the pipe is unbuffered, lines come whole."""
    assert process.stdout
    if not select.select([process.stdout], [], [], PATIENCE)[0]:
        return None
    return process.stdout.readline() or None


def fuzz(folders: int, jobs: int, kinds: list[str], seed: int, cache: Path, chunk: int = CHUNK) -> Findings:
    """Try forgeries, chunk by chunk and kind by kind, until so many folders were loaded and used."""
    found = Findings()
    with tempfile.TemporaryDirectory() as where:
        sources = make_folders(Path(where), kinds)
        chunks = iter((kind, seed + round_ * chunk) for round_ in range(10**9) for kind in kinds)
        lock, failed = threading.Lock(), []

        def work() -> None:
            try:
                while found.counts["used"] < folders and not failed:
                    with lock:
                        kind, start = next(chunks)
                    run_chunk(kind, sources[kind], cache, start, chunk, found)
                    say(f"{found.counts['folders']:,} folders, {found.counts['used']:,} used, "
                        f"{len(found.faults)} faults; last {kind} from seed {start}")  # fmt: skip
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]
    return found


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--folders", type=int, default=10_000, help="how many to load and use")
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--chunk", type=int, default=CHUNK)
    reader.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    reader.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "tacit-checked-kernels"))
    given = reader.parse_args()
    logging.disable(logging.WARNING)
    found = fuzz(given.folders, given.jobs, given.kinds, given.seed, given.cache, given.chunk)
    say("done\n" + found.summary())
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
