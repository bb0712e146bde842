"""Duplicates among many texts: seconds and memory of an index, its pairs and its groups.

    python benchmarks/duplicates.py [INDEX] [--texts 200000] [--threads 2] [--groups] [--cells]

INDEX is a folder that ``tacit index`` wrote; left out, texts are drawn by Zipf's law around topics (seeded),
one in twenty a copy of another with a word changed, and a model is trained on them first. Prints one JSON
line; the peak of memory counts all that the process has done.
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


def drawn(n: int) -> list[str]:
    """Texts of eleven words, two in five of them of one of 5,000 topics."""
    rng = np.random.default_rng(0)
    ranks = (60_000 * rng.random((n, 11)) ** 3).astype(int)
    topics = rng.integers(5000, size=n)
    own = rng.random((n, 11)) < 0.4
    names = np.where(own, 60_000 + topics[:, None] * 12 + (ranks % 12), ranks)
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
    parser.add_argument("--groups", action="store_true", help="find groups too")
    parser.add_argument("--cells", action="store_true", help="also within cells: seconds, share of the pairs")
    parser.add_argument("--cells-alone", action="store_true", help="within cells, and not all with all")
    options = parser.parse_args()
    seconds: dict[str, float] = {}

    def timed(name, work):
        started = time.perf_counter()
        found = work()
        seconds[name] = round(time.perf_counter() - started, 2)
        return found

    def build() -> Index:
        texts = drawn(options.texts)
        model = WTMF(TextVectorizer(None), n_iter=3, n_threads=options.threads).fit(texts)
        made = Index(model)
        made.add(texts)
        return made

    index = timed("load or build", (lambda: tacit.load(options.index)) if options.index else build)
    index.n_threads = index.model.n_threads = options.threads
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    pairs = [] if options.cells_alone else timed("duplicates", lambda: index.duplicates(0.9, exact=True))
    within = []
    if options.cells or options.cells_alone:
        within = timed("within cells", lambda: index.duplicates(0.9, exact=False))
    groups = timed("groups", lambda: index.duplicate_groups(0.9)) if options.groups else []
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9
    report = {"benchmark": "duplicates", "texts": len(index), "pairs": len(pairs), "groups": len(groups)}
    report["pairs within cells"] = len(within)
    print(json.dumps(report | {"seconds": seconds, "peak_gb": round(peak, 2)}))


if __name__ == "__main__":
    main()
