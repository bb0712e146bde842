"""First and cold start: ``tacit train`` with an empty cache of kernels, then commands in new processes.

    python benchmarks/start.py [--words 50000] [--repeats 10] [--first 2]

Each run is a new process; Python's bytecode is cached. The first start trains on 500 synthetic titles. The
others use a saved model of ``--words`` words and an index of 1,000 titles. For comparison, a script with one
cached numba kernel is run, the minimum of any process with numba. Processor time includes child processes and
is affected less by other load than waiting time. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from synthetic import draw_titles

from tacit import WTMF, Index, TextVectorizer

KERNEL = """
import numpy as np
from numba import njit
@njit(cache=True)
def first(a):
    return a[0]
first(np.zeros(1))
"""
FIRST_START = "tacit train, first start"
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER of Linux: all processes that a command started count


def make_model(folder: Path, n_words: int) -> None:
    """Train and save a model of ``n_words`` words, each in two texts."""
    words = [f"w{i}" for i in range(n_words)]
    texts = [" ".join(words[i : i + 10]) for i in range(0, n_words, 5)] + [" ".join(words[:5])]
    model = WTMF(TextVectorizer(language=None), n_iter=1).fit(texts)
    assert len(model.word_vectors_) == n_words
    model.save(folder)


def make_files(folder: Path, n_words: int) -> dict[str, list[str]]:
    """Write a model, an index and texts to a folder; return the commands that read them."""
    titles = draw_titles(1000)
    make_model(folder / "model", n_words)
    index = Index(WTMF(n_components=50, n_iter=3).fit(titles))
    index.add(titles)
    index.save(folder / "index")
    (folder / "kernel.py").write_text(KERNEL, encoding="utf-8")
    (folder / "texts.txt").write_text("\n".join(titles[:500]), encoding="utf-8")
    tacit = str(Path(sys.executable).with_name("tacit"))
    return {
        "tacit --help": [tacit, "--help"],
        "tacit compare": [tacit, "compare", str(folder / "model"), "w1 w2 w3", "w2 w3 w4"],
        "tacit search": [tacit, "search", str(folder / "index"), titles[0]],
        "one numba kernel": [sys.executable, str(folder / "kernel.py")],
        FIRST_START: [tacit, "train", str(folder / "new"), str(folder / "texts.txt")],
    }


def run(command: list[str], **environment: str) -> tuple[float, float]:
    """Return waiting time and processor time of a command, in seconds."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**inherited, **environment})
    waited = time.perf_counter() - started
    with suppress(ChildProcessError):
        while True:
            os.wait()  # the second process of the first start, if it has not ended
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_commands(n_words: int, repeats: int, n_first: int) -> dict[str, tuple[float, float]]:
    """Return the median waiting and processor time of each command, in seconds."""
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1)
    seconds: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        commands = make_files(Path(folder), n_words)
        first = commands.pop(FIRST_START)
        for _ in range(repeats + 1):  # the first run of each fills caches and does not count
            for name, command in commands.items():
                seconds.setdefault(name, []).append(run(command))
        seconds = {name: times[1:] for name, times in seconds.items()}
        for number in range(n_first):
            cache = str(Path(folder, f"cache-{number}"))
            seconds.setdefault(FIRST_START, []).append(run(first, NUMBA_CACHE_DIR=cache))
    return {name: tuple(np.median(times, axis=0).tolist()) for name, times in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--first", type=int, default=2)
    options = parser.parse_args()
    median = time_commands(options.words, options.repeats, options.first)
    for name, (waiting, processor) in median.items():
        print(f"{name:26}{waiting:8.2f} s waiting{processor:8.2f} s of CPU (medians)")
    print(json.dumps({"benchmark": "start", "words": options.words, "median_seconds": median}))


if __name__ == "__main__":
    main()
