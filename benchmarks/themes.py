"""Do themes agree with classes that people assigned? NMI, ARI and purity, ours and those of other methods.

For each set of short texts, size and sample, the texts are clustered with the number of classes given
(``--own``: with the number that the method chooses), and compared with the classes. A set that is smaller
than a size is left out; the last size is all of a set of 3,000 or more texts, up to 10,000. The samples are
rows in random order.

    TACIT_DATA=... python benchmarks/themes.py [--sizes 300,1000] [--sets hwu64] [--seeds 0,1,2] [--own]
        [--encoder FOLDER]

BERTopic is left out unless it is installed, without torch: pip install bertopic --no-deps, and pip install
umap-learn hdbscan pandas plotly tqdm pyyaml.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix
from sklearn.preprocessing import normalize

from tacit import WTMF, Index, TextVectorizer, ThemeModel
from tacit.text.tokenizers import tokenize

LANGUAGES = {"sib200.es": "es", "wikit_fr": "fr"}
SETS = (
    "r8", "trec_qc", "searchsnippets", "agnews_titles", "20ng_subjects", "googlenews_t", "hwu64", "tagmynews",
    "sib200.es", "wikit_fr",
)  # fmt: skip
MAX_TEXTS, MIN_TEXTS_OF_LAST_SIZE = 10_000, 3000

Method = Callable[[list[str], int | None, str], Any]


def read_set(name: str) -> list[tuple[str, str]]:
    """Class and text of each row; R8 has two files, and TREC the coarse classes."""
    files = ["r8_train", "r8_test"] if name == "r8" else [name]
    rows = []
    for file in files:
        path = Path(os.environ["TACIT_DATA"], "textcat", f"{file}.tsv.gz")
        with gzip.open(path, "rt", encoding="utf-8-sig") as lines:
            rows += [line.rstrip("\n").split("\t") for line in lines]
    return [(row[1].split(":")[0] if name == "trec_qc" else row[0], row[-1]) for row in rows]


def draw_sample(rows: list[tuple[str, str]], size: int, seed: int) -> tuple[list[str], list[str]] | None:
    if len(rows) < (MIN_TEXTS_OF_LAST_SIZE if size == MAX_TEXTS else size):
        return None
    chosen = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))[:size]]
    return [text for _, text in chosen], [label for label, _ in chosen]


def themes(texts: list[str], k: int | None, language: str) -> Any:
    return ThemeModel(k or "auto", language=language, other=False).fit_predict(texts)


def cluster(texts: list[str], k: int | None, language: str) -> Any:
    """Today's command: k-means on the vectors of an index."""
    index = Index(WTMF(TextVectorizer(language=language)).fit(texts))
    index.add(texts)
    labels = np.full(len(texts), -1)
    for number, group in enumerate(index.clusters(k)):
        labels[[int(text_id) - 1 for text_id in group.ids]] = number
    return labels


def _k(texts: list[str], k: int | None) -> int:
    """The number of classes, or that of today's command: these methods choose none."""
    return k or int(min(max(np.sqrt(len(texts) / 2), 2), 100))


def tfidf(texts: list[str], language: str) -> Any:
    stop_words = "english" if language == "en" else None
    return TfidfVectorizer(min_df=2, sublinear_tf=True, stop_words=stop_words).fit_transform(texts)


def tfidf_kmeans(texts: list[str], k: int | None, language: str) -> Any:
    return KMeans(_k(texts, k), n_init=5, random_state=0).fit_predict(tfidf(texts, language))


def lsa_kmeans(texts: list[str], k: int | None, language: str) -> Any:
    X = tfidf(texts, language)
    vectors = normalize(TruncatedSVD(min(100, X.shape[1] - 1), random_state=0).fit_transform(X))
    return KMeans(_k(texts, k), n_init=5, random_state=0).fit_predict(vectors)


def nmf(texts: list[str], k: int | None, language: str) -> Any:
    model = NMF(_k(texts, k), init="nndsvd", max_iter=300, tol=1e-3, random_state=0)
    return model.fit_transform(tfidf(texts, language)).argmax(axis=1)


def gsdmm(texts: list[str], k: int | None, language: str) -> Any:
    """Collapsed Gibbs sampling for the Dirichlet multinomial mixture (Yin & Wang 2014), 15 sweeps."""
    from tacit.text.normalization import make_normalizer

    alpha, beta, n_clusters = 0.1, 0.1, k or min(100, len(texts) // 4)
    stem, columns = make_normalizer(language, "stem"), {}
    rows = [[columns.setdefault(s, len(columns)) for s in stem(tokenize(text))] for text in texts]
    rng = np.random.default_rng(0)
    labels = rng.integers(n_clusters, size=len(rows))
    sizes, words = np.bincount(labels, minlength=n_clusters), np.zeros((n_clusters, len(columns)))
    for row, label in zip(rows, labels, strict=True):
        np.add.at(words[label], row, 1)
    totals = words.sum(axis=1)
    unique = [np.unique(row, return_counts=True) if row else ([], []) for row in rows]
    for _ in range(15):
        for d, row in enumerate(rows):
            used, counts = unique[d]
            old = labels[d]
            sizes[old] -= 1
            words[old, used] -= counts
            totals[old] -= len(row)
            log_p = np.log(sizes + alpha)
            for word, count in zip(used, counts, strict=True):
                for i in range(count):
                    log_p += np.log(words[:, word] + beta + i)
            log_p -= np.log(totals[:, None] + len(columns) * beta + np.arange(len(row))).sum(axis=1)
            p = np.exp(log_p - log_p.max())
            new = int(np.searchsorted(np.cumsum(p), rng.random() * p.sum()))
            labels[d] = new
            sizes[new] += 1
            words[new, used] += counts
            totals[new] += len(row)
    return labels


def bertopic(texts: list[str], k: int | None, language: str) -> Any:
    """UMAP and HDBSCAN on our vectors, with all defaults; for a given number, similar topics are merged."""
    from bertopic import BERTopic

    vectors = np.asarray(WTMF(TextVectorizer(language=language)).fit_transform(texts))
    model = BERTopic(embedding_model=None)
    labels, _ = model.fit_transform(texts, vectors)
    if k is not None and len(set(labels)) > k + (-1 in labels):
        model.reduce_topics(texts, k + (-1 in labels))  # counts the outliers as a topic
    return np.array(model.topics_)


def themes_with(encoder: str) -> Method:
    """Themes with a static embedding model."""

    def find(texts: list[str], k: int | None, language: str) -> Any:
        model = ThemeModel(k or "auto", language=language, other=False, encoder=encoder)
        return model.fit_predict(texts)

    return find


METHODS: dict[str, Method] = {
    "themes": themes, "cluster": cluster, "tfidf-kmeans": tfidf_kmeans, "lsa-kmeans": lsa_kmeans, "nmf": nmf,
    "gsdmm": gsdmm, "bertopic": bertopic,
}  # fmt: skip


def drop_missing(methods: list[str]) -> list[str]:
    """Return the methods whose packages are installed, and print which are left out and why."""
    absent = [name for name in ("bertopic", "umap", "hdbscan") if find_spec(name) is None]
    if "bertopic" not in methods or not absent:
        return methods
    print(f"bertopic is left out: {', '.join(absent)} not installed", flush=True)
    return [method for method in methods if method != "bertopic"]


def score(gold: list[str], labels: Any) -> tuple[float, float, float]:
    """NMI, ARI and purity; texts without a label are one cluster."""
    purity = contingency_matrix(gold, labels).max(axis=0).sum() / len(gold)
    return normalized_mutual_info_score(gold, labels), adjusted_rand_score(gold, labels), float(purity)


def main() -> None:
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="300,1000,3000,10000")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--own", action="store_true", help="each method's own number of clusters")
    parser.add_argument("--encoder", help="static embedding model for themes, as a further method")
    options = parser.parse_args()
    methods = drop_missing(options.methods.split(","))
    if options.encoder:
        METHODS["with-encoder"] = themes_with(options.encoder)
        methods.append("with-encoder")
    totals: dict[tuple[int, str], list[tuple[float, ...]]] = defaultdict(list)
    for name in options.sets.split(","):
        rows = read_set(name)
        for size in map(int, options.sizes.split(",")):
            for seed in map(int, options.seeds.split(",")):
                sample = draw_sample(rows, size, seed)
                for method in methods if sample else ():
                    texts, gold = sample
                    started = time.perf_counter()
                    k = None if options.own else len(set(gold))
                    labels = METHODS[method](texts, k, LANGUAGES.get(name, "en"))
                    seconds = round(time.perf_counter() - started, 2)
                    scores = score(gold, labels)
                    totals[size, method].append((*scores, len(set(labels.tolist()))))
                    result = dict(zip(("nmi", "ari", "purity"), (round(s, 4) for s in scores), strict=True))
                    entry = {"set": name, "size": size, "seed": seed, "method": method}
                    print(json.dumps(entry | result | {"seconds": seconds}), flush=True)
    for (size, method), values in sorted(totals.items()):
        nmi, ari, purity, n = np.mean(values, axis=0)
        print(f"{size:>6} {method:<13} NMI {nmi:.3f}  ARI {ari:.3f}  purity {purity:.3f}  clusters {n:.0f}")


if __name__ == "__main__":
    main()
