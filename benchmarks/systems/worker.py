"""Run the tasks of one system in this process: ``worker.py SYSTEM < tasks.json > answers.json``.

This file and the adapters need only numpy, scikit-learn and the system itself, so that every system can have
an environment of its own.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer every task that the system supports; errors become the reason of a missing figure."""
    answers_to, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    os.dup2(2, 1)  # libraries print to stdout
    name, tasks = sys.argv[1], json.load(sys.stdin)
    import adapters

    system = adapters.SYSTEMS[name]()
    if hasattr(system, "fit"):
        system.fit(adapters.TEXTS, "en")
        system.encode(adapters.TEXTS[:1])
    else:
        system.start()
    cold = processor_time()
    answers = [answer(system, task) for task in tasks]
    facts = {
        "cold_start": cold,
        "memory": peak_memory(),
        "disk": installed_size(system.package),
        "settings": system.settings,
    }
    facts |= {"version": metadata.version(system.package)}
    json.dump({"facts": facts, "answers": answers}, answers_to)
    answers_to.flush()
    os._exit(0)  # some libraries keep threads that never end


def answer(system: Any, task: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to a task with its seconds; None if the system is not made for such a task."""
    method = getattr(system, f"answer_{task['kind']}", None)
    if method is None:
        return None
    seconds: dict[str, float] = {}
    try:
        result = method(task, Stopwatch(seconds))
    except Exception as error:  # the reason goes into the row of the system
        return {"error": f"{type(error).__name__}: {error}"}
    return {"answer": result, "seconds": seconds} if result else None


class Stopwatch:
    """Adds the seconds of processor time of named steps: ``with watch("train"): ...``."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def __call__(self, step: str) -> Stopwatch:
        self.step = step
        return self

    def __enter__(self) -> None:
        self.started = processor_time()

    def __exit__(self, *error: object) -> None:
        self.seconds[self.step] = self.seconds.get(self.step, 0.0) + processor_time() - self.started


def processor_time() -> float:
    """Return the processor time of this process and of its children, in seconds."""
    ticks = 0
    for process in child_processes():
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def peak_memory() -> int:
    """Return the peak of the memory of this process, and of its children, which Spark needs, in bytes."""
    peaks = []
    for process in [os.getpid(), *child_processes()]:
        status = Path(f"/proc/{process}/status").read_text("utf-8")
        peaks += [1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    return sum(peaks)


def child_processes() -> list[int]:
    """Return the numbers of the running children, if psutil is installed."""
    try:
        import psutil
    except ImportError:
        return []
    return [child.pid for child in psutil.Process().children(recursive=True)]


def installed_size(package: str) -> int:
    """Return the bytes on disk of a package and of everything it requires."""
    sizes: dict[str, int] = {}
    waiting = [package]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if name in sizes:
            continue
        paths = [Path(str(found.locate_file(file))) for file in found.files or []]
        sizes[name] = sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")
        for requirement in found.requires or []:
            if "extra ==" not in requirement:
                waiting.append(
                    "".join(c if c.isalnum() or c in "-_." else " " for c in requirement).split()[0]
                )
    return sum(sizes.values())


if __name__ == "__main__":
    main()
