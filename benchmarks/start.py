"""Cold start: ``tacit --help``, and ``tacit compare`` with a saved model of 50,000 words.

    python benchmarks/start.py [--words 50000] [--repeats 7]

Each run is a new process. For comparison, a script with one cached numba kernel is run, the minimum of any
process with numba. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tacit import WTMF, TextVectorizer

KERNEL = """
import numpy as np
from numba import njit
@njit(cache=True)
def first(a):
    return a[0]
first(np.zeros(1))
"""


def make_model(folder: Path, n_words: int) -> None:
    """Train and save a model of ``n_words`` words, each in two texts."""
    words = [f"w{i}" for i in range(n_words)]
    texts = [" ".join(words[i : i + 10]) for i in range(0, n_words, 5)] + [" ".join(words[:5])]
    model = WTMF(TextVectorizer(language=None), n_iter=1).fit(texts)
    assert len(model.word_vectors_) == n_words
    model.save(folder)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    tacit = str(Path(sys.executable).with_name("tacit"))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model")
        make_model(model, options.words)
        script = Path(folder, "kernel.py")
        script.write_text(KERNEL, encoding="utf-8")
        commands = {
            "tacit --help": [tacit, "--help"],
            "tacit compare": [tacit, "compare", str(model), "w1 w2 w3", "w2 w3 w4"],
            "one numba kernel": [sys.executable, str(script)],
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.repeats + 1):  # the first run of each fills caches and does not count
            for name, command in commands.items():
                started = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                seconds[name].append(time.perf_counter() - started)
    median = {name: float(np.median(times[1:])) for name, times in seconds.items()}
    for name, value in median.items():
        print(f"{name:20}{value:8.2f} s (median), {min(seconds[name]):.2f} s (best)")
    print(
        json.dumps(
            {
                "benchmark": "start",
                "words": options.words,
                "median_seconds": {n: round(v, 3) for n, v in median.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
