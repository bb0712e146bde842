"""How far answers differ between machines: the same work for other CPUs and with other BLAS kernels.

One machine plays several: ``NUMBA_CPU_NAME`` has kernels compiled for an older CPU, ``OPENBLAS_CORETYPE`` has
BLAS use the kernels of another. Each variant trains and answers in a process of its own; what is printed is
the largest difference from this machine as it is.
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
    "as it is": {},
    "as it is, again": {},
    "kernels for Haswell (AVX2)": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi2"},
    "kernels for Nehalem (SSE4.2)": {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2"},
    "BLAS of Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "BLAS of Prescott (SSE3)": {"OPENBLAS_CORETYPE": "Prescott"},
}
TEXTS, ASKED, K = 5000, 100, 10


def work(out: Path) -> None:
    """Train, encode, compare and search; keep every number."""
    from tacit import WTMF, ExponentialKernel, Index, TextVectorizer
    from tacit.corpora.reading import read_named_texts

    texts = list(islice(read_named_texts("wordnet"), TEXTS))
    model = WTMF(n_components=50, n_iter=10).fit(texts)
    index = Index(model)
    index.add(texts)
    asked = texts[:: TEXTS // ASKED]
    hits = index.search_many([f"{text} {other}" for text, other in pairwise(asked)], K)
    kernel = ExponentialKernel(vectorizer=TextVectorizer()).fit(texts[:300])
    np.savez(
        out,
        vectors=model.encode(asked),
        latent=model.similarity(asked, asked, measure="latent"),
        blend=model.similarity(asked, asked),
        search=np.array([hit.score for found in hits for hit in found]),
        kernel=kernel.transform(asked),
        hits=np.array([[hit.row for hit in found] for found in hits]),
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for name, setting in VARIANTS.items():
            out = Path(folder, "answers.npz")
            subprocess.run([sys.executable, __file__, out], env={**os.environ, **setting}, check=True)
            found[name] = dict(np.load(out))
            base = found["as it is"]
            told = {
                what: float(np.max(np.abs(found[name][what] - base[what])) / np.max(np.abs(base[what])))
                for what in ("vectors", "latent", "blend", "search", "kernel")
            }
            both = zip(found[name]["hits"], base["hits"], strict=True)
            told["other_hits"] = float(1 - np.mean([len({*a} & {*b}) / K for a, b in both]))
            print(
                f"{name:30}", json.dumps({what: f"{value:.1e}" for what, value in told.items()}), flush=True
            )


if __name__ == "__main__":
    work(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
