"""The senses of a word: the clusters it belongs to, found one after another.

Van de Cruys & Apidianaki, ACL 2011, section 3.2. A word starts in its k-means cluster. The latent dimensions
that stand out in that cluster (without the word) are switched off in the word's features, equation 4, and
the word is compared with all clusters again; a new cluster is a new sense, and the step is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit_rows
from tacit.compute.kmeans import group_sums, spherical_kmeans
from tacit.senses.topics import loads

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]


def word_clusters(A: csr_array, n_clusters: int, seed: int = 0) -> Array:
    """The cluster of every word by its features; none is empty.

    >>> from scipy.sparse import csr_array
    >>> labels = word_clusters(csr_array([[1.0, 0], [2, 0], [0, 1], [0, 3]]), 2)
    >>> [int(label == labels[0]) for label in labels]
    [1, 1, 0, 0]
    """
    rows = unit_rows(A).astype(np.float32)
    return spherical_kmeans(rows, n_clusters, seed, n_iter=20, n_runs=1, spread=False, fill=True)[0]


@dataclass(frozen=True)
class FoundSense:
    """A cluster that is a sense of a word: its number, its cosine with the word, its latent profile."""

    cluster: int
    cosine: float
    profile: Array


class Clusters:
    """Clusters of words by their features, and what is needed to take one word out of its own.

    Parameters
    ----------
    A : words x features.
    labels : the cluster of every word.
    loads : features x dimensions, each feature's row summing to 1: how much of it each dimension explains.
    """

    def __init__(self, A: csr_array, labels: Array, loads: Array) -> None:
        """Sum the counts of each cluster."""
        self.A, self.labels, self.loads = A, labels, loads
        self.sums = group_sums(A, labels, int(labels.max()) + 1).T
        self.squares = np.einsum("fk,fk->k", self.sums, self.sums, dtype=np.float64)
        self.folded = (self.sums.T @ loads).astype(np.float64)

    @classmethod
    def of(cls, A: csr_array, feature_vectors: Array, n_clusters: int, seed: int) -> Clusters:
        """Cluster words by their features, which have been given vectors over the latent dimensions."""
        return cls(A, word_clusters(A, n_clusters, seed), loads(feature_vectors))

    def induce(
        self, row: int, threshold: float | None, n_salient: int, most: int | None = None
    ) -> list[FoundSense]:
        """The senses of one word, the dominant one first, and no more than ``most``.

        Without a ``threshold`` (conservative) a new sense must fit what is left of the word better than the
        dominant one does; with it (liberal) the next best cluster is taken as long as its cosine reaches it.
        """
        view = _WordView(self, row)
        cosines = view.cosines(view.values)
        dominant = int(self.labels[row])
        found = [FoundSense(dominant, float(cosines[dominant]), view.profile(dominant))]
        left = view.values.copy()
        n_clusters = self.sums.shape[1]
        while len(found) < min(most or n_clusters, n_clusters):
            left *= 1 - view.salient_loads(found[-1].profile, n_salient)
            cosines = view.cosines(left)
            if threshold is None:
                best = int(cosines.argmax())
                if any(sense.cluster == best for sense in found):
                    break
            else:
                cosines[[sense.cluster for sense in found]] = -1
                best = int(cosines.argmax())
                if cosines[best] < threshold:
                    break
            found.append(FoundSense(best, float(cosines[best]), view.profile(best)))
        return found


class _WordView:
    """The clusters as one word sees them: its own counts are taken out of its cluster."""

    def __init__(self, clusters: Clusters, row: int) -> None:
        A = clusters.A
        inside = slice(A.indptr[row], A.indptr[row + 1])
        self.clusters, self.own = clusters, int(clusters.labels[row])
        self.features, self.values = A.indices[inside], A.data[inside].astype(np.float64)
        self.loads = clusters.loads[self.features].astype(np.float64)
        self.columns = clusters.sums[self.features].astype(np.float64)
        self.squares = clusters.squares.copy()
        shared = self.values @ self.columns[:, self.own]
        self.squares[self.own] -= 2 * shared - self.values @ self.values

    def cosines(self, left: Array) -> Array:
        """The cosine of what is left of the word with every cluster."""
        dots = left @ self.columns
        dots[self.own] -= left @ self.values
        lengths = np.sqrt(np.maximum(self.squares, 0)) * np.linalg.norm(left)
        cosines: Array = np.where(lengths > 1e-9, dots / np.maximum(lengths, 1e-9), 0.0)
        return cosines

    def profile(self, cluster: int) -> Array:
        """Equation 5: the cluster without the word, over the latent dimensions; sums to 1."""
        folded = self.clusters.folded[cluster].copy()
        if cluster == self.own:
            folded -= self.values @ self.loads
            if folded.sum() <= 1e-9:  # the word is alone: it stands for its cluster
                folded = self.values @ self.loads
        folded = np.maximum(folded, 0)
        shares: Array = folded / max(folded.sum(), 1e-12)
        return shares

    def salient_loads(self, profile: Array, n_salient: int) -> Array:
        """How much of each feature the dimensions explain that stand out in a profile."""
        salient = np.argsort(-profile, kind="stable")[:n_salient]
        loads: Array = self.loads[:, salient].sum(axis=1)
        return np.minimum(loads, 1.0)
