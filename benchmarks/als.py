"""A sweep of exact WMF against ``implicit``, on a matrix of the paper's size, in one run.

    python benchmarks/als.py [--texts 393666] [--components 100] [--threads 2] [--repeats 5]

The solvers run in turns, so that other load affects all of them; the fastest sweep of each counts. The
matrix is synthetic (Zipf's law, seeded) and shaped like a dictionary: about 10 words per text, and nine
tenths of the non-zeros in words that occur more than 60 times. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # implicit requires it; tacit does not call BLAS

import numpy as np
import scipy.sparse as sp

from tacit.compute.csr import CSRArrays
from tacit.compute.threads import effective_n_threads
from tacit.factorize.als import FactorBlocks, factorize, half_sweep
from tacit.factorize.row_solver import FoldIn


def zipf_matrix(
    n_texts: int, n_words: int = 145_000, mean_length: float = 11.0, seed: int = 0
) -> sp.csr_matrix:
    """Draw texts x words with tf-idf weights, without words of a single text, most frequent words first."""
    rng = np.random.default_rng(seed)
    lengths = 1 + rng.negative_binomial(3, 3 / (3 + mean_length - 1), n_texts)
    rank = np.arange(n_words)
    probabilities = 1 / ((rank + 2.5) * (1 + rank / 4000) ** 0.5)  # steeper in the tail, as in real text
    words = rng.choice(n_words, lengths.sum(), p=probabilities / probabilities.sum())
    texts = np.repeat(np.arange(n_texts), lengths)
    X = sp.csr_matrix((np.ones(len(words), np.float32), (texts, words)), (n_texts, n_words))
    counts = np.bincount(X.indices, minlength=n_words)
    X = X[:, np.argsort(-counts, kind="stable")[: (counts > 1).sum()]].tocsr()
    X.sort_indices()
    X.data *= np.log(n_texts / np.bincount(X.indices)).astype(np.float32)[X.indices]
    return X


class TacitSolver:
    """Runs exact sweeps of tacit from a random start."""

    def __init__(self, X: sp.csr_matrix, K: int, threads: int) -> None:
        start = np.random.default_rng(0).standard_normal((X.shape[1], K)).astype(np.float32)
        transposed = X.T.tocsr()
        transposed.sort_indices()
        self.matrices = [CSRArrays.from_scipy(matrix, np.float32) for matrix in (X, transposed)]
        self.columns = FactorBlocks.from_vectors([start])
        self.texts = FactorBlocks([X.shape[0]], K, np.float32)
        self.options = np.ones((1, 1), np.bool_), 0.01, 20.0, threads

    def sweep(self) -> float:
        """Run one exact sweep over texts and words; return its seconds."""
        started = time.perf_counter()
        half_sweep(self.matrices[:1], self.columns, self.texts, *self.options)
        half_sweep(self.matrices[1:], self.texts, self.columns, *self.options)
        return time.perf_counter() - started


class ImplicitSolver:
    """Runs sweeps of ``implicit``: 3 conjugate-gradient steps, or exact (Cholesky)."""

    def __init__(self, X: sp.csr_matrix, K: int, threads: int, exact: bool) -> None:
        from implicit.cpu.als import AlternatingLeastSquares

        self.model = AlternatingLeastSquares(
            factors=K, regularization=20, use_cg=not exact, iterations=1, num_threads=threads, random_state=0
        )
        self.X = X

    def sweep(self) -> float:
        """Run one sweep; return its seconds as reported by implicit."""
        seconds: list[float] = []
        self.model.fit(
            self.X, show_progress=False, callback=lambda _, elapsed, *rest: seconds.append(elapsed)
        )
        return seconds[0]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=393_666)
    parser.add_argument("--components", type=int, default=100)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    threads, K = effective_n_threads(options.threads), options.components

    X = zipf_matrix(options.texts)
    lengths = np.bincount(X.indices)
    print(
        f"{X.shape[0]:,} texts x {X.shape[1]:,} words, {X.nnz:,} non-zeros, K = {K}, {threads} threads;",
        end=" ",
    )
    print(f"{lengths[lengths > 60].sum() / X.nnz:.0%} of them in words that occur > 60 times")

    # Peak memory of a training and speed of fold-in, before implicit is imported.
    start = np.random.default_rng(0).standard_normal((X.shape[1], K)).astype(np.float32)
    (P,), _ = factorize([[X]], [start], missing_weight=0.01, regularization=20, n_iter=2, n_threads=threads)
    peak = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024) / 1024
    )
    fold_in = FoldIn(P, 0.01, 20, threads)
    fold_seconds = []
    for _ in range(3):
        started = time.perf_counter()
        fold_in(X)
        fold_seconds.append(time.perf_counter() - started)
    del P, start, fold_in

    solvers = {
        "tacit (exact)": TacitSolver(X, K, threads),
        "implicit (3 CG steps)": ImplicitSolver(X, K, threads, exact=False),
        "implicit (exact)": ImplicitSolver(X, K, threads, exact=True),
    }
    seconds: dict[str, list[float]] = {name: [] for name in solvers}
    for repeat in range(options.repeats + 1):
        for name, solver in solvers.items():
            if name != "implicit (exact)" or repeat in (1, options.repeats):
                seconds[name].append(solver.sweep())
    best = {name: min(times[1:] if len(times) > 2 else times) for name, times in seconds.items()}
    ours = best["tacit (exact)"]
    print(f"{'a sweep':24}{'best s':>9}{'median s':>10}{'tacit is faster by':>20}")
    for name, times in seconds.items():
        print(f"{name:24}{best[name]:9.2f}{np.median(times):10.2f}{best[name] / ours:19.1f}x")
    texts_a_second = X.shape[0] / min(fold_seconds)
    print(f"fold-in: {texts_a_second:,.0f} texts/s; peak memory of a training: {peak:.2f} GB")
    print(
        json.dumps(
            {
                "benchmark": "als",
                "shape": X.shape,
                "nonzeros": int(X.nnz),
                "components": K,
                "threads": threads,
                "seconds_a_sweep": {name: round(value, 3) for name, value in best.items()},
                "ratio_cg": round(best["implicit (3 CG steps)"] / ours, 2),
                "ratio_exact": round(best["implicit (exact)"] / ours, 2),
                "fold_in_texts_per_second": round(texts_a_second),
                "peak_gb": round(peak, 3),
            }
        )
    )


if __name__ == "__main__":
    main()
