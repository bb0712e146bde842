"""Reduce the pairs of vectors that a similarity join compares: k-means cells and projected vectors.

Each text is in the few cells whose centers (k-means of a sample) are nearest to it. A join within the cells
misses close pairs that share no cell. The recall is the share of close pairs that share a cell; it is
estimated on a sample of texts that are compared with all texts.

A projection loses no pair. On their principal axes, vectors have most of their length in the first m
components. For the others, the Cauchy-Schwarz inequality bounds the product by the product of the lengths:

    x . y <= x_m . y_m + |x_rest| |y_rest|

The bound is itself an inner product, of the vectors (x_m, |x_rest|). So every pair that reaches a threshold
also reaches it with the projected vectors; pairs that do are then compared by their full vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacit.compute.kmeans import spherical_kmeans
from tacit.compute.nearest import find_nearest
from tacit.compute.threads import one_blas_thread, run_blocks, split_range
from tacit.factorize.row_solver import gram_matrix
from tacit.types import Array, ProgressCounter

MAX_CELLS, TEXTS_PER_CELL = 4096, 2000
"""Maximum number of cells, and the number of texts for each cell below this maximum."""

MIN_CELLS_PER_TEXT, MAX_CELLS_PER_TEXT = 2, 8
TARGET_RECALL = 0.99
"""A text is in as many cells, within these limits, as the estimated recall needs to reach its target."""

KMEANS_SAMPLE_PER_CELL = 50
"""Texts per cell in the sample for k-means."""

RECALL_SAMPLE = 2000
"""Texts in the sample for the recall."""

MAX_NEIGHBORS = 100
"""Close texts that are counted for each text of that sample."""

ROUNDING = 1e-5
"""Rounding error allowed for in comparisons of cosines."""

MAX_PASS_RATE = 0.001
"""Share of random pairs that may pass by the projected vectors: few enough to compare in full."""

_COMPONENT_STEP = 8  # numbers of components that are tried differ by this
_PAIR_SAMPLE = 512  # texts on each side of the random pairs
_PROJECT_BATCH = 8192  # vectors that are projected together

BLOCK_ROWS = 1 << 16
"""Texts whose vectors are loaded together."""


@dataclass(frozen=True)
class VectorSource:
    """The vectors of n texts, which ``take`` loads by their numbers."""

    n: int
    take: Callable[[Array], Array]

    def blocks(self) -> list[Array]:
        """Return the numbers of all texts in blocks of `BLOCK_ROWS`, at least one block."""
        return [np.arange(*block) for block in split_range(self.n, BLOCK_ROWS) or [(0, 0)]]


@dataclass(frozen=True)
class Cells:
    """The cells of each text, nearest first, and the texts of each cell.

    Cell c has ``texts[starts[c] : starts[c + 1]]``. ``recall`` was estimated from ``n_sampled_pairs`` pairs.
    """

    cells_of_text: Array
    starts: Array
    texts: Array
    recall: float
    n_sampled_pairs: int

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.starts) - 1

    @property
    def recall_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the recall (Wilson 1927)."""
        n, p, z = max(self.n_sampled_pairs, 1), self.recall, 1.96
        center = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(center - half, 0.0), min(center + half, 1.0)

    def is_first_shared(self, left: Array, right: Array, cell: int) -> Array:
        """Return for each pair whether no smaller cell has both texts, so that a pair is compared once."""
        smaller = np.where(self.cells_of_text[left] < cell, self.cells_of_text[left], -1)
        return ~_share_cell(smaller, self.cells_of_text[right])


def assign_cells(
    vectors: VectorSource, min_cosine: float, n_threads: int, progress: ProgressCounter
) -> Cells:
    """Assign texts to cells for a join of the pairs with a cosine of at least ``min_cosine``.

    ``progress`` advances by the number of texts twice: for the sample of pairs and for the assignment.
    """
    rng = np.random.default_rng(0)
    n_cells = int(min(MAX_CELLS, max(vectors.n // TEXTS_PER_CELL, 2)))
    sample_size = min(vectors.n, KMEANS_SAMPLE_PER_CELL * n_cells)
    sample = vectors.take(np.sort(rng.choice(vectors.n, sample_size, replace=False)))
    centers = spherical_kmeans(sample, n_cells, n_iter=8, n_init=1, init="random", n_threads=n_threads)[2]
    texts = np.sort(rng.choice(vectors.n, min(vectors.n, RECALL_SAMPLE), replace=False))
    pairs = sample_close_pairs(vectors, texts, min_cosine, n_threads, progress)
    width, recall = choose_cells_per_text(vectors, centers, pairs, n_threads)
    cells_of_text = np.empty((vectors.n, width), np.int32)
    for rows in vectors.blocks():
        cells_of_text[rows] = find_nearest(centers, vectors.take(rows), width, n_threads=n_threads)[1]
        progress.advance(len(rows))
    starts = np.concatenate([[0], np.cumsum(np.bincount(cells_of_text.ravel(), minlength=n_cells))])
    texts_of_cell = (np.argsort(cells_of_text, axis=None, kind="stable") // width).astype(np.int32)
    return Cells(cells_of_text, starts, texts_of_cell, recall, len(pairs))


def sample_close_pairs(
    vectors: VectorSource, sample: Array, min_cosine: float, n_threads: int, progress: ProgressCounter
) -> Array:
    """Return all pairs of a sampled text and any text with a cosine of at least ``min_cosine``.

    In each block of rows, at most `MAX_NEIGHBORS` texts are counted for a sampled text.
    """
    queries = vectors.take(sample)

    def search_block(rows: Array) -> Array:
        k = min(MAX_NEIGHBORS, len(rows))
        scores, neighbors = find_nearest(vectors.take(rows), queries, k, n_threads=1)
        left, position = np.nonzero(scores >= min_cosine)
        right = rows[neighbors[left, position]]
        is_other = right != sample[left]
        progress.advance(len(rows))
        return np.stack([sample[left[is_other]], right[is_other]], axis=1)

    return np.concatenate(run_blocks(search_block, vectors.blocks(), n_threads))


def choose_cells_per_text(
    vectors: VectorSource, centers: Array, pairs: Array, n_threads: int
) -> tuple[int, float]:
    """Return the number of cells per text that reaches `TARGET_RECALL`, and the recall of the pairs."""
    max_cells = min(MAX_CELLS_PER_TEXT, len(centers))
    if not len(pairs):
        return min(MIN_CELLS_PER_TEXT, max_cells), 1.0
    distinct, positions = np.unique(pairs, return_inverse=True)
    cells = find_nearest(centers, vectors.take(distinct), max_cells, n_threads=n_threads)[1]
    left, right = cells[positions.reshape(pairs.shape)].transpose(1, 0, 2)
    for width in range(min(MIN_CELLS_PER_TEXT, max_cells), max_cells + 1, 2):
        recall = float(_share_cell(left[:, :width], right[:, :width]).mean())
        if recall >= TARGET_RECALL:
            break
    return width, recall


def _share_cell(left: Array, right: Array) -> Array:
    """Return for each pair of texts whether a cell of the left one is a cell of the right one."""
    return np.asarray((left[:, :, None] == right[:, None, :]).any(axis=(1, 2)))


@dataclass(frozen=True)
class Projection:
    """Rotates vectors to ``axes`` and keeps ``n_kept`` components and the length of the rest.

    Without axes, vectors stay as they are. The product of projected vectors is at least that of the full
    vectors, up to `ROUNDING`.

    >>> vectors = VectorSource(64, lambda rows: np.eye(64, dtype=np.float32)[rows])
    >>> projected = Projection.fit(vectors, 0.5).transform_all(vectors)
    >>> bool((projected @ projected.T >= np.eye(64) - ROUNDING).all())
    True
    """

    axes: Array | None
    n_kept: int

    @classmethod
    def fit(cls, vectors: VectorSource, min_product: float) -> Projection:
        """Choose the smallest number of components that separates pairs with at least ``min_product``."""
        if vectors.n < 2 * _PAIR_SAMPLE:
            return cls(None, 0)
        rng = np.random.default_rng(0)
        with one_blas_thread():
            sample = np.sort(rng.choice(vectors.n, min(vectors.n, BLOCK_ROWS), replace=False))
            axes = np.linalg.eigh(gram_matrix(vectors.take(sample)))[1][:, ::-1].astype(np.float32)
            pair_sample = np.sort(rng.choice(vectors.n, 2 * _PAIR_SAMPLE, replace=False))
            rotated = vectors.take(pair_sample) @ axes
            for n_kept in range(_COMPONENT_STEP, rotated.shape[1] - _COMPONENT_STEP, _COMPONENT_STEP):
                short = _truncate(rotated, n_kept)
                if (short[:_PAIR_SAMPLE] @ short[_PAIR_SAMPLE:].T >= min_product).mean() <= MAX_PASS_RATE:
                    return cls(np.ascontiguousarray(axes), n_kept)
        return cls(None, 0)

    def transform(self, vectors: Array) -> Array:
        """Project vectors."""
        if self.axes is None:
            return vectors
        with one_blas_thread():
            blocks = split_range(max(len(vectors), 1), _PROJECT_BATCH)
            return np.concatenate([_truncate(vectors[a:b] @ self.axes, self.n_kept) for a, b in blocks])

    def transform_all(self, vectors: VectorSource) -> Array:
        """Project all vectors of a source."""
        return np.concatenate([self.transform(vectors.take(rows)) for rows in vectors.blocks()])


def _truncate(rotated: Array, n_kept: int) -> Array:
    """Keep the first components and the length of the rest."""
    rest = np.sqrt(np.einsum("ij,ij->i", rotated[:, n_kept:], rotated[:, n_kept:]))
    return np.concatenate([rotated[:, :n_kept], rest[:, None]], axis=1)
