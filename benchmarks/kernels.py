"""Compare the semantic kernels with matrix functions of scipy and numpy.

    python benchmarks/kernels.py [--documents 30000] [--terms 50000] [--components 200] [--skip-large]

The exact kernel of 1,033 documents with its alignment at 50 lambdas, and the line search, against ``expm``
and ``inv`` for every lambda, all on one BLAS thread. ``features`` of a large collection, with peak memory.
The documents are synthetic (Zipf's law with topics, seeded). Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy.sparse as sp
from scipy.linalg import expm
from sklearn.preprocessing import normalize

from tacit.factorize.spectral import row_eigenpairs
from tacit.kernels import ExponentialKernel, VonNeumannKernel
from tacit.kernels import semantic_reference as reference
from tacit.kernels.alignment import one_vs_rest_signs, spectral_alignment
from tacit.kernels.spectrum import FAMILIES
from tacit.kernels.text_input import to_csr

GRID = 50


def documents(n: int, terms: int, topics: int = 50, length: int = 90, seed: int = 0) -> sp.csr_matrix:
    """Draw documents, half of each from its topic, with weights log(1+tf) log(m/df)."""
    rng = np.random.default_rng(seed)
    common = 1 / (np.arange(terms) + 3.0)
    common /= common.sum()
    words = rng.choice(terms, (n, length), p=common)
    topic_words = rng.permutation(terms)[: terms - terms % topics].reshape(topics, -1)
    ranks = np.minimum(
        (topic_words.shape[1] * rng.random((n, length)) ** 3).astype(int), topic_words.shape[1] - 1
    )
    topical = topic_words[np.arange(n) % topics][np.arange(n)[:, None], ranks]
    words = np.where(rng.random((n, length)) < 0.5, topical, words)
    X = sp.csr_matrix((np.ones(n * length), (np.repeat(np.arange(n), length), words.ravel())), (n, terms))
    df = np.maximum(np.bincount(X.indices, minlength=terms), 1)
    X.data = np.log1p(X.data) * np.log(n / df)[X.indices]
    X.eliminate_zeros()
    return X


def time_tacit(X: sp.csr_matrix, y: np.ndarray, family: object) -> tuple[float, np.ndarray]:
    """Return the seconds of a decomposition and its alignments at a grid of lambdas, and the alignments."""
    started = time.perf_counter()
    w, U = row_eigenpairs(X)
    curve = spectral_alignment(w, U, w, family, one_vs_rest_signs(y))
    values = [curve(strength)[0] for strength in np.linspace(0, 0.95, GRID) / w[0]]
    return time.perf_counter() - started, np.array(values)


def time_matrix_function(
    X: sp.csr_matrix, y: np.ndarray, function: object, times: int
) -> tuple[float, np.ndarray]:
    """Return the seconds per lambda of a matrix function, and the alignments of its kernels."""
    K = (X @ X.T).toarray()
    signs = one_vs_rest_signs(y)[:, 0]
    top = np.linalg.eigvalsh(K)[-1]
    started = time.perf_counter()
    grid = (np.linspace(0, 0.95, GRID) / top)[:: GRID // times][:times]
    values = [reference.alignment(function(K, strength), signs) for strength in grid]
    return (time.perf_counter() - started) / times, np.array(values)


def small() -> dict[str, float]:
    """Measure 1,033 documents: decomposition, 50 alignments and the line search."""
    X = normalize(to_csr(documents(1033, 4700)))
    y = np.arange(1033) % 50 == 0
    results: dict[str, float] = {}
    functions = {
        "expm": (FAMILIES["exponential"], lambda K, strength: K @ expm(strength * K)),
        "inv": (FAMILIES["vonneumann"], reference.von_neumann),
    }
    for name, (family, function) in functions.items():
        seconds, values = min((time_tacit(X, y, family) for _ in range(3)), key=lambda pair: pair[0])
        seconds_per_lambda, checked = time_matrix_function(X, y, function, 5)
        np.testing.assert_allclose(values[:: GRID // 5][:5], checked, atol=1e-8)
        results |= {
            f"{name} seconds a lambda": seconds_per_lambda,
            f"tacit, grid of 50 beside {name}": seconds,
        }
        results[f"tacit is faster than {name} by"] = seconds_per_lambda * GRID / seconds
    for name, make in (("exponential", ExponentialKernel), ("von Neumann", VonNeumannKernel)):
        times = []
        for _ in range(3):
            started = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                make("alignment", cosine=False).fit(X, y)
            times.append(time.perf_counter() - started)
        results[f"{name}: fit with line search, seconds"] = min(times)
    return results


def large(n: int, terms: int, components: int) -> dict[str, float]:
    """Measure ``features`` of a large collection: decomposition, and rows for every document."""
    X = documents(n, terms)
    started = time.perf_counter()
    kernel = ExponentialKernel(4.0, relative=True, centred=True, n_components=components).fit(X)
    fitted = time.perf_counter() - started
    F = kernel.features(X)
    seconds = time.perf_counter() - started
    unit_kb = 1 if sys.platform != "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit_kb / 1024**2
    return {
        "documents": n,
        "terms": terms,
        "non-zeros": X.nnz,
        "features": F.shape[1],
        "fit, seconds": fitted,
        "fit and features, seconds": seconds,
        "peak GB": peak,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=30_000)
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument("--components", type=int, default=200)
    parser.add_argument("--skip-large", action="store_true")
    options = parser.parse_args()
    results = {} if options.skip_large else large(options.documents, options.terms, options.components)
    results |= small()
    for name, value in results.items():
        print(f"{name:44}{value:>14,.3f}".rstrip("0").rstrip("."))
    print(json.dumps({"benchmark": "kernels", **{name: round(float(v), 4) for name, v in results.items()}}))


if __name__ == "__main__":
    main()
