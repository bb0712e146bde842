"""Ranking quality of search at all defaults: nDCG@10 beside tf-idf, LSA and BM25.

    TACIT_DATA=... python benchmarks/ranking.py [--sets cacm,stackfaq] [--encoder FOLDER]

Each set of ``retrieval`` has texts, queries and the texts that answer them; each is trained on its own texts
only. LSA (scikit-learn) has its best number of components of 50, 100 and 200, chosen with the answers, which
favors it. Okapi BM25 is bm25s. Nothing is tuned here.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

import tacit

SETS = ("cacm", "stackfaq", "xquad.de")
MEASURES = ("hybrid", "blend", "latent")
K = 10


def read_rows(name: str, file: str) -> list[list[str]]:
    path = Path(os.environ["TACIT_DATA"], "retrieval", name, file)
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def ndcg(ranked: list[str], relevant: set[str]) -> float:
    """Normalized discounted cumulative gain of the first ten ids, with binary relevance."""
    discounts = 1 / np.log2(np.arange(2, K + 2))
    gain = sum(discount for discount, name in zip(discounts, ranked, strict=False) if name in relevant)
    return float(gain / discounts[: len(relevant)].sum())


def rankers(
    texts: list[str], queries: list[str], encoder: str | None
) -> Iterator[tuple[str, list[list[int]]]]:
    """Yield the name of each method and the rows of its ten best texts for each query."""
    index = tacit.build_index(texts)
    for measure in MEASURES:
        yield measure, [[hit.row for hit in hits] for hits in index.search_many(queries, K, measure)]
    if encoder is not None:
        found = tacit.build_index(texts, index.model, encoder=encoder).search_many(queries, K)
        yield "encoder", [[hit.row for hit in hits] for hits in found]
    vectorizer = TfidfVectorizer(sublinear_tf=True).fit(texts)
    A, B = vectorizer.transform(texts), vectorizer.transform(queries)
    yield "tf-idf", best_rows((B @ A.T).toarray())
    for n_components in (50, 100, 200):
        svd = TruncatedSVD(min(n_components, len(texts) - 1), random_state=0).fit(A)
        scores = normalize(svd.transform(B)) @ normalize(svd.transform(A)).T
        yield f"LSA {n_components}", best_rows(scores)
    bm25 = bm25s.BM25()
    bm25.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    words = bm25s.tokenize(queries, stopwords=None, show_progress=False)
    yield "bm25s", bm25.retrieve(words, k=K, show_progress=False)[0].tolist()


def best_rows(scores: np.ndarray) -> list[list[int]]:
    rows: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :K].tolist()
    return rows


def judge(name: str, encoder: str | None) -> dict[str, float]:
    """Return the mean nDCG@10 of each method; of LSA the best."""
    texts, queries = read_rows(name, "docs.tsv"), read_rows(name, "queries.tsv")
    relevant: dict[str, set[str]] = {}
    for query, text in read_rows(name, "qrels.tsv"):
        relevant.setdefault(query, set()).add(text)
    judged = [row for row in queries if row[0] in relevant]
    scores: dict[str, float] = {}
    for method, ranked in rankers([row[1] for row in texts], [row[1] for row in judged], encoder):
        gains = [
            ndcg([texts[row][0] for row in rows], relevant[query[0]])
            for query, rows in zip(judged, ranked, strict=True)
        ]
        method = method.split(" ")[0]
        scores[method] = max(float(np.mean(gains)), scores.get(method, 0.0))
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--encoder", help="Folder of a static embedding model, for hybrid with it.")
    options = parser.parse_args()
    table = {name: judge(name, options.encoder) for name in options.sets.split(",")}
    methods = list(next(iter(table.values())))
    print(f"{'nDCG@10':12}" + "".join(f"{method:>10}" for method in methods))
    for name, scores in table.items():
        print(f"{name:12}" + "".join(f"{scores[method]:10.3f}" for method in methods))
    means = [np.mean([scores[method] for scores in table.values()]) for method in methods]
    print(f"{'mean':12}" + "".join(f"{value:10.3f}" for value in means))


if __name__ == "__main__":
    main()
