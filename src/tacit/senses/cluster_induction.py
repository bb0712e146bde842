"""Induce the senses of a word from word clusters by removing salient topics one by one.

Van de Cruys & Apidianaki, ACL 2011, section 3.2. The first sense of a word is its k-means cluster. The latent
dimensions that are salient in that cluster (without the word) are removed from the word's features, equation
4, and the word is compared with all clusters again; a new cluster is a new sense, and the step is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.compute.cosine import normalize_sparse_rows
from tacit.compute.kmeans import spherical_kmeans, sum_by_label
from tacit.senses.topics import normalize_loadings
from tacit.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def cluster_words(A: csr_array, n_clusters: int, seed: int = 0) -> Array:
    """Cluster words by their features with spherical k-means, and return labels; no cluster is empty.

    >>> from scipy.sparse import csr_array
    >>> labels = cluster_words(csr_array([[1.0, 0], [2, 0], [0, 1], [0, 3]]), 2)
    >>> [int(label == labels[0]) for label in labels]
    [1, 1, 0, 0]
    """
    rows = normalize_sparse_rows(A).astype(np.float32)
    result = spherical_kmeans(rows, n_clusters, seed, n_iter=20, n_init=1, init="random", fill_empty=True)
    return result.labels


@dataclass(frozen=True)
class InducedSense:
    """A sense of a word: its cluster, their cosine, and the cluster's distribution over latent dimensions."""

    cluster: int
    cosine: float
    profile: Array


class WordClusters:
    """Clusters of words by their features.

    Parameters
    ----------
    A : csr_array
        Counts of words x features.
    labels : ndarray
        The cluster of every word.
    loadings : ndarray
        Features x latent dimensions; each row sums to 1.
    """

    def __init__(self, A: csr_array, labels: Array, loadings: Array) -> None:
        """Sum the counts of each cluster."""
        self.A, self.labels, self.loadings = A, labels, loadings
        self.sums = sum_by_label(A, labels, int(labels.max()) + 1).T
        self.squared_norms = np.einsum("fk,fk->k", self.sums, self.sums, dtype=np.float64)
        self.topic_sums = (self.sums.T @ loadings).astype(np.float64)

    @classmethod
    def from_counts(cls, A: csr_array, feature_vectors: Array, n_clusters: int, seed: int) -> WordClusters:
        """Cluster the words of a count matrix; ``feature_vectors`` are those of the factorization."""
        return cls(A, cluster_words(A, n_clusters, seed), normalize_loadings(feature_vectors))

    def induce_senses(
        self, row: int, threshold: float | None, n_salient: int, max_senses: int | None = None
    ) -> list[InducedSense]:
        """Return the senses of one word, the dominant one first.

        Without ``threshold`` (conservative), induction stops when the best cluster for the residual of the
        word is already a sense. With ``threshold`` (liberal), it stops when no new cluster
        reaches this cosine.
        """
        view = _LeaveOneOutView(self, row)
        cosines = view.cosines(view.values)
        dominant = int(self.labels[row])
        senses = [InducedSense(dominant, float(cosines[dominant]), view.profile(dominant))]
        residual = view.values.copy()
        n_clusters = self.sums.shape[1]
        while len(senses) < min(max_senses or n_clusters, n_clusters):
            residual *= 1 - view.salient_loadings(senses[-1].profile, n_salient)
            cosines = view.cosines(residual)
            if threshold is None:
                best = int(cosines.argmax())
                if any(sense.cluster == best for sense in senses):
                    break
            else:
                cosines[[sense.cluster for sense in senses]] = -1
                best = int(cosines.argmax())
                if cosines[best] < threshold:
                    break
            senses.append(InducedSense(best, float(cosines[best]), view.profile(best)))
        return senses


class _LeaveOneOutView:
    """The clusters without the counts of one word."""

    def __init__(self, clusters: WordClusters, row: int) -> None:
        A = clusters.A
        inside = slice(A.indptr[row], A.indptr[row + 1])
        self.clusters, self.home_cluster = clusters, int(clusters.labels[row])
        self.features, self.values = A.indices[inside], A.data[inside].astype(np.float64)
        self.loadings = clusters.loadings[self.features].astype(np.float64)
        self.columns = clusters.sums[self.features].astype(np.float64)
        self.squared_norms = clusters.squared_norms.copy()
        shared = self.values @ self.columns[:, self.home_cluster]
        self.squared_norms[self.home_cluster] -= 2 * shared - self.values @ self.values

    def cosines(self, residual: Array) -> Array:
        """Return the cosine of the residual counts of the word with every cluster."""
        dots = residual @ self.columns
        dots[self.home_cluster] -= residual @ self.values
        norms = np.sqrt(np.maximum(self.squared_norms, 0)) * np.linalg.norm(residual)
        return np.where(norms > 1e-9, dots / np.maximum(norms, 1e-9), 0.0)

    def profile(self, cluster: int) -> Array:
        """Return the distribution of a cluster without the word over the latent dimensions (equation 5)."""
        topic_sums = self.clusters.topic_sums[cluster].copy()
        if cluster == self.home_cluster:
            topic_sums -= self.values @ self.loadings
            if topic_sums.sum() <= 1e-9:  # the word is alone in its cluster
                topic_sums = self.values @ self.loadings
        topic_sums = np.maximum(topic_sums, 0)
        return topic_sums / max(topic_sums.sum(), 1e-12)

    def salient_loadings(self, profile: Array, n_salient: int) -> Array:
        """Return the sum of each feature's loadings on the most salient dimensions of a profile."""
        salient = np.argsort(-profile, kind="stable")[:n_salient]
        loadings: Array = self.loadings[:, salient].sum(axis=1)
        return np.minimum(loadings, 1.0)
