"""Cluster a collection and name the clusters by their distinctive words."""

from __future__ import annotations

from itertools import islice

import numpy as np

from tacit.checks import check_int
from tacit.compute.kmeans import spherical_kmeans, sum_by_label
from tacit.models.text_model import TextModel
from tacit.models.word_lookup import score_unsaid_words
from tacit.search.bm25 import count_terms_per_text
from tacit.search.results import Cluster, ScoredWord
from tacit.search.snapshot import Snapshot
from tacit.text.name_words import can_name_group
from tacit.types import Array, ProgressCallback

LABEL_WORDS = 8
"""Words of a cluster, at most."""

_PRIOR = 10.0
"""Texts with average word frequencies that are added to each cluster: otherwise rare words would name it."""


def find_clusters(
    snapshot: Snapshot, n_clusters: int | None = None, random_state: int = 0,
    progress: ProgressCallback | None = None,
) -> list[Cluster]:  # fmt: skip
    """Cluster the texts that have a known word and name the clusters, the largest first."""
    model, rows = snapshot.model, snapshot.rows_with_known_words("cluster")
    if n_clusters is None:
        n_clusters = int(min(max(np.sqrt(len(rows) / 2), 2), 100, len(rows)))
    n_clusters = check_int("n_clusters", n_clusters, 1, len(rows), note="the number of texts")
    vectors = snapshot.vectors if len(rows) == len(snapshot.vectors) else snapshot.vectors[rows]
    labels, cosines, _ = spherical_kmeans(
        vectors, n_clusters, random_state, n_threads=model.n_threads, progress=progress
    )
    sizes = np.bincount(labels, minlength=n_clusters)
    order = np.argsort(-sizes, kind="stable")
    labels = np.argsort(order, kind="stable")[labels]  # 0 for the largest cluster
    words = distinctive_words(snapshot, rows, labels, n_clusters)
    unsaid = unsaid_cluster_words(model, vectors, labels, n_clusters, words)
    clusters = []
    for cluster, members in enumerate(positions_by_label(labels, n_clusters)):
        if len(members):
            typical = rows[members[np.lexsort((members, -cosines[members]))]]
            ids, texts = snapshot.ids.decode(typical), snapshot.texts.decode(typical)
            clusters.append(Cluster(cluster + 1, len(typical), words[cluster], unsaid[cluster], ids, texts))
    return clusters


def positions_by_label(labels: Array, n_labels: int) -> list[Array]:
    """Return the positions of each label, in ascending order.

    >>> positions_by_label(np.array([1, 0, 1]), 3)
    [array([1]), array([0, 2]), array([], dtype=int64)]
    """
    ends = np.cumsum(np.bincount(labels, minlength=n_labels))
    return np.split(np.argsort(labels, kind="stable"), ends[:-1])


def distinctive_words(
    snapshot: Snapshot, rows: Array, labels: Array, n_clusters: int
) -> list[list[ScoredWord]]:
    """Return the words that are more frequent in each cluster than in all the rows.

    p is the share of a cluster's texts with a word, smoothed towards q, the share of all texts. A word's part
    of the Kullback-Leibler divergence between cluster and collection is p log(p / q). It is weighted by
    log(1 / q), because very frequent words do not distinguish a cluster.
    """
    texts = snapshot.text_set(rows)
    n_words = len(texts.tokens.id_of_term)
    starts, words, _ = count_terms_per_text(texts)
    shares = np.bincount(words, minlength=n_words) / max(len(rows), 1)
    surfaces = _most_frequent_forms(texts.term_ids(), texts.token_ids, texts.tokens.strings, n_words)
    sizes = np.bincount(labels, minlength=n_clusters).tolist()
    groups = positions_by_label(np.repeat(labels, np.diff(starts)), n_clusters)
    results = []
    for positions, size in zip(groups, sizes, strict=True):
        used, counts = np.unique(words[positions], return_counts=True)
        q = shares[used]
        p = (counts + _PRIOR * q) / (size + _PRIOR)
        results.append(_top_words(used, p * np.log(p / q) * np.log(1 / q), surfaces, snapshot.model))
    return results


def unsaid_cluster_words(
    model: TextModel, vectors: Array, labels: Array, n_clusters: int, words: list[list[ScoredWord]]
) -> list[list[ScoredWord]]:
    """Return further words that each cluster is about, without its distinctive ``words``.

    They are ranked like the unsaid words of a text, by the difference of the mean vectors of the cluster and
    the collection.
    """
    sums = sum_by_label(vectors, labels, n_clusters)
    means = sums / np.maximum(np.bincount(labels, minlength=n_clusters), 1)[:, None]
    differences = means - sums.sum(axis=0) / max(len(vectors), 1)
    surfaces = model.pivot.vectorizer.words_.surface_forms
    results = []
    for cluster in range(n_clusters):
        weights = score_unsaid_words(model.pivot, differences[cluster])
        excluded = frozenset(word for word, _ in words[cluster])
        results.append(_top_words(np.arange(len(weights)), weights, surfaces, model, excluded))
    return results


def _most_frequent_forms(term_ids: Array, token_ids: Array, tokens: list[str], n_terms: int) -> list[str]:
    """Return the most frequent token of each term, the first one among equals."""
    n_tokens = np.int64(max(len(tokens), 1))
    pairs, first, counts = np.unique(term_ids * n_tokens + token_ids, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))
    terms = (pairs // n_tokens)[order]
    forms = [""] * n_terms
    for position in order[np.unique(terms, return_index=True)[1]].tolist():
        forms[int(term_ids[first[position]])] = tokens[token_ids[first[position]]]
    return forms


def _top_words(
    words: Array, weights: Array, surfaces: list[str], model: TextModel,
    excluded: frozenset[str] = frozenset(),
) -> list[ScoredWord]:  # fmt: skip
    """Return the words with the largest positive weights that can name a group in all languages."""
    best = ((surfaces[words[i]], float(weights[i])) for i in np.lexsort((words, -weights)) if weights[i] > 0)
    names = (
        (word, weight)
        for word, weight in best
        if word not in excluded and all(can_name_group(word, code) for code in model.languages)
    )
    return list(islice(names, LABEL_WORDS))
