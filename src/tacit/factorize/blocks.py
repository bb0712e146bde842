"""The same factorization over blocks: groups of rows, of which each has some of the blocks of columns.

A row that lacks a block leaves it unweighted: its columns are not missing there, they do not exist. So the
part of the system that rows share is one for each group, the sum of the Grams of the blocks it has:

    A0 = w_m (sum of P_b'P_b over the blocks b of the group) + lambda I

and, with rows and columns swapped, one for each block, over the groups that have it. All vectors of a side
lie in one array, group after group, so that the solver of ``als`` serves unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import padded
from tacit.factorize.als import Array, Callback, Rows, Side, solve_given

Blocks = Sequence[Sequence[Any]]
"""``X[g][b]`` is the CSR matrix of group g over block b, None where the group lacks the block."""


class Segments:
    """Several sides in one array, each padded to whole tiles; ``starts`` tells where each begins."""

    def __init__(self, sizes: Sequence[int], n_components: int, dtype: Any) -> None:
        """Lay out zeros."""
        lengths = [padded(n) for n in sizes]
        self.sizes = list(sizes)
        self.starts = np.cumsum([0, *lengths]).tolist()
        self.rows: Array = np.zeros((self.starts[-1], padded(n_components)), dtype)
        self.sides = [Side(self.part(i), np.eye(self.rows.shape[1]), n) for i, n in enumerate(sizes)]

    def part(self, number: int) -> Array:
        """The rows of one side, a view."""
        return self.rows[self.starts[number] : self.starts[number + 1]]


def half_sweep_blocks(
    matrices: Sequence[Rows],
    others: Segments,
    mine: Segments,
    present: NDArray[np.bool_],
    missing_weight: float,
    regularization: float,
    n_threads: int,
) -> float:
    """The best vectors of every row of every matrix; returns the loss less the sum of squares.

    ``present[i, j]`` says whether the rows of matrix i have the columns of part j of ``others``.
    """
    grams = [side.gram(n_threads) for side in others.sides]
    rest = regularization * float(sum(np.trace(gram) for gram in grams))
    for i, matrix in enumerate(matrices):
        seen = np.flatnonzero(present[i]).tolist()
        shared = sum((grams[j] for j in seen), np.zeros_like(grams[0]))
        options = (missing_weight, regularization, n_threads)
        sides = [(others.starts[j], others.sides[j]) for j in seen]
        mine.sides[i], explained = solve_given(matrix, sides, shared, others.rows, mine.part(i), *options)
        rest -= explained
    return rest


def factorize_blocks(
    X: Blocks,
    P: Sequence[Array],
    *,
    missing_weight: float,
    regularization: float,
    n_iter: int,
    tol: float = 0.0,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> tuple[list[Array], list[float]]:
    """Improve the vectors P of every block's columns, as ``als.factorize`` does for one block.

    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.eye(3, dtype=np.float32))
    >>> start = [np.ones((3, 1), np.float32), np.ones((3, 1), np.float32)]
    >>> options = {"missing_weight": 0.1, "regularization": 0.1, "n_iter": 2}
    >>> P, losses = factorize_blocks([[X, X], [X, None]], start, **options)
    >>> [vectors.shape for vectors in P], losses[1] <= losses[0]
    ([(3, 1), (3, 1)], True)
    """
    K, dtype = P[0].shape[1], P[0].dtype
    columns = Segments([len(vectors) for vectors in P], K, dtype)
    for number, vectors in enumerate(P):
        columns.part(number)[: len(vectors), :K] = vectors
    texts = Segments([next(m.shape[0] for m in group if m is not None) for group in X], K, dtype)
    present = np.array([[matrix is not None for matrix in group] for group in X])
    down = [Rows.of(_beside(group, columns), dtype) for group in X]
    across = [Rows.of(_below([group[b] for group in X], texts), dtype) for b in range(len(P))]
    squares = float(sum(np.sum(np.square(rows.data, dtype=np.float64)) for rows in down))
    options = (missing_weight, regularization, n_threads)
    losses: list[float] = []
    for sweep in range(1, n_iter + 1):
        half_sweep_blocks(down, columns, texts, present, *options)
        losses.append(squares + half_sweep_blocks(across, texts, columns, present.T, *options))
        stop = callback is not None and callback(sweep, losses[-1])
        if stop or (len(losses) > 1 and losses[-2] - losses[-1] < tol * losses[-2]):
            break
    return [side.vectors(K, n_threads) for side in columns.sides], losses


def _beside(group: Sequence[Any], columns: Segments) -> Any:
    """The blocks of a group side by side, each where its columns begin."""
    n = next(matrix.shape[0] for matrix in group if matrix is not None)
    width = np.diff(columns.starts).tolist()
    parts = [_widened(m, n, w) for m, w in zip(group, width, strict=True)]
    return _stacked(parts)


def _below(blocks: Sequence[Any], texts: Segments) -> Any:
    """The transposes of one block's matrices side by side, each where its group's texts begin."""
    n = next(matrix.shape[1] for matrix in blocks if matrix is not None)
    width = np.diff(texts.starts).tolist()
    parts = [_widened(None if m is None else m.T, n, w) for m, w in zip(blocks, width, strict=True)]
    return _stacked(parts)


def _widened(matrix: Any, n: int, width: int) -> Any:
    from scipy.sparse import csr_array

    if matrix is None:
        return csr_array((n, width), dtype=np.float32)
    matrix = csr_array(matrix)
    return csr_array((matrix.data, matrix.indices, matrix.indptr), (n, width))


def _stacked(parts: list[Any]) -> Any:
    from scipy.sparse import hstack

    whole = parts[0] if len(parts) == 1 else hstack(parts, format="csr")
    whole.sort_indices()
    return whole
