"""Queries over a collection of titles, one by one and 1,000 at once, beside bm25s in the same run.

    TACIT_DATA=... python benchmarks/queries.py [--texts FILE] [--rows 19000] [--queries 1000] [--threads 2]

The collection is the first 19,000 titles of ``textcat/tagmynews``, and the queries are the next 1,000;
without ``$TACIT_DATA``, synthetic titles on a hundred subjects are drawn (seeded). ``--texts`` names another
file with one text per line. The searchers take turns, and the best time of each query or batch counts: the
waiting time, and the processor time, which other load affects less. bm25s stems the words, as tacit does, and
its time includes tokenization. Prints tables and then one JSON line.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import bm25s
import numpy as np
import Stemmer
from synthetic import draw_titles

from tacit import WTMF, Index
from tacit.corpora import read_lines

MEASURES = ("latent", "blend", "hybrid")
RIVAL = "bm25s"
N_SINGLE = 100
"""Queries that are also searched one by one."""

Search = Callable[[list[str]], object]


def read_titles(n: int, path: str | None = None) -> list[str]:
    """Read n texts of a file, or of the titles in ``$TACIT_DATA``, or draw them."""
    if path:
        return list(islice(read_lines(path), n))
    if not (data := os.environ.get("TACIT_DATA")):
        return draw_titles(n)
    with gzip.open(Path(data, "textcat", "tagmynews.tsv.gz"), "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[-1] for line in islice(file, n)]


def make_searchers(rows: list[str], threads: int) -> dict[str, Search]:
    """Index the texts; return the function of each searcher from queries to hits."""
    index = Index(WTMF.paper(n_iter=3, n_threads=threads).fit(rows), n_threads=threads)
    index.add(rows)
    stemmer, bm25 = Stemmer.Stemmer("english"), bm25s.BM25()
    options = {"stopwords": None, "stemmer": stemmer, "show_progress": False}
    bm25.index(bm25s.tokenize(rows, **options), show_progress=False)

    def search_bm25s(queries: list[str]) -> object:
        words = bm25s.tokenize(queries, **options)
        return bm25.retrieve(words, k=10, n_threads=threads, show_progress=False)

    def search_index(measure: str) -> Search:
        return lambda queries: index.search_many(queries, measure=measure)

    return {RIVAL: search_bm25s} | {measure: search_index(measure) for measure in MEASURES}


def best_times(
    searchers: dict[str, Search], batches: list[list[str]], repeats: int
) -> dict[str, tuple[float, float]]:
    """Return waiting and processor time of each searcher for a batch, in milliseconds.

    Both are means over the batches of the best time of each.
    """
    seconds = {name: np.full((2, len(batches)), np.inf) for name in searchers}
    for _ in range(repeats):
        for name, search in searchers.items():
            for i, batch in enumerate(batches):
                started = time.perf_counter(), time.process_time()
                search(batch)
                taken = time.perf_counter() - started[0], time.process_time() - started[1]
                seconds[name][:, i] = np.minimum(seconds[name][:, i], taken)
    return {name: tuple(1e3 * times.mean(axis=1)) for name, times in seconds.items()}


def measure_queries(
    rows: list[str], queries: list[str], threads: int, repeats: int
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the milliseconds of each searcher for one query and for all queries at once."""
    searchers = make_searchers(rows, threads)
    for search in searchers.values():
        search(queries)  # compile, and create what the first queries create
    single = [[query] for query in queries[:N_SINGLE]]
    return {
        "one query": best_times(searchers, single, 3 * repeats),
        "all queries": best_times(searchers, [queries], repeats),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts")
    parser.add_argument("--rows", type=int, default=19_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    texts = read_titles(options.rows + options.queries, options.texts)
    rows, queries = texts[: options.rows], texts[options.rows :]
    print(f"{len(rows):,} texts, {len(queries):,} queries, 10 hits each, {options.threads} threads")
    times = measure_queries(rows, queries, options.threads, options.repeats)
    for task, milliseconds in times.items():
        for name, (waiting, processor) in milliseconds.items():
            ratios = [
                value / rival for value, rival in zip((waiting, processor), milliseconds[RIVAL], strict=True)
            ]
            print(f"{task:12}{name:8}{waiting:9.2f} ms waiting{ratios[0]:6.2f} x bm25s", end="")
            print(f"{processor:10.2f} ms of CPU{ratios[1]:6.2f} x bm25s")
    print(json.dumps({"benchmark": "queries", "texts": len(rows), "threads": options.threads, "ms": times}))


if __name__ == "__main__":
    main()
