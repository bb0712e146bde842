"""Tokenize, stem and count, compared with ``TfidfVectorizer()`` of scikit-learn, which does not stem.

    python benchmarks/text.py [--lines 500000] [--repeats 3] [FILE...]

Without files, lines are synthetic: words by Zipf's law with English endings, about 90 characters per line
(seeded). Both run in turns, and the fastest run of each counts. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from tacit.corpora import read_lines
from tacit.text import TextVectorizer

ENDINGS = ["", "", "", "s", "ing", "ed", "er", "ly", "ness"]


def draw_lines(n: int, seed: int = 0) -> list[str]:
    """Draw lines of 3 to 29 words from 90,000 synthetic ones, of which frequent ones are short."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    words = []
    for rank in range(90_000):
        stem = "".join(rng.choice(letters, 2 + int(rng.integers(0, 2) + np.log10(rank + 1))))
        words.append(stem + ENDINGS[rank % len(ENDINGS)])
    vocabulary = np.array(words, dtype=object)
    chances = 1 / (np.arange(len(words)) + 2.5)
    lengths = rng.integers(3, 30, n)
    drawn = vocabulary[rng.choice(len(words), lengths.sum(), p=chances / chances.sum())]
    ends = np.cumsum(lengths)
    return [
        " ".join(drawn[end - length : end]).capitalize() + "."
        for end, length in zip(ends, lengths, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--lines", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if options.files:
        lines = list(islice(chain.from_iterable(map(read_lines, options.files)), options.lines))
    else:
        lines = draw_lines(options.lines)
    TextVectorizer(min_df=1).fit_transform(lines[:1000])  # compile
    functions: dict[str, Callable[[], Any]] = {
        "tacit (with stems)": lambda: TextVectorizer(min_df=1).fit_transform(lines),
        "tacit (without)": lambda: TextVectorizer(None, min_df=1).fit_transform(lines),
        "scikit-learn (without)": lambda: TfidfVectorizer().fit_transform(lines),
    }
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    shapes = {}
    for _ in range(options.repeats):
        for name, run in functions.items():
            started = time.perf_counter()
            shapes[name] = run().shape
            seconds[name].append(time.perf_counter() - started)
    best = {name: min(times) for name, times in seconds.items()}
    ratio = best["scikit-learn (without)"] / best["tacit (with stems)"]
    characters = sum(map(len, lines)) / len(lines)
    print(f"{len(lines):,} lines of {characters:.0f} characters, one thread each")
    print(f"{'fit_transform':24}{'best s':>8}{'lines/s':>12}{'words':>10}{'against scikit-learn':>22}")
    for name, value in best.items():
        faster = best["scikit-learn (without)"] / value
        print(f"{name:24}{value:8.2f}{len(lines) / value:12,.0f}{shapes[name][1]:10,}{faster:21.1f}x")
    print(
        json.dumps(
            {
                "benchmark": "text",
                "lines": len(lines),
                "characters_per_line": round(characters, 1),
                "seconds": {name: round(value, 3) for name, value in best.items()},
                "ratio": round(ratio, 2),
            }
        )
    )


if __name__ == "__main__":
    main()
