"""Pairs of close vectors among millions: each text is compared with those that share a cell with it.

Cells are the texts nearest to each of some centres (k-means of a sample); a text is in the few cells whose
centres are nearest to it. A close pair that shares no cell is missed, so how many are is measured on these
very texts: the pairs of a sample, found by looking at every text, tell which share share a cell.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.kmeans import spherical_kmeans
from tacit.compute.nearest import nearest
from tacit.compute.threads import run
from tacit.compute.tiles import jit

Array = NDArray[Any]

MOST_CELLS = 4096
TEXTS_OF_CELL = 2000
FEWEST, MOST = 2, 8
"""Centres: one for so many texts, up to so many; and in how many cells a text is."""

ENOUGH = 0.99
"""The share of the sample's pairs that shall share a cell: more cells are not asked for then."""

SAMPLE_OF_CELL = 50
SAMPLE = 2000
"""Texts for each centre that k-means sees; texts whose pairs are all looked for."""

BLOCK = 1 << 16


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts by their numbers, wherever they are kept: n of them, and what gives some."""

    n: int
    taken: Callable[[Array], Array]


@dataclass(frozen=True)
class Cells:
    """The cells of each text, nearest first, and the texts of each cell; ``share`` is what was measured.

    ``pairs`` is the number of pairs that the share is of.
    """

    of_text: Array
    starts: Array
    texts: Array
    share: float
    pairs: int

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts) - 1

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all pairs lies, with a certainty of 95 % (Wilson 1927)."""
        n, p, z = max(self.pairs, 1), self.share, 1.96
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    def first_shared(self, left: Array, right: Array, cell: int) -> Array:
        """Whether a cell is the first, by number, that the texts of each pair share: so none comes twice."""
        found: Array = first_is(self.of_text, left, right, cell)
        return found


def make_cells(
    vectors: Vectors, least: float, n_threads: int, told: Callable[[int, int], None] = lambda a, b: None
) -> Cells:
    """Cells of texts whose pairs from a cosine on are wanted."""
    rng = np.random.default_rng(0)
    count = int(min(MOST_CELLS, max(vectors.n // TEXTS_OF_CELL, 2)))
    drawn = np.sort(rng.choice(vectors.n, min(vectors.n, SAMPLE_OF_CELL * count), replace=False))
    _, _, centres = spherical_kmeans(vectors.taken(drawn), count, n_iter=8, n_runs=1, spread=False,
                                     n_threads=n_threads)  # fmt: skip
    sample = np.sort(rng.choice(vectors.n, min(vectors.n, SAMPLE), replace=False))
    pairs = _close(vectors, sample, least, n_threads, told)
    width, share = _wide_enough(vectors, centres, pairs, n_threads)
    of_text = np.empty((vectors.n, width), np.int32)
    for at in range(0, vectors.n, BLOCK):
        rows = np.arange(at, min(at + BLOCK, vectors.n))
        of_text[rows] = nearest(centres, vectors.taken(rows), width, n_threads=n_threads)[1]
        told(vectors.n + int(rows[-1]) + 1, 2 * vectors.n)
    starts, texts = gathered(of_text, count)
    return Cells(of_text, starts, texts, share, len(pairs))


def _close(
    vectors: Vectors, sample: Array, least: float, n_threads: int, told: Callable[[int, int], None]
) -> Array:
    """Every pair of a sampled text and another from a cosine on, up to a hundred of a text."""
    asked = vectors.taken(sample)
    lock, found = threading.Lock(), []
    done = 0

    def work(at: int) -> None:
        nonlocal done
        rows = np.arange(at, min(at + BLOCK, vectors.n))
        scores, near = nearest(vectors.taken(rows), asked, min(100, len(rows)), n_threads=1)
        left, place = np.nonzero(scores >= least)
        right = rows[near[left, place]]
        other = right != sample[left]
        with lock:
            found.append(np.stack([sample[left[other]], right[other]], axis=1))
            done += len(rows)
            told(done, 2 * vectors.n)

    run(work, list(range(0, vectors.n, BLOCK)), n_threads)
    return np.concatenate(found)


def _wide_enough(vectors: Vectors, centres: Array, pairs: Array, n_threads: int) -> tuple[int, float]:
    """In how many cells a text shall be, and the share of the sample's pairs that share one then."""
    most = min(MOST, len(centres))
    if not len(pairs):
        return min(FEWEST, most), 1.0
    distinct, places = np.unique(pairs, return_inverse=True)
    own = nearest(centres, vectors.taken(distinct), most, n_threads=n_threads)[1]
    left, right = own[places.reshape(pairs.shape)].transpose(1, 0, 2)
    width, share = FEWEST, 0.0
    for width in range(min(FEWEST, most), most + 1, 2):
        same = (left[:, :width, None] == right[:, None, :width]).any(axis=(1, 2))
        share = float(same.mean())
        if share >= ENOUGH:
            break
    return width, share


@jit
def gathered(of_text, n_cells):  # type: ignore[no-untyped-def]
    """Where the texts of each cell start, and the texts, in order."""
    starts = np.zeros(n_cells + 1, np.int64)
    for i in range(of_text.shape[0]):
        for k in range(of_text.shape[1]):
            starts[of_text[i, k] + 1] += 1
    for cell in range(n_cells):
        starts[cell + 1] += starts[cell]
    filled = starts[:-1].copy()
    texts = np.empty(of_text.size, np.int32)
    for i in range(of_text.shape[0]):
        for k in range(of_text.shape[1]):
            texts[filled[of_text[i, k]]] = i
            filled[of_text[i, k]] += 1
    return starts, texts


@jit
def first_is(of_text, left, right, cell):  # type: ignore[no-untyped-def]
    """Whether no smaller cell than this one has both texts of a pair."""
    found = np.ones(len(left), np.bool_)
    for pair in range(len(left)):
        for i in range(of_text.shape[1]):
            own = of_text[left[pair], i]
            if own < cell:
                for j in range(of_text.shape[1]):
                    if of_text[right[pair], j] == own:
                        found[pair] = False
    return found
