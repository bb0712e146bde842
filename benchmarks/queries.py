"""Queries per second of an index, by each measure that can rank hits.

    python benchmarks/queries.py [--texts FILE] [--rows 20000] [--queries 1000] [--threads 1]

``--texts`` has one text per line: first the collection, then the queries. Without it, synthetic titles on a
hundred subjects are drawn (seeded). The best of three runs counts, in processor time, which ignores other
load. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from tacit import WTMF, Index
from tacit.corpora import read_lines

MEASURES = ("latent", "blend", "search")


def draw_titles(n: int) -> list[str]:
    """Draw titles of 4 to 12 words: half of them general, half of their subject; frequent ones first."""
    rng = np.random.default_rng(0)
    letters = np.array(list("aaaabcdeeeefghiiijklmnooooprstuv"))
    words = ["".join(rng.choice(letters, size)) for size in rng.integers(2, 10, 20_000)]
    titles = []
    for subject in rng.integers(100, size=n):
        size = int(rng.integers(4, 13))
        ranks = (rng.pareto(0.8, size) * 3).astype(int)
        is_topical = rng.random(size) < 0.5
        word_ids = np.where(is_topical, 2000 + 180 * subject + ranks % 180, ranks % 2000)
        titles.append(" ".join(words[i] for i in word_ids))
    return titles


def time_queries(index: Index, queries: list[str], measure: str) -> float:
    """Return the lowest processor time of all queries, in seconds."""
    index.search_many(queries[:2], measure=measure)  # compile, and create what the first query creates
    seconds = []
    for _ in range(3):
        started = time.process_time()
        index.search_many(queries, measure=measure)
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    n_texts = options.rows + options.queries
    texts = list(read_lines(options.texts))[:n_texts] if options.texts else draw_titles(n_texts)
    rows, queries = texts[: options.rows], texts[options.rows :]
    index = Index(WTMF.paper(n_iter=3, n_threads=options.threads).fit(rows), n_threads=options.threads)
    index.add(rows)
    print(f"{len(rows):,} texts, {len(queries):,} queries, 10 hits each, {options.threads} threads")
    report: dict[str, object] = {"benchmark": "queries", "texts": len(rows), "threads": options.threads}
    for measure in MEASURES:
        seconds = time_queries(index, queries, measure)
        report[measure] = len(queries) / seconds
        milliseconds = 1e3 * seconds / len(queries)
        print(f"{measure:10}{milliseconds:8.2f} ms a query{len(queries) / seconds:10.0f} a second")
    print(json.dumps(report, default=float))


if __name__ == "__main__":
    main()
