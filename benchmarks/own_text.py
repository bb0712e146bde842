"""Accuracy with default settings: the class of the nearest training text, for several collection sizes.

For each collection and size, a model is trained with default settings, and test texts get the class of the
nearest training text: by tacit's measures, by tf-idf and LSA (scikit-learn; LSA with the best of 50, 100 and
200 components on the test texts) and by bm25s.

    TACIT_DATA=... python benchmarks/own_text.py [--sizes 100,300] [--sets snippets] [--background] [--grid]
"""

from __future__ import annotations

import argparse
import gzip
import logging
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from tacit import WTMF, Index, TextModel
from tacit.corpora import read_named_texts

MEASURES = ("latent", "blend", "search")
GRID = {
    "missing_weight": (0.01, 0.1, 0.3, 1.0),
    "share": (0.4, 0.7, 1.0, 1.5),
    "n_components": (50, 100, 200),
}
"""``share`` is the regularization divided by the norm of a typical row."""

Rows = list[tuple[str, str]]


def read(name: str) -> Iterator[tuple[str, ...]]:
    with gzip.open(Path(os.environ["TACIT_DATA"], "textcat", name), "rt", encoding="utf-8") as file:
        for line in file:
            yield tuple(line.rstrip("\n").split("\t"))


def collections() -> dict[str, tuple[Rows, Rows]]:
    """Return labels and texts for training and test; collections without a split are split at random."""
    results = {"R8": tuple([(r[0], r[-1]) for r in read(f"r8_{part}.tsv.gz")] for part in ("train", "test"))}
    trec = [(row[1].split(":")[0], row[-1]) for row in read("trec_qc.tsv.gz")]
    snippets = [(row[0], row[-1]) for row in read("searchsnippets.tsv.gz")]
    for name, rows in (("snippets", snippets), ("TREC", trec)):
        order = np.random.default_rng(0).permutation(len(rows))
        mixed = [rows[i] for i in order]
        results[name] = (mixed[1000:], mixed[:1000])
    return results


def accuracy(nearest, classes, gold) -> float:
    return float(np.mean(classes[nearest] == gold))


def other_methods(texts: list[str], queries: list[str], classes, gold) -> dict[str, float]:
    import bm25s
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = TfidfVectorizer().fit(texts)
    A, B = vectorizer.transform(texts), vectorizer.transform(queries)
    results = {"tf-idf": accuracy((B @ A.T).toarray().argmax(axis=1), classes, gold)}
    best = 0.0
    for k in (50, 100, 200):
        if k < min(A.shape):
            svd = TruncatedSVD(k, random_state=0).fit(A)
            near = (normalize(svd.transform(B)) @ normalize(svd.transform(A)).T).argmax(axis=1)
            best = max(best, accuracy(near, classes, gold))
    results["LSA"] = best
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    words = bm25s.tokenize(queries, stopwords=None, show_progress=False)
    results["bm25s"] = accuracy(index.retrieve(words, k=1, show_progress=False)[0][:, 0], classes, gold)
    return results


def tacit_measures(model: TextModel, texts: list[str], queries: list[str], classes, gold) -> dict[str, float]:
    index = Index(model)
    index.add(texts)
    results = {}
    for measure in MEASURES:
        hits = index.search_many(queries, 1, measure)
        right = [bool(hit) and classes[hit[0].row] == label for hit, label in zip(hits, gold, strict=True)]
        results[measure] = float(np.mean(right))
    return results


def grid(texts: list[str], queries: list[str], classes, gold, seed: int) -> dict[str, float]:
    """Return the latent accuracy of automatic settings, of tuned ones, and of the best of the grid."""

    def latent(trainer: WTMF) -> float:
        near = trainer.fit(texts).similarity(queries, texts, "latent").argmax(axis=1)
        return accuracy(near, classes, gold)

    auto = WTMF(random_state=seed)
    results = {"auto": latent(auto)}
    length = auto.model_.pivot.vectorizer.rms_norm_
    accuracies = []
    for w, share, k in product(*GRID.values()):
        settings = {"missing_weight": w, "regularization": share * length, "n_components": k}
        accuracies.append(latent(WTMF(**settings, random_state=seed)))
    results["tuned"] = latent(WTMF.tune(texts, random_state=seed))
    return results | {"grid": max(accuracies)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="100,300,1000,3000,10000")
    parser.add_argument("--sets", default="snippets,TREC,R8")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--background", action="store_true", help="Also use WordNet as background.")
    parser.add_argument("--grid", action="store_true", help="Compare automatic settings with a full grid.")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    background = WTMF().fit(read_named_texts("wordnet")).model_ if options.background else None
    sets = collections()
    for name, size in product(options.sets.split(","), map(int, options.sizes.split(","))):
        rows, test = sets[name]
        queries, gold = [text for _, text in test], np.array([label for label, _ in test])
        all_results: dict[str, list[float]] = {}
        for seed in range(options.seeds):
            chosen = np.random.default_rng(seed).permutation(len(rows))[:size]
            texts, classes = [rows[i][1] for i in chosen], np.array([rows[i][0] for i in chosen])
            case = (texts, queries, classes, gold)
            if options.grid:
                results = grid(*case, seed)
            else:
                results = other_methods(*case) | tacit_measures(
                    WTMF(random_state=seed).fit(texts).model_, *case
                )
            if background is not None:
                with_background = tacit_measures(
                    WTMF(random_state=seed, background=background).fit(texts).model_, *case
                )
                results |= {f"{measure} + WordNet": value for measure, value in with_background.items()}
            for key, value in results.items():
                all_results.setdefault(key, []).append(value)
        line = "  ".join(f"{key} {np.mean(values):.3f}" for key, values in all_results.items())
        print(f"{name:9}{min(size, len(rows)):>7,}  {line}", flush=True)


if __name__ == "__main__":
    main()
