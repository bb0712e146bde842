"""Nearest neighbors among a million vectors, compared with ``faiss``, and by the graph of usearch.

    python benchmarks/search.py [--vectors FILE.npy] [--rows 1000000] [--components 100] [--threads 2]

``--vectors`` is a file written by ``tacit embed``; without it, vectors are drawn around 20,000 centers
(seeded). Queries are further rows of the same kind. The libraries run in turns, and the best run of each
counts. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import time

import faiss
import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.compute.nearest import find_nearest
from tacit.compute.threads import effective_n_threads
from tacit.search.approximate import HnswGraph
from tacit.search.stored_vectors import StoredVectors

K = 10
N_QUERIES = 1000


def draw_vectors(rows: int, components: int) -> np.ndarray:
    """Draw unit vectors around centers; the variance falls with the component, as in a factorization."""
    rng = np.random.default_rng(0)
    scale = (1 / np.sqrt(1 + np.arange(components) / 10)).astype(np.float32)
    centers = rng.standard_normal((20_000, components), dtype=np.float32)
    vectors = rng.standard_normal((rows, components), dtype=np.float32)
    vectors *= 0.6
    vectors += centers[rng.integers(len(centers), size=rows)]
    return normalize_rows(vectors * scale)


def run_timed(function) -> tuple[float, object]:
    started = time.perf_counter()
    result = function()
    return time.perf_counter() - started, result


def run_in_turns(functions: dict, repeats: int) -> tuple[dict[str, float], dict]:
    """Return the best seconds of each function, and its result."""
    best, results = dict.fromkeys(functions, float("inf")), {}
    for _ in range(repeats):
        for name, function in functions.items():
            seconds, results[name] = run_timed(function)
            best[name] = min(best[name], seconds)
    return best, results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vectors")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--components", type=int, default=100)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--exact-only", action="store_true")
    options = parser.parse_args()
    threads = effective_n_threads(options.threads)
    faiss.omp_set_num_threads(threads)

    everything = (
        draw_vectors(options.rows + N_QUERIES, options.components)
        if options.vectors is None
        else normalize_rows(np.load(options.vectors).astype(np.float32))
    )
    everything = everything[everything.any(axis=1)]
    order = np.random.default_rng(1).permutation(len(everything))
    queries = np.ascontiguousarray(everything[order[:N_QUERIES]])
    vectors = np.ascontiguousarray(everything[np.sort(order[N_QUERIES : N_QUERIES + options.rows])])
    alive = np.ones(len(vectors), np.bool_)
    del everything
    print(f"{len(vectors):,} x {vectors.shape[1]} vectors, {K} nearest, {threads} threads")

    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    for few in (queries[:100], queries[:1]):  # compile before timing
        find_nearest(vectors[:1000], few, K, n_threads=threads)
    report: dict[str, object] = {"benchmark": "search", "shape": vectors.shape, "threads": threads}
    print(f"{'':26}{'tacit ms':>10}{'faiss ms':>10}{'tacit is faster by':>20}")
    for name, few, repeats in (
        ("1000 queries", queries, options.repeats),
        ("one query", queries[:1], 7 * options.repeats),
    ):
        best, results = run_in_turns(
            {
                "tacit": lambda few=few: find_nearest(vectors, few, K, alive, threads),
                "faiss": lambda few=few: flat.search(few, K),
            },
            repeats,
        )
        ratio = best["faiss"] / best["tacit"]
        print(f"{'exact, ' + name:26}{1e3 * best['tacit']:10.1f}{1e3 * best['faiss']:10.1f}{ratio:19.2f}x")
        agree = float((results["tacit"][1] == results["faiss"][1]).mean())
        report[name] = {"tacit_ms": 1e3 * best["tacit"], "faiss_ms": 1e3 * best["faiss"], "ratio": ratio}
        report[name]["same_rows"] = agree  # type: ignore[index]
        if few is queries:
            exact_seconds, exact_rows = best["tacit"], results["tacit"][1]
        else:
            single = best["tacit"]
    gigabytes = vectors.nbytes / single / 1e9
    print(f"one query reads {vectors.nbytes / 1e6:.0f} MB: {gigabytes:.1f} GB/s")
    if not options.exact_only:
        report["approximate"] = approximate(
            vectors, queries, alive, threads, exact_seconds, exact_rows, single
        )
    print(json.dumps(report, default=float))


def approximate(vectors, queries, alive, threads, exact_seconds, exact_rows, single) -> dict[str, float]:
    seconds, graph = run_timed(lambda: HnswGraph.build(StoredVectors(vectors), threads))
    best, results = run_in_turns({"graph": lambda: graph.nearest(vectors, queries, K, alive, threads)}, 3)
    one, _ = run_in_turns({"graph": lambda: graph.nearest(vectors, queries[:1], K, alive, threads)}, 20)
    rows = results["graph"][1]
    recall = float(np.mean([len(set(a) & set(b)) / K for a, b in zip(rows, exact_rows, strict=True)]))
    print(f"graph: built in {seconds:.0f} s, recall@{K} {recall:.4f};", end=" ")
    print(f"1000 queries {1e3 * best['graph']:.1f} ms, {exact_seconds / best['graph']:.1f}x exact;", end=" ")
    print(f"one query {1e3 * one['graph']:.2f} ms, {single / one['graph']:.0f}x exact")
    return {
        "build_seconds": seconds,
        "recall": recall,
        "ratio_1000": exact_seconds / best["graph"],
        "ratio_1": single / one["graph"],
    }


if __name__ == "__main__":
    main()
