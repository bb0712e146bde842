"""Duplicates among many texts: time and memory of building an index and of finding pairs and groups.

    python benchmarks/duplicates.py [INDEX] [--texts 200000] [--threads 2] [--groups] [--cells]

INDEX is a folder written by ``tacit index``. Without it, synthetic texts on topics are drawn by Zipf's law
(seeded), one in twenty is a copy of another with one word changed, and a model is trained on them first.
Prints one JSON line; the peak memory is that of the whole process.
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import sys
import time

import numpy as np

import tacit
from tacit import WTMF, Index, TextVectorizer


def draw_texts(n: int) -> list[str]:
    """Draw texts of eleven words, of which two in five belong to one of 5,000 topics."""
    rng = np.random.default_rng(0)
    ranks = (60_000 * rng.random((n, 11)) ** 3).astype(int)
    topics = rng.integers(5000, size=n)
    is_topical = rng.random((n, 11)) < 0.4
    names = np.where(is_topical, 60_000 + topics[:, None] * 12 + (ranks % 12), ranks)
    copies = rng.choice(n, n // 20, replace=False)
    names[copies] = names[rng.integers(n, size=len(copies))]
    names[copies, rng.integers(11, size=len(copies))] = rng.integers(120_000, size=len(copies))
    return [" ".join(f"w{word}" for word in row) for row in names.tolist()]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", nargs="?")
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--groups", action="store_true", help="Also find groups.")
    parser.add_argument("--cells", action="store_true", help="Also search within cells.")
    parser.add_argument("--cells-alone", action="store_true", help="Search only within cells.")
    options = parser.parse_args()
    seconds: dict[str, float] = {}

    def run_timed(name, function):
        started = time.perf_counter()
        result = function()
        seconds[name] = round(time.perf_counter() - started, 2)
        return result

    def build() -> Index:
        texts = draw_texts(options.texts)
        model = WTMF(TextVectorizer(None), n_iter=3, n_threads=options.threads).fit(texts)
        index = Index(model)
        index.add(texts)
        return index

    index = run_timed("load or build", (lambda: tacit.load(options.index)) if options.index else build)
    index.n_threads = index.model.n_threads = options.threads
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    pairs = [] if options.cells_alone else run_timed("duplicates", lambda: index.duplicates(0.9, exact=True))
    within = []
    if options.cells or options.cells_alone:
        within = run_timed("within cells", lambda: index.duplicates(0.9, exact=False))
    groups = run_timed("groups", lambda: index.duplicate_groups(0.9)) if options.groups else []
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9
    report = {"benchmark": "duplicates", "texts": len(index), "pairs": len(pairs), "groups": len(groups)}
    report["pairs within cells"] = len(within)
    print(json.dumps(report | {"seconds": seconds, "peak_gb": round(peak, 2)}))


if __name__ == "__main__":
    main()
