"""The systems of the comparison. An adapter answers the kinds of tasks for which it has ``answer_KIND``.

Settings are the defaults of each system, except those that ``settings`` names. None was tuned on these tasks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from list_systems import Dedupe, Splink
from vector_systems import (
    DEPTH,
    N_SWEEPS,
    N_THREADS,
    SEED,
    TEXTS,
    Doc2Vec,
    FastText,
    GensimLsi,
    K,
    Lsa,
    MiniLm,
    TfIdf,
    TomotopyLda,
    normalize,
)  # fmt: skip


class BerTopic:
    package, settings = "bertopic", "UMAP and HDBSCAN on the vectors of MiniLM, nr_topics = number of classes"

    def start(self) -> None:
        self.encoder = MiniLm()

    def answer_collection(self, task: Any, watch: Any) -> Any:
        from bertopic import BERTopic
        from umap import UMAP

        with watch("encode"):
            vectors = np.asarray(self.encoder.encode(task["texts"]))
        with watch("cluster"):
            umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=SEED)
            model = BERTopic(umap_model=umap, nr_topics=task["n_clusters"] + 1)
            topics, _ = model.fit_transform(task["texts"], vectors)
        return {"clusters": list(map(int, topics))}


class Bm25s:
    package, settings = "bm25s", "defaults, all words"

    def start(self) -> None:
        self.search(TEXTS, TEXTS[:1], lambda step: _NullWatch())

    def search(self, texts: list[str], queries: list[str], watch: Any) -> list[list[int]]:
        import bm25s

        with watch("train"):
            model = bm25s.BM25()
            model.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
        with watch("search"):
            words = bm25s.tokenize(queries, stopwords=None, show_progress=False)
            k = min(DEPTH, len(texts))
            rows: list[list[int]] = model.retrieve(words, k=k, show_progress=False)[0].tolist()
            return rows

    def answer_collection(self, task: Any, watch: Any) -> Any:
        return {"hits": self.search(task["texts"], task["queries"], watch)}

    answer_ranking = answer_collection


class Tacit:
    package, settings = "tacit", "defaults; classes by TextClassifier, clusters by ThemeModel"

    def start(self) -> None:
        import tacit

        tacit.learn(TEXTS).model.encode(TEXTS[:1])

    def answer_collection(self, task: Any, watch: Any) -> Any:
        import tacit

        answer = self.answer_ranking(task, watch)
        with watch("classify"):
            texts = [task["texts"][row] for row in task["rows"]]
            classifier = tacit.TextClassifier(background=task["texts"]).fit(texts, task["labels"])
            answer["labels"] = classifier.predict(task["queries"]).tolist()
        with watch("cluster"):
            themes = tacit.ThemeModel(task["n_clusters"], language=task["language"], other=False)
            answer["clusters"] = np.asarray(themes.fit_predict(task["texts"])).tolist()
        return answer

    def answer_ranking(self, task: Any, watch: Any) -> Any:
        import tacit

        with watch("train"):
            index = tacit.build_index(task["texts"], n_threads=N_THREADS)
        with watch("search"):
            found = index.search_many(task["queries"], DEPTH)
        return {"hits": [[hit.row for hit in hits] for hits in found]}

    def answer_pairs(self, task: Any, watch: Any) -> Any:
        import tacit

        with watch("train"):
            model = tacit.learn(task["texts"]).model
        with watch("encode"):
            return {"scores": [model.compare(a, b).score for a, b in task["pairs"]]}

    answer_sts = answer_pairs

    def answer_lists(self, task: Any, watch: Any) -> Any:
        import tacit

        with watch("links"):
            found = tacit.link(task["a"], task["b"], n_threads=N_THREADS)
        a, b = ({text: row for row, text in enumerate(task[side])} for side in "ab")
        return {"links": [(a[pair.a.text], b[pair.b.text]) for pair in found]}

    def answer_vectors(self, task: Any, watch: Any) -> Any:
        from tacit.compute.nearest import find_nearest

        def search(vectors: Any, queries: Any) -> Any:
            return find_nearest(vectors, queries, DEPTH, n_threads=N_THREADS)[1]

        search(np.eye(K, dtype=np.float32), np.eye(K, dtype=np.float32))  # loads the kernels
        return search_vectors(task, watch, lambda vectors: vectors, search)

    def answer_factors(self, task: Any, watch: Any) -> Any:
        import tacit

        X = tfidf_matrix(task["texts"])
        with watch("train"):
            model = tacit.WMF(K, n_iter=N_SWEEPS, random_state=SEED, n_threads=N_THREADS)
            factors = model.fit_transform(X)
        return {"nearest": nearest_others(factors)}


class _NullWatch:
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...


def make_vectors(task: Any) -> tuple[Any, Any]:
    """Return unit vectors around 200 centers, and queries."""
    rng = np.random.default_rng(SEED)
    centers = rng.standard_normal((200, K), dtype=np.float32)
    n = task["n"] + task["n_queries"]
    vectors = centers[rng.integers(200, size=n)] + rng.standard_normal((n, K), dtype=np.float32)
    vectors = normalize(vectors)
    return vectors[: task["n"]], vectors[task["n"] :]


def search_vectors(task: Any, watch: Any, build: Any, search: Any) -> Any:
    """Build an index of the vectors, search it, and compare the rows with those of a full matrix product."""
    vectors, queries = make_vectors(task)
    with watch("train"):
        index = build(vectors)
    with watch("search"):
        rows = search(index, queries)
    exact = [np.argpartition(-(vectors @ query), DEPTH)[:DEPTH] for query in queries]
    shared = [len({*map(int, a)} & {*map(int, b)}) for a, b in zip(rows, exact, strict=True)]
    return {"recall": float(np.mean(shared)) / DEPTH}


class FaissFlat:
    package, settings = "faiss-cpu", "IndexFlatIP, exact"

    def start(self) -> None:
        import faiss

        faiss.omp_set_num_threads(N_THREADS)

    def answer_vectors(self, task: Any, watch: Any) -> Any:
        return search_vectors(task, watch, self.build, lambda index, queries: index.search(queries, DEPTH)[1])

    def build(self, vectors: Any) -> Any:
        import faiss

        index = faiss.IndexFlatIP(K)
        index.add(vectors)
        return index


class FaissHnsw(FaissFlat):
    settings = "IndexHNSWFlat(32), defaults"

    def build(self, vectors: Any) -> Any:
        import faiss

        index = faiss.IndexHNSWFlat(K, 32, faiss.METRIC_INNER_PRODUCT)
        index.add(vectors)
        return index


class Usearch:
    package, settings = "usearch", "cosine, float32, defaults"

    def start(self) -> None:
        import usearch.index  # noqa: F401

    def answer_vectors(self, task: Any, watch: Any) -> Any:
        from usearch.index import Index

        def build(vectors: Any) -> Any:
            index = Index(ndim=K, metric="cos", dtype="f32")
            index.add(np.arange(len(vectors)), vectors, threads=N_THREADS)
            return index

        def search(index: Any, queries: Any) -> Any:
            return index.search(queries, DEPTH, threads=N_THREADS).keys

        return search_vectors(task, watch, build, search)


def tfidf_matrix(texts: list[str]) -> Any:
    """Return the same sparse matrix to every solver."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, min_df=2, dtype=np.float32).fit_transform(texts)


def nearest_others(factors: Any) -> list[int]:
    """Return the nearest other row of each row, by cosine."""
    vectors = normalize(factors)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    rows: list[int] = scores.argmax(axis=1).tolist()
    return rows


class ImplicitAls:
    package, settings = "implicit", f"{K} factors, {N_SWEEPS} sweeps, alpha=100"

    def start(self) -> None:
        import implicit.als  # noqa: F401

    def answer_factors(self, task: Any, watch: Any) -> Any:
        from implicit.cpu.als import AlternatingLeastSquares

        X = tfidf_matrix(task["texts"])
        with watch("train"):
            model = AlternatingLeastSquares(
                factors=K, alpha=100, iterations=N_SWEEPS, num_threads=N_THREADS, random_state=SEED
            )
            model.fit(X, show_progress=False)
        return {"nearest": nearest_others(model.user_factors)}


class SparkAls:
    package, settings = "pyspark", f"local, {K} factors, {N_SWEEPS} sweeps, implicitPrefs, alpha=100"

    def start(self) -> None:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(f"local[{N_THREADS}]").config("spark.ui.enabled", "false")
        self.session = builder.config("spark.driver.memory", "4g").getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def answer_factors(self, task: Any, watch: Any) -> Any:
        from pyspark.ml.recommendation import ALS

        X = tfidf_matrix(task["texts"]).tocoo()
        rows = zip(X.row.tolist(), X.col.tolist(), X.data.tolist(), strict=True)
        frame = self.session.createDataFrame(rows, ["text", "word", "weight"]).cache()
        frame.count()
        als = ALS(
            rank=K, maxIter=N_SWEEPS, implicitPrefs=True, alpha=100.0, userCol="text", itemCol="word",
            ratingCol="weight", numUserBlocks=2, numItemBlocks=2, seed=SEED,
        )  # fmt: skip
        with watch("train"):
            found = als.fit(frame).userFactors.collect()
        factors = np.zeros((X.shape[0], K), np.float32)
        for row in found:
            factors[row["id"]] = row["features"]
        self.session.stop()
        return {"nearest": nearest_others(factors)}


SYSTEMS: dict[str, Any] = {
    "tacit": Tacit, "tf-idf": TfIdf, "LSA": Lsa, "BM25 (bm25s)": Bm25s, "gensim LSI": GensimLsi,
    "gensim Doc2Vec": Doc2Vec, "gensim FastText": FastText, "tomotopy LDA": TomotopyLda, "MiniLM": MiniLm,
    "BERTopic": BerTopic, "implicit ALS": ImplicitAls, "Spark ALS": SparkAls, "faiss flat": FaissFlat,
    "faiss HNSW": FaissHnsw, "usearch": Usearch, "dedupe": Dedupe, "Splink": Splink,
}  # fmt: skip
