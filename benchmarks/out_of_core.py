"""Training on more text than memory: peak memory of all processes and seconds per sweep, by number of texts.

    python benchmarks/out_of_core.py --texts 1_000_000 --texts 10_000_000 --sweeps 2

Texts are generated to disk (see ``synthetic``). Each training runs in a new process.
Its memory is the largest sum of the private and shared pages of its processes, including mapped files.
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


def run_measured(command: list[str], log: Path) -> tuple[float, float]:
    """Run a command; return its seconds and the peak memory of its processes in bytes."""
    started, peak = time.perf_counter(), 0
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
        tree = psutil.Process(process.pid)
        while process.poll() is None:
            peak = max(peak, memory_of(tree))
            time.sleep(0.1)
    if process.returncode:
        sys.exit(log.read_text()[-2000:])
    return time.perf_counter() - started, peak


def memory_of(tree: psutil.Process) -> int:
    total = 0
    try:
        for process in (tree, *tree.children(recursive=True)):
            total += process.memory_info().rss
    except psutil.Error:
        pass
    return total


def sweep_seconds(log: str) -> list[float]:
    """Return the seconds of each sweep, from the logged lines of its passes."""
    totals: dict[int, float] = {}
    for number, seconds in re.findall(r"sweep (\d+) of .*?, ([\d.]+) s\b(?! left)", log):
        totals[int(number)] = totals.get(int(number), 0.0) + float(seconds)
    return list(totals.values())


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
    seconds, most = run_measured([*tacit, *chosen, *memory], log)
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
