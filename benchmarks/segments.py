"""Compare search over several segments with one segment, and over compressed vectors with float32.

    python benchmarks/segments.py MODEL TEXTS.txt SCRATCH [--texts 500000] [--segment 25000] [--queries 50]

Builds the indexes in SCRATCH unless they exist: all texts in one segment, in several segments, as float16 and
as int8. They run in turns, and the best run of each counts: milliseconds of a single query and of one of
many, by measure; recall of the ten nearest by latent vector; bytes per text.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from itertools import islice
from pathlib import Path

import tacit
from tacit import Index
from tacit.search import segment

MEASURES = ("latent", "blend", "search")


def build_index(options: argparse.Namespace, name: str, size: int, vectors: str) -> Path:
    """Build an index of the texts unless it exists; return its folder."""
    folder = Path(options.scratch, name)
    if not folder.exists():
        segment.MAX_SEGMENT_SIZE = size
        index = Index(tacit.load(options.model), n_threads=options.threads, vectors=vectors)
        with open(options.texts_file, encoding="utf-8") as file:
            index.add(line.rstrip("\n") for line in islice(file, options.texts))
        index.save(folder)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("texts_file")
    parser.add_argument("scratch")
    parser.add_argument("--texts", type=int, default=500_000)
    parser.add_argument("--segment", type=int, default=25_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    kinds = {
        "one segment": ("whole", options.texts, "float32"),
        f"{-(-options.texts // options.segment)} segments": ("cut", options.segment, "float32"),
        "float16": ("half", options.texts, "float16"),
        "int8": ("quarter", options.texts, "int8"),
    }
    folders = {kind: build_index(options, *settings) for kind, settings in kinds.items()}
    if options.build_only:
        return
    indexes = {kind: tacit.load(folder) for kind, folder in folders.items()}
    for index in indexes.values():
        index.n_threads = options.threads
    with open(options.texts_file, encoding="utf-8") as file:
        later = islice(file, options.texts, options.texts + options.queries)
        queries = [" ".join(line.split()[:6]) for line in later]
    report = measure_queries(indexes, queries, options.repeats)
    nearest = {kind: index.search_many(queries, 10, "latent") for kind, index in indexes.items()}
    expected = nearest["one segment"]
    for kind, hits in nearest.items():
        same = [len({h.id for h in a} & {h.id for h in b}) for a, b in zip(hits, expected, strict=True)]
        report[kind]["recall@10"] = sum(same) / max(sum(map(len, expected)), 1)
        size = sum(entry.stat().st_size for entry in os.scandir(folders[kind]) if "part-" in entry.name)
        report[kind]["bytes a text"] = round(size / options.texts)
    for kind, figures in report.items():
        print(f"{kind:12}", "  ".join(f"{name} {value:.4g}" for name, value in figures.items()))
    print(json.dumps({"benchmark": "segments", "texts": options.texts, **report}))


def measure_queries(
    indexes: dict[str, Index], queries: list[str], repeats: int
) -> dict[str, dict[str, float]]:
    """Return the best milliseconds of a query, alone and among many, by kind of index and measure."""
    report: dict[str, dict[str, float]] = {kind: {} for kind in indexes}
    for measure in MEASURES:
        for name, batch in (("alone", queries[:1]), ("of many", queries)):
            for turn in range(repeats + 1):  # the first one compiles and reads the files
                for kind, index in indexes.items():
                    started = time.perf_counter()
                    index.search_many(batch, 10, measure)
                    milliseconds = 1e3 * (time.perf_counter() - started) / len(batch)
                    key = f"{measure} {name}"
                    if turn:
                        report[kind][key] = min(report[kind].get(key, milliseconds), milliseconds)
    return report


if __name__ == "__main__":
    main()
