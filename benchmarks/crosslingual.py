"""Speed of several languages: b-WMF compared with one language, adding a language, language detection.

    python benchmarks/crosslingual.py [--components 100] [--threads 2] [--repeats 3] [--texts 900000]

Uses the English-Spanish pairs of $TACIT_DATA; without it, only b-WMF runs, on a synthetic matrix (Zipf's
law). Two blocks of columns (b-WMF) and the same columns as one block run in turns on the same non-zeros. The
fastest sweep of each counts. Prints a table and then one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from als import zipf_matrix

from tacit import WTMF, TextVectorizer
from tacit.compute.threads import effective_n_threads
from tacit.corpora import read_pairs
from tacit.factorize.als import factorize
from tacit.models.incremental import learn_language
from tacit.models.lexicon import learn_lexicon
from tacit.models.text_set import TextSet


def sweeps(matrices: list[sp.csr_array], K: int, threads: int, repeats: int) -> dict[str, float]:
    """Return the seconds of the fastest sweep in blocks and as one matrix."""
    rng = np.random.default_rng(0)
    start = [rng.standard_normal((m.shape[1], K)).astype(np.float32) for m in matrices]
    whole, whole_start = sp.hstack(matrices, format="csr"), np.concatenate(start)
    options = {"missing_weight": 0.01, "regularization": 20.0, "n_iter": 2, "n_threads": threads}
    best = {"one language": np.inf, "b-WMF": np.inf}

    def make_timer(name: str):
        last = [time.perf_counter()]

        def callback(sweep: int, loss: float) -> None:
            now = time.perf_counter()
            if sweep > 1:  # the first includes the preparation
                best[name] = min(best[name], now - last[0])
            last[0] = now

        return callback

    for _ in range(repeats):
        factorize([[whole]], [whole_start], callback=make_timer("one language"), **options)
        factorize([matrices], start, callback=make_timer("b-WMF"), **options)
    return best


def time_added_language(pairs: list[tuple[str, str]], K: int, threads: int) -> dict[str, float]:
    """Return the seconds of the parts of ``add_language``, and of encoding with and without detection."""
    english = [pair[0] for pair in pairs]
    wtmf = WTMF(TextVectorizer("en", min_df=5), n_components=K, n_iter=1, n_threads=threads)
    model = wtmf.fit(english[:200_000]).model_
    pivot = model.pivot
    sides = (english, [pair[1] for pair in pairs])
    few = (sides[0][:100], sides[1][:100])  # compile before timing
    learn_language(pivot, "es", few, TextVectorizer("es", min_df=1), None, None, borrow=False, translate=True)
    started = time.perf_counter()
    rows = TextVectorizer("es", min_df=5).fit_transform_rows(sides[1])
    known = pivot.vectorizer.transform_rows(sides[0])
    seconds = {"tokenizing": time.perf_counter() - started}
    started = time.perf_counter()
    model.languages["es"] = learn_language(pivot, "es", sides, None, None, None, borrow=True, translate=False)
    seconds["closed form, with tokenizing"] = time.perf_counter() - started
    started = time.perf_counter()
    learn_lexicon(rows, known, threads)
    seconds["table of translations"] = time.perf_counter() - started
    texts = [pair[number % 2] for number, pair in enumerate(pairs[::9])]
    codes = [("en", "es")[number % 2] for number in range(len(texts))]
    for name, language in (("encoding, language known", codes), ("encoding, detected", None)):
        best = np.inf
        for _ in range(4):
            started = time.perf_counter()
            _ = TextSet.from_texts(model, texts, language).vectors
            best = min(best, time.perf_counter() - started)
        seconds[name] = best
    seconds["after tokenizing"] = (
        seconds["closed form, with tokenizing"] - seconds["tokenizing"] + seconds["table of translations"]
    )
    right = np.mean(TextSet.from_texts(model, texts).language_ids == np.arange(len(texts)) % 2)
    print(f"detection: {right:.2%} of {len(texts):,} texts right")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=900_000)
    parser.add_argument("--components", type=int, default=100)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    threads, K, data = effective_n_threads(options.threads), options.components, os.environ.get("TACIT_DATA")
    if data:
        files = sorted(Path(data, "crosslingual", "parallel").glob("*.en-es.tsv.gz"))
        pairs = [pair for file in files for pair in read_pairs(file)][: options.texts]
        matrices = [
            sp.csr_array(TextVectorizer(code, min_df=5).fit_transform(pair[side] for pair in pairs))
            for side, code in enumerate(("en", "es"))
        ]
    else:
        pairs = []
        matrices = [sp.csr_array(zipf_matrix(options.texts, seed=seed)) for seed in (0, 1)]
    nonzeros = sum(m.nnz for m in matrices)
    print(f"{matrices[0].shape[0]:,} pairs, {nonzeros:,} non-zeros, K = {K}, {threads} threads")
    best = sweeps(matrices, K, threads, options.repeats)
    for name, seconds in best.items():
        print(f"{name:34}{seconds:8.2f} s a sweep{nonzeros / seconds / 1e6:8.1f} M non-zeros a second")
    ratio = best["b-WMF"] / best["one language"]
    print(f"{'b-WMF takes':34}{ratio:8.2f} of the time of one language")
    parts = time_added_language(pairs, K, threads) if pairs else {}
    for name, seconds in parts.items():
        print(f"{name:34}{seconds:8.2f} s")
    overhead = parts["encoding, detected"] / parts["encoding, language known"] - 1 if parts else None
    if overhead is not None:
        print(f"{'detection adds':34}{overhead:8.1%}")
    facts = {
        "benchmark": "crosslingual",
        "pairs": matrices[0].shape[0],
        "nonzeros": int(nonzeros),
        "components": K,
    }
    print(json.dumps({**facts, "threads": threads, "seconds_a_sweep": best, "ratio": ratio, **parts}))


if __name__ == "__main__":
    main()
