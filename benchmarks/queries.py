"""Queries a second that an index answers, by each measure that orders hits.

    python benchmarks/queries.py [--texts FILE] [--rows 20000] [--queries 1000] [--threads 1]

``--texts`` has a text a line, of which the first are the collection and those after them the queries; left
out, titles are drawn from made-up words of a hundred subjects (seeded). The best of three runs counts, in
seconds of the processor: other work on the machine does not. Prints a table and, last, one JSON line.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from tacit import WTMF, Index
from tacit.corpora import read_lines

MEASURES = ("latent", "blend", "search")


def drawn(n: int) -> list[str]:
    """Titles of 4 to 12 words: half of any subject, half of their own; frequent words come first in each."""
    rng = np.random.default_rng(0)
    letters = np.array(list("aaaabcdeeeefghiiijklmnooooprstuv"))
    words = ["".join(rng.choice(letters, size)) for size in rng.integers(2, 10, 20_000)]
    titles = []
    for subject in rng.integers(100, size=n):
        size = int(rng.integers(4, 13))
        ranks = (rng.pareto(0.8, size) * 3).astype(int)
        own = rng.random(size) < 0.5
        places = np.where(own, 2000 + 180 * subject + ranks % 180, ranks % 2000)
        titles.append(" ".join(words[place] for place in places))
    return titles


def answered(index: Index, queries: list[str], measure: str) -> float:
    """The least seconds of the processor for all queries."""
    index.search_many(queries[:2], measure=measure)  # compile and make what the first query makes
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
    wanted = options.rows + options.queries
    texts = list(read_lines(options.texts))[:wanted] if options.texts else drawn(wanted)
    rows, queries = texts[: options.rows], texts[options.rows :]
    index = Index(WTMF.paper(n_iter=3, n_threads=options.threads).fit(rows), n_threads=options.threads)
    index.add(rows)
    print(f"{len(rows):,} texts, {len(queries):,} queries, 10 hits each, {options.threads} threads")
    report: dict[str, object] = {"benchmark": "queries", "texts": len(rows), "threads": options.threads}
    for measure in MEASURES:
        seconds = answered(index, queries, measure)
        report[measure] = len(queries) / seconds
        each = 1e3 * seconds / len(queries)
        print(f"{measure:10}{each:8.2f} ms a query{len(queries) / seconds:10.0f} a second")
    print(json.dumps(report, default=float))


if __name__ == "__main__":
    main()
