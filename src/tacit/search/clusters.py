"""What groups are in a collection, each named by the words that set it apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.kmeans import group_sums, spherical_kmeans
from tacit.compute.scan import products
from tacit.errors import InputError
from tacit.models.text_model import TextModel
from tacit.search.bm25 import counted_terms
from tacit.search.results import Cluster, ScoredWord
from tacit.search.snapshot import Snapshot

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]
Progress = Callable[[int, int], None]

LABEL_WORDS = 8
_PRIOR = (
    10.0  # texts' worth of the whole collection mixed into each cluster's counts: rare words name nothing
)


def find_clusters(
    index: Index, n_clusters: int | None = None, random_state: int = 0, progress: Progress | None = None
) -> list[Cluster]:
    """Cluster the living texts that have a known word, and name the clusters, the largest first."""
    snapshot = index.snapshot
    rows = np.flatnonzero(snapshot.alive & snapshot.vectors.any(axis=1))
    n_clusters = _number(n_clusters, len(rows))
    vectors = snapshot.vectors if len(rows) == len(snapshot.vectors) else snapshot.vectors[rows]
    groups, cosines, _ = spherical_kmeans(
        vectors, n_clusters, random_state, n_threads=index.n_threads, progress=progress
    )
    sizes = np.bincount(groups, minlength=n_clusters)
    order = np.argsort(-sizes, kind="stable")
    number_of = np.argsort(order, kind="stable")[groups]
    said = distinctive_words(snapshot, rows, number_of, n_clusters)
    unsaid = unsaid_cluster_words(index.model, vectors, number_of, n_clusters, said)
    return [
        _cluster(snapshot, number, rows, number_of, cosines, said, unsaid)
        for number in range(n_clusters)
        if sizes[order[number]]
    ]


def _number(n_clusters: int | None, n: int) -> int:
    if n == 0:
        raise InputError("there is no text with a known word to cluster: add texts to the index")
    if n_clusters is None:
        return int(min(max(np.sqrt(n / 2), 2), 100, n))
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int) or not 1 <= n_clusters <= n:
        raise InputError(
            f"n_clusters={n_clusters!r}: expected an integer from 1 to {n}, the number of texts",
            parameter="n_clusters",
        )
    return n_clusters


def _cluster(
    snapshot: Snapshot, number: int, rows: Array, number_of: Array, cosines: Array,
    said: list[list[ScoredWord]], unsaid: list[list[ScoredWord]],
) -> Cluster:  # fmt: skip
    members = np.flatnonzero(number_of == number)
    typical = rows[members[np.lexsort((members, -cosines[members]))]]
    ids, texts = snapshot.ids.decode(typical), snapshot.texts.decode(typical)
    return Cluster(number + 1, len(typical), said[number], unsaid[number], ids, texts)


def distinctive_words(
    snapshot: Snapshot, rows: Array, number_of: Array, n_clusters: int
) -> list[list[ScoredWord]]:
    """The words used more in a cluster than elsewhere.

    p is the share of a cluster's texts with the word, q that of all texts, p smoothed towards q; p log(p / q)
    is a word's part of the Kullback-Leibler divergence between cluster and collection. It is weighted by
    log(1 / q), for words that are everywhere name nothing.
    """
    texts = snapshot.taken(rows)
    n_words = len(texts.tokens.id_of_term)
    starts, columns, _, _ = counted_terms(texts, n_words)
    everywhere = np.bincount(columns, minlength=n_words) / max(len(rows), 1)
    groups = np.repeat(number_of, np.diff(starts))
    surfaces = _surfaces(texts.term_ids(), texts.token_ids, texts.tokens.strings, n_words)
    by_group = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[by_group], np.arange(n_clusters + 1))
    sizes = np.bincount(number_of, minlength=n_clusters)
    found = []
    for number in range(n_clusters):
        used, counts = np.unique(columns[by_group[ends[number] : ends[number + 1]]], return_counts=True)
        q = everywhere[used]
        p = (counts + _PRIOR * q) / (sizes[number] + _PRIOR)
        found.append(_top(used, p * np.log(p / q) * np.log(1 / q), surfaces))
    return found


def unsaid_cluster_words(
    model: TextModel, vectors: Array, number_of: Array, n_clusters: int, said: list[list[ScoredWord]]
) -> list[list[ScoredWord]]:
    """The words a cluster is about more than the collection is, beyond those it is named by already.

    A word's weight is its vector's product with the difference of the mean directions.
    """
    sums = group_sums(vectors, number_of, n_clusters)
    means = sums / np.maximum(np.bincount(number_of, minlength=n_clusters), 1)[:, None]
    apart = (means - sums.sum(axis=0) / max(len(vectors), 1)).astype(np.float32)
    surfaces = model.pivot.vectorizer.words_.surface_forms
    found = []
    for number in range(n_clusters):
        weights = products(model.pivot.joint_word_vectors, apart[number]).astype(np.float64)
        named = {word for word, _ in said[number]}
        best = np.argsort(-weights, kind="stable")[: LABEL_WORDS + len(named)]
        best = best[[surfaces[place] not in named for place in best]]
        found.append(_top(best, weights[best], surfaces))
    return found


def _surfaces(terms: Array, ids: Array, tokens: list[str], n_terms: int) -> list[str]:
    """The most frequent token of each term, the first seen among equals."""
    pairs, first, times = np.unique(
        terms * np.int64(max(len(tokens), 1)) + ids, return_index=True, return_counts=True
    )
    order = np.lexsort((first, -times))
    owner = (pairs // max(len(tokens), 1))[order]
    found = [""] * n_terms
    for place in order[np.unique(owner, return_index=True)[1]].tolist():
        found[int(terms[first[place]])] = tokens[ids[first[place]]]
    return found


def _top(places: Array, weights: Array, surfaces: list[str]) -> list[ScoredWord]:
    order = np.lexsort((places, -weights))[:LABEL_WORDS]
    return [(surfaces[places[i]], float(weights[i])) for i in order if weights[i] > 0]
