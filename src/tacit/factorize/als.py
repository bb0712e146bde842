"""Weighted matrix factorization by alternating least squares, over one or several blocks of columns.

A half-sweep gives every row its best vector while the columns' vectors are fixed (see ``row_solver``); a
sweep is one half-sweep over X and one over X'. Memory: both factors, X and X'.

Rows are in groups, and each group has some of the blocks of columns. The columns of a block that a group
lacks do not count as missing: for these rows they do not exist. So each group has its own shared part of the
systems, the sum of the Gram matrices of the blocks that it has:

    A0 = w_m (sum of P_b'P_b over the blocks b of the group) + lambda I

With rows and columns swapped, each block has its own, over the groups that have the block. All vectors of a
side lie in one array, group after group, so that one solver serves any number of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import padded
from tacit.factorize.row_solver import Array, Rows, Side, solve_given

Callback = Callable[[int, float], bool | None]

BlockMatrix = Sequence[Sequence[Any]]
"""``X[g][b]`` is the CSR matrix of group g over block b, None where the group lacks the block."""


class FactorBlocks:
    """The vectors of several blocks in one array, each block padded to whole tiles.

    ``starts[i]`` is the first row of block i; ``sides[i]`` are its vectors.
    """

    def __init__(self, sizes: Sequence[int], n_components: int, dtype: Any) -> None:
        """Lay out zeros for blocks of these sizes."""
        self.starts = np.cumsum([0, *map(padded, sizes)]).tolist()
        self.rows: Array = np.zeros((self.starts[-1], padded(n_components)), dtype)
        self.sides = [Side(self.block(i), np.eye(self.rows.shape[1]), n) for i, n in enumerate(sizes)]

    @classmethod
    def from_vectors(cls, blocks: Sequence[Array]) -> FactorBlocks:
        """Copy the vectors of each block."""
        K = blocks[0].shape[1]
        factors = cls([len(vectors) for vectors in blocks], K, blocks[0].dtype)
        for number, vectors in enumerate(blocks):
            factors.block(number)[: len(vectors), :K] = vectors
        return factors

    def block(self, number: int) -> Array:
        """Return the rows of one block, a view."""
        return self.rows[self.starts[number] : self.starts[number + 1]]


def half_sweep(
    X: Rows,
    other: Side,
    Y: Array,
    missing_weight: float,
    regularization: float,
    n_threads: int,
) -> tuple[Side, float]:
    """The best vector of every row of X, given the columns' vectors, which are rebased on the way.

    Returns the rows' side, held in Y, and the loss at that point less the sum of the squares of X.
    """
    shared = other.gram(n_threads)
    options = (missing_weight, regularization, n_threads)
    side, explained = solve_given(X, [(0, other)], shared, other.rows, Y, *options)
    return side, regularization * float(np.trace(shared)) - explained


def half_sweep_blocks(
    matrices: Sequence[Rows],
    columns: FactorBlocks,
    rows: FactorBlocks,
    has_block: NDArray[np.bool_],
    missing_weight: float,
    regularization: float,
    n_threads: int,
) -> float:
    """Compute the best vectors of the rows of every matrix; return the loss less the sum of squares of X.

    ``has_block[i, j]`` says whether the rows of matrix i have the columns of block j.
    """
    grams = [side.gram(n_threads) for side in columns.sides]
    loss = regularization * float(sum(np.trace(gram) for gram in grams))
    for i, matrix in enumerate(matrices):
        blocks = np.flatnonzero(has_block[i]).tolist()
        shared = sum((grams[j] for j in blocks), np.zeros_like(grams[0]))
        options = (missing_weight, regularization, n_threads)
        sides = [(columns.starts[j], columns.sides[j]) for j in blocks]
        rows.sides[i], explained = solve_given(matrix, sides, shared, columns.rows, rows.block(i), *options)
        loss -= explained
    return loss


def factorize(
    X: BlockMatrix,
    P: Sequence[Array],
    *,
    missing_weight: float,
    regularization: float,
    n_iter: int,
    tol: float = 0.0,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> tuple[list[Array], list[float]]:
    """Improve the columns' vectors P of every block by up to ``n_iter`` sweeps.

    Returns them and the loss after each sweep; ``run_sweeps`` says when the sweeps end.

    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.eye(3, dtype=np.float32))
    >>> start = [np.ones((3, 1), np.float32), np.ones((3, 1), np.float32)]
    >>> options = {"missing_weight": 0.1, "regularization": 0.1, "n_iter": 2}
    >>> P, losses = factorize([[X, X], [X, None]], start, **options)
    >>> [vectors.shape for vectors in P], losses[1] <= losses[0]
    ([(3, 1), (3, 1)], True)
    """
    K, dtype = P[0].shape[1], P[0].dtype
    columns = FactorBlocks.from_vectors(P)
    rows = FactorBlocks([next(m.shape[0] for m in group if m is not None) for group in X], K, dtype)
    has_block = np.array([[matrix is not None for matrix in group] for group in X])
    by_rows = [Rows.of(concat_blocks(group, columns.starts), dtype) for group in X]
    transposed = [[None if m is None else m.T for m in block] for block in zip(*X, strict=True)]
    by_columns = [Rows.of(concat_blocks(block, rows.starts), dtype) for block in transposed]
    squares = float(sum(np.sum(np.square(matrix.data, dtype=np.float64)) for matrix in by_rows))
    options = (missing_weight, regularization, n_threads)

    def sweep() -> float:
        half_sweep_blocks(by_rows, columns, rows, has_block, *options)
        return squares + half_sweep_blocks(by_columns, rows, columns, has_block.T, *options)

    losses = run_sweeps(sweep, n_iter, tol, callback)
    return [side.vectors(K, n_threads) for side in columns.sides], losses


def run_sweeps(
    sweep: Callable[[], float],
    n_iter: int,
    tol: float,
    callback: Callback | None,
    losses: list[float] | None = None,
) -> list[float]:
    """Run sweeps, each of which returns the loss, and return all losses.

    ``losses`` are those of earlier sweeps, to which new ones are appended. The sweeps end when there are
    ``n_iter`` losses, when the last sweep lowered the loss by less than ``tol`` of it, or when
    ``callback(number, loss)`` returns True.

    >>> run_sweeps(iter([8.0, 4.0, 3.9, 3.8]).__next__, 10, 0.1, None)
    [8.0, 4.0, 3.9]
    >>> run_sweeps(iter([3.8]).__next__, 10, 0.1, None, [4.0, 3.9])
    [4.0, 3.9]
    """
    losses = [] if losses is None else losses
    while len(losses) < n_iter:
        if len(losses) > 1 and losses[-2] - losses[-1] < tol * losses[-2]:
            break
        losses.append(sweep())
        if callback is not None and callback(len(losses), losses[-1]):
            break
    return losses


def concat_blocks(matrices: Sequence[Any], starts: Sequence[int]) -> Any:
    """Put sparse matrices with the same rows side by side, matrix i from column ``starts[i]`` on.

    None stands for a matrix without non-zeros.
    """
    from scipy.sparse import csr_array, hstack

    n = next(matrix.shape[0] for matrix in matrices if matrix is not None)
    parts = []
    for matrix, width in zip(matrices, np.diff(starts).tolist(), strict=True):
        if matrix is None:
            parts.append(csr_array((n, width), dtype=np.float32))
        else:
            csr = csr_array(matrix)
            parts.append(csr_array((csr.data, csr.indices, csr.indptr), (n, width)))
    whole = parts[0] if len(parts) == 1 else hstack(parts, format="csr")
    whole.sort_indices()
    return whole
