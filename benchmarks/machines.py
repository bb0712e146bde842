"""Differences of results between machines: the same work for other CPUs and with other BLAS kernels.

One machine simulates several: ``NUMBA_CPU_NAME`` compiles kernels for an older CPU, and
``OPENBLAS_CORETYPE`` selects the BLAS kernels of another. Each variant trains and searches in a new process.
Prints the largest difference from this machine without settings.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

VARIANTS = {
    "this machine": {},
    "this machine, again": {},
    "kernels for Haswell (AVX2)": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi2"},
    "kernels for Nehalem (SSE4.2)": {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2"},
    "BLAS of Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "BLAS of Prescott (SSE3)": {"OPENBLAS_CORETYPE": "Prescott"},
}
TEXTS, N_QUERIES, K = 5000, 100, 10


def work(out: Path) -> None:
    """Train, encode, compare and search; save all results."""
    from tacit import WTMF, ExponentialKernel, Index, TextVectorizer
    from tacit.corpora.reading import read_named_texts

    texts = list(islice(read_named_texts("wordnet"), TEXTS))
    model = WTMF(n_components=50, n_iter=10).fit(texts)
    index = Index(model)
    index.add(texts)
    queries = texts[:: TEXTS // N_QUERIES]
    hits = index.search_many([f"{text} {other}" for text, other in pairwise(queries)], K)
    kernel = ExponentialKernel(vectorizer=TextVectorizer()).fit(texts[:300])
    np.savez(
        out,
        vectors=model.encode(queries),
        latent=model.similarity(queries, queries, measure="latent"),
        blend=model.similarity(queries, queries),
        search=np.array([hit.score for matches in hits for hit in matches]),
        kernel=kernel.transform(queries),
        hits=np.array([[hit.row for hit in matches] for matches in hits]),
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for name, setting in VARIANTS.items():
            out = Path(folder, "answers.npz")
            subprocess.run([sys.executable, __file__, out], env={**os.environ, **setting}, check=True)
            results[name] = dict(np.load(out))
            base = results["this machine"]
            differences = {
                what: float(np.max(np.abs(results[name][what] - base[what])) / np.max(np.abs(base[what])))
                for what in ("vectors", "latent", "blend", "search", "kernel")
            }
            both = zip(results[name]["hits"], base["hits"], strict=True)
            differences["other_hits"] = float(1 - np.mean([len({*a} & {*b}) / K for a, b in both]))
            print(
                f"{name:30}",
                json.dumps({what: f"{value:.1e}" for what, value in differences.items()}),
                flush=True,
            )


if __name__ == "__main__":
    work(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
