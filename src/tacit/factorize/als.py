"""Weighted matrix factorization by alternating least squares, over one or several blocks of columns.

A half-sweep computes the best vector of every row while the columns' vectors are fixed (see
``row_solver``); a sweep is one half-sweep over X and one over X'. Memory: both factors, X and X'.

Rows are in groups, and each group has some of the blocks of columns. The columns of a block that a group
lacks do not count as missing: for these rows they do not exist. So each group has its own shared part of
the systems, the sum of the Gram matrices of the blocks that it has:

    A0 = w_m (sum of P_b'P_b over the blocks b of the group) + lambda I

With rows and columns swapped, each block has its own, over the groups that have the block. All vectors of
rows (or of columns) are in one array, group after group, so that one solver serves any number of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.csr import CSRArrays
from tacit.compute.tiles import round_up_to_tile
from tacit.factorize.row_solver import Factors, solve_rows
from tacit.factorize.shared_factor import check_solvable, factor_shared_matrix
from tacit.types import Array

SweepCallback = Callable[[int, float], bool | None]
"""A function that is called with the number of a sweep, from 1, and its loss; True stops the training."""

BlockMatrix = Sequence[Sequence[Any]]
"""``X[g][b]`` is the CSR matrix of group g over block b, None where the group lacks the block."""


class FactorBlocks:
    """The vectors of several blocks in one array, each block padded to whole tiles.

    ``first_rows[i]`` is the first row of block i; ``factors[i]`` are its vectors.
    """

    def __init__(self, sizes: Sequence[int], n_components: int, dtype: Any) -> None:
        """Allocate zeros for blocks of these sizes."""
        self.first_rows = np.cumsum([0, *map(round_up_to_tile, sizes)]).tolist()
        self.coordinates: Array = np.zeros((self.first_rows[-1], round_up_to_tile(n_components)), dtype)
        identity = np.eye(self.coordinates.shape[1])
        self.factors = [Factors(self.block(i), identity, n) for i, n in enumerate(sizes)]

    @classmethod
    def from_vectors(cls, blocks: Sequence[Array]) -> Self:
        """Copy the vectors of each block."""
        K = blocks[0].shape[1]
        factors = cls([len(vectors) for vectors in blocks], K, blocks[0].dtype)
        for number, vectors in enumerate(blocks):
            factors.block(number)[: len(vectors), :K] = vectors
        return factors

    def block(self, number: int) -> Array:
        """Return the coordinates of one block, a view."""
        return self.coordinates[self.first_rows[number] : self.first_rows[number + 1]]

    def to_float64(self) -> FactorBlocks:
        """Return a copy in float64."""
        sizes = [factors.n_rows for factors in self.factors]
        copy = FactorBlocks(sizes, self.coordinates.shape[1], np.float64)
        copy.coordinates[:] = self.coordinates
        copy.factors = [replace(f, coordinates=copy.block(i)) for i, f in enumerate(self.factors)]
        return copy


def half_sweep(
    matrices: Sequence[CSRArrays], columns: FactorBlocks, rows: FactorBlocks, has_block: NDArray[np.bool_],
    missing_weight: float, regularization: float, n_threads: int,
) -> float:  # fmt: skip
    """Compute the best vectors of the rows of every matrix; return the loss less the sum of squares of X.

    ``has_block[i, j]`` says whether the rows of matrix i have the columns of block j; these are whitened in
    place. Where float32 is not precise enough, copies in float64 are used, and the result is rounded.
    """
    grams = [factors.gram(n_threads) for factors in columns.factors]
    loss = regularization * float(sum(np.trace(gram) for gram in grams))
    for i, X in enumerate(matrices):
        blocks = np.flatnonzero(has_block[i]).tolist()
        Y, own_columns = rows.block(i), columns
        gram = sum((grams[j] for j in blocks), np.zeros_like(grams[0]))
        factor = factor_shared_matrix(gram, missing_weight, regularization)
        if Y.dtype == np.float32 and not factor.is_float32_safe:
            X, own_columns = replace(X, data=X.data.astype(np.float64)), columns.to_float64()
            Y = np.zeros(Y.shape)
            gram = sum((own_columns.factors[j].gram(n_threads) for j in blocks), np.zeros_like(gram))
            factor = factor_shared_matrix(gram, missing_weight, regularization)
        check_solvable(factor, missing_weight, regularization)
        for j in blocks:
            own_columns.factors[j].whiten(factor, n_threads)
        loss -= solve_rows(X, factor, own_columns.coordinates, missing_weight, Y, n_threads)
        solved = Factors(Y, factor.inverse, X.shape[0])
        if own_columns is not columns:
            solved.change_basis(solved.basis, np.eye(len(solved.basis)), n_threads)
            rows.block(i)[:] = solved.coordinates
        rows.factors[i] = replace(solved, coordinates=rows.block(i))
    return loss


def factorize(
    X: BlockMatrix, P: Sequence[Array], *, missing_weight: float, regularization: float, n_iter: int,
    tol: float = 0.0, n_threads: int = 1, callback: SweepCallback | None = None,
) -> tuple[list[Array], list[float]]:  # fmt: skip
    """Improve the columns' vectors P of every block by up to ``n_iter`` sweeps.

    Returns the vectors and the loss after each sweep; see ``run_sweeps`` for ``tol`` and ``callback``.

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
    by_rows = [CSRArrays.from_scipy(concat_blocks(group, columns.first_rows), dtype) for group in X]
    transposed = [[None if m is None else m.T for m in block] for block in zip(*X, strict=True)]
    by_columns = [CSRArrays.from_scipy(concat_blocks(block, rows.first_rows), dtype) for block in transposed]
    squared_norm = float(sum(np.sum(np.square(matrix.data, dtype=np.float64)) for matrix in by_rows))
    options = (missing_weight, regularization, n_threads)

    def sweep() -> float:
        half_sweep(by_rows, columns, rows, has_block, *options)
        return squared_norm + half_sweep(by_columns, rows, columns, has_block.T, *options)

    losses = run_sweeps(sweep, n_iter, tol, callback)
    return [factors.to_vectors(K, n_threads) for factors in columns.factors], losses


def run_sweeps(
    sweep: Callable[[], float], n_iter: int, tol: float, callback: SweepCallback | None,
    losses: list[float] | None = None,
) -> list[float]:  # fmt: skip
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


def concat_blocks(matrices: Sequence[Any], first_columns: Sequence[int]) -> Any:
    """Concatenate sparse matrices with the same rows; matrix i starts at column ``first_columns[i]``.

    None stands for a matrix without non-zeros. ``first_columns`` ends with the total number of columns.
    """
    from scipy.sparse import csr_array, hstack

    n = next(matrix.shape[0] for matrix in matrices if matrix is not None)
    padded = []
    for matrix, width in zip(matrices, np.diff(first_columns).tolist(), strict=True):
        block = csr_array((n, width), dtype=np.float32) if matrix is None else csr_array(matrix)
        block.resize(n, width)
        padded.append(block)
    result = padded[0] if len(padded) == 1 else hstack(padded, format="csr")
    result.sort_indices()
    return result
