"""Average linkage inside connected components, so that a chain of similar items does not become one group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.types import Array

MAX_COMPONENT = 2000
"""Largest number of items that are all compared; a larger component is divided by a higher threshold."""

PairScorer = Callable[[Array, Array], Array]


def average_linkage(
    n: int, left: Array, right: Array, scores: Array, threshold: float, score_pairs: PairScorer
) -> Array:
    """Group n items; two groups are merged while their mean score over all pairs is at least the threshold.

    Parameters
    ----------
    n : int
        Number of items.
    left, right, scores : array of shape (n_pairs,)
        Pairs whose score is at least the threshold; others may be left out.
    threshold : float
        Lowest mean score of two groups that are merged.
    score_pairs : callable
        Scores any pairs of items.

    Returns
    -------
    array of shape (n,)
        The first item of the group of each item.
    """
    labels = np.arange(n)
    for items in _components(n, left, right, scores, threshold):
        rows, columns = np.triu_indices(len(items), 1)
        groups = _cut_tree(score_pairs(items[rows], items[columns]), threshold)
        first = np.full(groups.max() + 1, n)
        np.minimum.at(first, groups, items)
        labels[items] = first[groups]
    return labels


def _components(n: int, left: Array, right: Array, scores: Array, threshold: float) -> list[Array]:
    """Return the connected components of two to ``MAX_COMPONENT`` items, each in ascending order."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    is_edge = scores >= threshold
    left, right, scores = left[is_edge], right[is_edge], scores[is_edge]
    graph = coo_array((np.ones(len(left), bool), (left, right)), (n, n))
    labels = connected_components(graph, directed=False)[1]
    order = np.argsort(labels, kind="stable")
    components = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    parts = [items for items in components if 1 < len(items) <= MAX_COMPONENT]
    for items in components:
        if len(items) > MAX_COMPONENT:
            is_inside = labels[left] == labels[items[0]]
            inside = left[is_inside], right[is_inside], scores[is_inside]
            higher = float(np.median(inside[2])) if (inside[2] > threshold).any() else np.inf
            higher = max(higher, float(np.nextafter(threshold, np.inf)))
            if np.isfinite(higher):
                parts += _components(n, *inside, higher)
            else:
                parts += np.array_split(items, -(-len(items) // MAX_COMPONENT))
    return parts


def _cut_tree(scores: Array, threshold: float) -> Array:
    """Return group numbers from 0 by average linkage of condensed pair scores."""
    from scipy.cluster.hierarchy import fcluster, linkage

    highest = max(float(scores.max()), threshold)
    tree = linkage(highest - scores, method="average")
    return fcluster(tree, highest - threshold + 1e-12, criterion="distance") - 1
