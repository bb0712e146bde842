"""Quality and time of linking two lists, removing duplicates, and learning from judged pairs.

    python benchmarks/linking.py [links] [rejects] [taught] [duplicates] [time] [million] [--seeds 20]
        [--encoder FOLDER]

Lists and pairs are those of ``$TACIT_DATA/pairs/make_lists.py``. Each figure is printed beside its aim.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import time
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import tacit
from tacit.corpora import Record
from tacit.decisions.candidate_pairs import CandidatePairs
from tacit.decisions.decision import group_texts
from tacit.decisions.judging import average_precision, best_f1_cut, fit_judged, next_pairs
from tacit.decisions.linking import choose_links, precision_cut, train_on_seeds
from tacit.types import Array
from tacit.workflows.pair_problems import PairProblem, build_problem
from tacit.workflows.teaching import open_session

Pairs = set[tuple[str, str]]


def make_lists() -> Any:
    """Import the script that makes the lists."""
    sys.path.insert(0, str(Path(os.environ["TACIT_DATA"], "pairs")))
    return import_module("make_lists")


def link_lists(
    name: str, removed: int = 0, seed: int = 0, restricted: bool = False, encoder: str | None = None
) -> tuple[PairProblem, Pairs]:
    """Return the problem of two lists, and the true links by text."""
    a, b, truth = make_lists().lists(name, restricted)
    partners = sorted({y for _, y in truth})
    b = b - set(random.Random(seed).sample(partners, round(removed / 100 * len(partners))))
    lists = [[Record(text, text, {}) for text in sorted(texts)] for texts in (a, b)]
    problem = build_problem(lists, "auto", None, None, encoder)
    return problem, {(x, y) for x, y in truth if x in a and y in b}


def true_labels(problem: PairProblem, truth: Pairs) -> tuple[Array, int]:
    """Return which candidate pairs are true links, and how many true links of distinct texts there are."""
    numbers = [
        dict(zip((record.id for record in records), texts.tolist(), strict=True))
        for records, texts in zip(problem.lists, problem.texts_of_rows, strict=True)
    ]
    links = {(numbers[0][a], numbers[-1][b]) for a, b in truth}
    pairs = zip(problem.pairs.left.tolist(), problem.pairs.right.tolist(), strict=True)
    return np.array([pair in links for pair in pairs]), len(truth)


def f1(right: Array, links: Array, n_true: int) -> float:
    return float(2 * right[links].sum() / max(len(links) + n_true, 1))


def mutual_best_alone(pairs: CandidatePairs) -> Array:
    """Return the links of the first seeded model, without rejection."""
    model = train_on_seeds(
        pairs.features, pairs.graph, pairs.word_cosines, pairs.char_cosines, pairs.prior_mean
    )
    return pairs.graph.mutual_best(model.log_odds(pairs.features))


def run_links() -> None:
    for name, aim in (("amazon_google", 0.67), ("medical_questions", 0.78), ("wdc_products", None)):
        problem, truth = link_lists(name)
        right, n_true = true_labels(problem, truth)
        _, _, links, p = problem.pairs.estimated_links
        alone, rule = mutual_best_alone(problem.pairs), links.pairs[choose_links(p)]
        print(
            f"{name:18} F1 {f1(right, rule, n_true):.3f} (aim {aim}); mutual best alone "
            f"{f1(right, alone, n_true):.3f}; candidates have {right.sum() / n_true:.3f} of the true links",
            flush=True,
        )


def run_rejects(encoder: str | None) -> None:
    for removed in (0, 30, 70):
        rows = []
        for name in ("amazon_google", "wdc_products", "medical_same", "msrp", "cdr"):
            for seed in (0, 1) if removed else (0,):
                problem, truth = link_lists(name, removed, seed, True, encoder)
                right, n_true = true_labels(problem, truth)
                _, _, links, p = problem.pairs.estimated_links
                accepted = links.pairs[choose_links(p)]
                at_90 = links.pairs[p >= precision_cut(p, 0.9)]
                rows.append(
                    (f1(right, mutual_best_alone(problem.pairs), n_true), f1(right, accepted, n_true))
                )
                print(
                    f"{removed:3} % removed, {name:14} seed {seed}: mutual best {rows[-1][0]:.3f}, "
                    f"rule {rows[-1][1]:.3f}; partnered rows {p.sum():5.0f} of {n_true:5}; --precision 0.9: "
                    f"{len(at_90):5} links, precision {right[at_90].mean() if len(at_90) else np.nan:.3f}",
                    flush=True,
                )
        before, after = np.mean(rows, axis=0)
        print(f"{removed:3} % removed, mean: {before:.3f} -> {after:.3f} ({after - before:+.3f})", flush=True)


def calibration_error(p: Array, y: Array) -> float:
    """Return the expected calibration error over 10 bins of equal width."""
    bins = np.minimum((10 * p).astype(int), 9)
    gaps = np.bincount(bins, weights=p - y, minlength=10)
    return float(np.abs(gaps).sum() / len(p))


def run_taught(n_seeds: int) -> None:
    aims = {"amazon_google": (0.52, 0.56), "wdc_products": (0.74, 0.77), "medical_questions": (0.70, 0.73)}
    for name, aim in aims.items():
        rows = make_lists().pairs(name)
        session = open_session([(a, b) for _, a, b in rows])
        labels = np.array([float(match) for match, _, _ in rows])
        _, features, prior_mean = session.problem.pairs.teaching_set
        results: dict[int, list[tuple[float, float, float]]] = {50: [], 200: []}
        for seed in range(n_seeds):
            judged: dict[int, float] = {}
            p = np.full(len(rows), 0.5)
            while len(judged) < 200:
                judged |= {pair: float(labels[pair]) for pair in next_pairs(p, judged, seed).tolist()}
                p = fit_judged(features, judged, prior_mean).probabilities(features)
                if len(judged) in results:
                    rest = np.setdiff1d(np.arange(len(p)), list(judged))
                    y, accepted = labels[rest], p[rest] >= best_f1_cut(p[rest])
                    quality = 2 * y[accepted].sum() / (accepted.sum() + y.sum())
                    precision = average_precision(p[rest], y)
                    results[len(judged)].append((quality, precision, calibration_error(p[rest], y)))
        for (n, values), least in zip(results.items(), aim, strict=True):
            figures = "F1 {:.3f} (aim {}), average precision {:.3f}, calibration error {:.3f}"
            quality, precision, error = np.mean(values, axis=0)
            print(f"{name:18} {n:3} judged: " + figures.format(quality, least, precision, error), flush=True)


def count_pairs(labels: Array) -> int:
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def run_duplicates() -> None:
    _, _, truth = make_lists().lists("amazon_google", False)
    side_a, side_b = (sorted({pair[side] for pair in truth}) for side in (0, 1))
    row_a = {text: row for row, text in enumerate(side_a)}
    row_b = {text: row for row, text in enumerate(side_b, len(side_a))}
    edges = np.array([(row_a[a], row_b[b]) for a, b in truth]).T
    n = len(side_a) + len(side_b)
    graph = coo_array((np.ones(edges.shape[1]), edges), (n, n))
    groups = connected_components(graph, directed=False)[1]
    records = [Record(text, str(row), {}) for row, text in enumerate([*side_a, *side_b])]
    problem = build_problem([records], "auto", None, None)
    best = (0.0, 0, 0.0)
    for cut in np.arange(0.4, 0.85, 0.02):
        pairs = problem.pairs
        found = group_texts(pairs, np.arange(len(pairs)), pairs.scores, cut)[problem.texts_of_rows[0]]
        both = np.unique([found, groups], axis=1, return_inverse=True)[1].ravel()
        quality = 2 * count_pairs(both) / (count_pairs(found) + count_pairs(groups))
        best = max(best, (quality, int(np.unique(found, return_counts=True)[1].max()), float(cut)))
    print("duplicates: pairwise F1 {:.3f} (aim 0.54), largest group {} (at most 12), at {:.2f}".format(*best))


def synthetic_texts(n: int, rng: random.Random, words: list[str], cumulative: list[float]) -> list[str]:
    return [
        " ".join(rng.choices(words, cum_weights=cumulative, k=rng.randint(5, 14)))
        + f" {rng.choice('abcdefgh')}{rng.randint(10, 9999)}"
        for _ in range(n)
    ]


def draw_lists(n_a: int, n_b: int) -> tuple[list[str], list[str], dict[str, str]]:
    """Draw two lists, and the partner of each text of the first one that has one: half of the shorter list.

    A row of the first list is another text with two words less, one word more, and in another order; for
    ``n_b / 2`` rows that text is in the second list.
    """
    rng = random.Random(0)
    words = [
        "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
        for _ in range(20_000)
    ]
    cumulative = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    b = synthetic_texts(n_b, rng, words, cumulative)
    others = synthetic_texts(n_a - n_b // 2, rng, words, cumulative)
    a = []
    for text in [*b[: n_b // 2], *others]:
        parts = text.split()
        a.append(" ".join([*rng.sample(parts, max(3, len(parts) - 2)), rng.choice(words)]))
    return a, b, dict(zip(a, b[: n_b // 2], strict=False))


def run_time(n_a: int, n_b: int) -> None:
    """Link synthetic lists."""
    a, b, partner_of = draw_lists(n_a, n_b)
    started, cpu = time.perf_counter(), time.process_time()
    links = tacit.link(a, b)
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    n_right = sum(partner_of.get(pair.a.text) == pair.b.text for pair in links)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{n_a:,} x {n_b:,}: {seconds:.1f} s, {cpu:.1f} s of CPU, peak memory {peak:.2f} GB; "
        f"{len(links):,} links, {n_right:,} of {n_b // 2:,} right; "
        f"precision {n_right / max(len(links), 1):.2f}, estimated {sum(links.precision):.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=["links", "rejects", "taught", "duplicates", "time"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--encoder", help="Static embedding model to use for rejects.")
    options = parser.parse_args()
    runs = {
        "links": run_links,
        "rejects": lambda: run_rejects(options.encoder),
        "taught": lambda: run_taught(options.seeds),
        "duplicates": run_duplicates,
        "time": lambda: run_time(10_000, 10_000),
        "million": lambda: run_time(1_000_000, 10_000),
    }
    for part in options.parts:
        runs[part]()


if __name__ == "__main__":
    main()
