"""Training past memory: peak memory of the whole process tree, and seconds a sweep, by the number of texts.

    python benchmarks/out_of_core.py --texts 1_000_000 --texts 10_000_000 --sweeps 2

Texts are generated to disk (see ``synthetic``). Every training is a process of its own, whose tree is watched
from outside: what is shown is the largest sum of its processes' private and shared pages, files mapped too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from synthetic import write_texts


def watched(command: list[str], log: Path) -> tuple[float, float]:
    """Run a command; the seconds it took and the most memory its processes had at once, in bytes."""
    started, most = time.perf_counter(), 0
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
        tree = psutil.Process(process.pid)
        while process.poll() is None:
            most = max(most, memory_of(tree))
            time.sleep(0.1)
    if process.returncode:
        sys.exit(log.read_text()[-2000:])
    return time.perf_counter() - started, most


def memory_of(tree: psutil.Process) -> int:
    total = 0
    try:
        for each in (tree, *tree.children(recursive=True)):
            total += each.memory_info().rss
    except psutil.Error:
        pass
    return total


def sweep_seconds(log: str) -> list[float]:
    """The seconds of each sweep, from the lines of the passes."""
    found: dict[int, float] = {}
    for number, seconds in re.findall(r"sweep (\d+) of .*?, ([\d.]+) s\b(?! left)", log):
        found[int(number)] = found.get(int(number), 0.0) + float(seconds)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, action="append")
    parser.add_argument("--words", type=int, default=300_000)
    parser.add_argument("--sweeps", default="2")
    parser.add_argument("--engine", action="append")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--folder", default=None)
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        for n_texts in options.texts or [100_000, 1_000_000]:
            corpus = Path(folder, f"texts-{n_texts}.txt")
            write_texts(corpus, n_texts, options.words)
            for engine in options.engine or ["disk"]:
                report(folder, corpus, n_texts, engine, options)
            corpus.unlink()


def report(folder: str, corpus: Path, n_texts: int, engine: str, options: argparse.Namespace) -> None:
    out, log = Path(folder, "model"), Path(folder, "log.txt")
    tacit = [str(Path(sys.executable).with_name("tacit")), "train", str(out), str(corpus)]
    chosen = [
        "--engine",
        engine,
        "--sweeps",
        options.sweeps,
        "--threads",
        options.threads,
        "--language",
        "none",
    ]
    memory = [] if engine == "memory" else ["--memory", options.memory]
    seconds, most = watched([*tacit, *chosen, *memory], log)
    sweeps = sweep_seconds(log.read_text())
    print(
        json.dumps(
            {
                "engine": engine,
                "texts": n_texts,
                "corpus_mb": round(os.path.getsize(corpus) / 1e6),
                "seconds": round(seconds, 1),
                "sweep_seconds": [round(s, 1) for s in sweeps],
                "peak_mb": round(most / 1e6),
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main()
