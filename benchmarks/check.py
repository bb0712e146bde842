"""Compare small ratios to rivals, measured in one run, with the ratios stored in ``check_ratios.json``.

    python benchmarks/check.py [solver] [queries] [start] [index] [link] [themes] [--update]

A ratio is the processor time of tacit divided by that of a rival for comparable work on synthetic texts. Both
take turns, and the best run of each counts, so that most of the noise of a shared machine cancels. A ratio
above ``TOLERANCE`` times the stored one is a regression, and the exit code is 1; run it once more before you
believe it. ``--update`` stores the measured ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize
from synthetic import draw_titles

import tacit

STORED = Path(__file__).with_name("check_ratios.json")
TOLERANCE = 1.3
"""How much a ratio may grow. Over repeated runs on a loaded machine ratios varied by up to 20 percent."""

Ratios = Iterator[tuple[str, float]]


def best_seconds(functions: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the lowest processor time of each function; they run in turns, once before timing."""
    seconds = {name: [] for name in functions}
    for _ in range(repeats + 1):
        for name, function in functions.items():
            started = time.process_time()
            function()
            seconds[name].append(time.process_time() - started)
    return {name: min(times[1:]) for name, times in seconds.items()}


def compare(name: str, ours: Callable[[], object], rival: Callable[[], object], repeats: int = 2) -> Ratios:
    """Yield the ratio of two functions under a name."""
    best = best_seconds({"ours": ours, "rival": rival}, repeats)
    yield name, best["ours"] / best["rival"]


def check_solver() -> Ratios:
    """A sweep over 40,000 texts, against both solvers of implicit."""
    from als import ImplicitSolver, TacitSolver, zipf_matrix

    X = zipf_matrix(40_000, n_words=30_000)
    ours = TacitSolver(X, 100, 1).sweep
    for name, exact, repeats in (("CG", False, 4), ("Cholesky", True, 1)):
        yield from compare(f"sweep / implicit {name}", ours, ImplicitSolver(X, 100, 1, exact).sweep, repeats)


def check_queries() -> Ratios:
    """Queries over 10,000 titles, one by one and 200 at once, against bm25s."""
    from queries import RIVAL, make_searchers

    texts = draw_titles(10_200)
    searchers, queries = make_searchers(texts[:10_000], 1), texts[10_000:]

    def one_by_one(name: str) -> Callable[[], object]:
        return lambda: [searchers[name]([query]) for query in queries[:50]]

    for name in ("blend", "hybrid"):
        for search in searchers.values():
            search(queries)
        yield from compare(f"one query by {name} / bm25s", one_by_one(name), one_by_one(RIVAL), 5)
        together = [partial(searchers[each], queries) for each in (name, RIVAL)]
        yield from compare(f"200 queries by {name} / bm25s", *together, 5)


def check_start() -> Ratios:
    """Cold commands and the first start, against a process that loads one cached numba kernel."""
    from start import time_commands

    processor = {name: times[1] for name, times in time_commands(10_000, 5, 1).items()}
    rival = processor.pop("one numba kernel")
    for name, seconds in processor.items():
        yield f"{name} / one numba kernel", seconds / rival


def check_index() -> Ratios:
    """An index of 20,000 titles, against scikit-learn's tf-idf and LSA."""
    texts = draw_titles(20_000)

    def index() -> object:
        collection = tacit.Index(tacit.WTMF(n_threads=1).fit(texts), n_threads=1)
        return collection.add(texts)

    yield from compare("index of 20,000 titles / LSA", index, lambda: lsa(texts), 1)


def check_link() -> Ratios:
    """Two lists of 2,000 texts, against the nearest texts by tf-idf of character trigrams."""
    from linking import draw_lists

    a, b, _ = draw_lists(2000, 2000)

    def nearest() -> object:
        X = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3)).fit_transform(a + b)
        return (X[: len(a)] @ X[len(a) :].T).toarray().argmax(axis=1)

    yield from compare("link 2,000 x 2,000 / tf-idf of trigrams", lambda: tacit.link(a, b), nearest, 1)


def check_themes() -> Ratios:
    """Themes of 3,000 texts, against LSA and k-means."""
    texts = draw_titles(3000)

    def themes() -> object:
        return tacit.ThemeModel(20, language="en").fit_predict(texts)

    def lsa_kmeans() -> object:
        return KMeans(20, n_init=5, random_state=0).fit_predict(normalize(lsa(texts)))

    yield from compare("themes of 3,000 texts / LSA + k-means", themes, lsa_kmeans, 1)


def lsa(texts: list[str]) -> np.ndarray:
    """Return the vectors of texts by scikit-learn's LSA, 100 components."""
    X = TfidfVectorizer(sublinear_tf=True).fit_transform(texts)
    return TruncatedSVD(100, random_state=0).fit_transform(X)


CHECKS = {
    "solver": check_solver, "queries": check_queries, "start": check_start, "index": check_index,
    "link": check_link, "themes": check_themes,
}  # fmt: skip


def find_regressions(measured: dict[str, float], stored: dict[str, float]) -> list[str]:
    """Print each ratio beside the stored one, and return the names of those that are too high."""
    slower = [name for name, ratio in measured.items() if ratio > TOLERANCE * stored.get(name, np.inf)]
    print(f"{'processor time':44}{'ratio':>9}{'stored':>9}{'change':>9}")
    for name, ratio in measured.items():
        known = stored.get(name, np.nan)
        verdict = "  SLOWER" if name in slower else ""
        print(f"{name:44}{ratio:9.2f}{known:9.2f}{ratio / known - 1:+9.0%}{verdict}")
    return slower


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checks", nargs="*", default=list(CHECKS), metavar="CHECK", help=", ".join(CHECKS))
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.checks) - set(CHECKS):
        parser.error(f"unknown check {min(unknown)!r}: expected {', '.join(CHECKS)}")
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    measured = {name: ratio for check in options.checks for name, ratio in CHECKS[check]()}
    slower = find_regressions(measured, stored)
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    if options.update:
        rounded = {name: round(ratio, 3) for name, ratio in (stored | measured).items()}
        STORED.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")
    elif slower:
        sys.exit(f"{len(slower)} ratios are more than {TOLERANCE} times the stored ones")


if __name__ == "__main__":
    main()
