"""Exact vectors for the rows of a sparse matrix, given the vectors of its columns.

This is one half of a sweep of alternating least squares (see ``als``), and also how a new text gets its
vector. The usual way solves one K x K system for each row. Here the part of the system that all rows share is
factored once (see ``short_rows``), so that a row with n non-zeros costs O(n^2 K).

Between two half-sweeps the vectors stay in whitened coordinates, ``vectors = coordinates @ basis``. The next
half-sweep multiplies them by another K x K matrix, in place: one large product for each half-sweep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tacit.compute.csr import CSRArrays
from tacit.compute.threads import one_blas_thread, run_blocks, split_range
from tacit.compute.tiles import gram, multiply_in_place, round_up_to_tile
from tacit.errors import InputError
from tacit.factorize.long_rows import solve_long
from tacit.factorize.shared_factor import (
    SharedFactor,
    check_solvable,
    factor_shared_matrix,
    matmul_float64,
    solve_rows_by_svd,
)
from tacit.factorize.short_rows import solve_short
from tacit.types import Array

# Rows that a thread takes at a time; fixed, so that sums do not depend on the number of threads.
_BLOCK_ROWS = 4096


@dataclass
class Factors:
    """The vectors of all rows or of all columns: ``coordinates[:n_rows] @ basis``, padded to whole tiles."""

    coordinates: Array
    basis: Array
    n_rows: int

    @classmethod
    def from_vectors(cls, vectors: Array) -> Self:
        """Copy plain vectors; the basis is the identity."""
        n, K = vectors.shape
        coordinates = np.zeros((round_up_to_tile(n), round_up_to_tile(K)), vectors.dtype)
        coordinates[:n, :K] = vectors
        return cls(coordinates, np.eye(coordinates.shape[1]), n)

    def gram(self, n_threads: int) -> Array:
        """Return the Gram matrix of the vectors (V'V) in float64."""
        blocks = split_range(len(self.coordinates), _BLOCK_ROWS)
        parts = run_blocks(lambda b: gram(self.coordinates, *b), blocks, n_threads)
        basis = np.ascontiguousarray(self.basis)
        left = matmul_float64(np.ascontiguousarray(basis.T), sum(parts, np.zeros_like(basis)))
        return matmul_float64(left, basis)

    def change_basis(self, matrix: Array, basis: Array, n_threads: int) -> None:
        """Multiply the coordinates by ``matrix``, in place, and set the basis."""
        M = np.ascontiguousarray(matrix, self.coordinates.dtype)
        blocks = split_range(len(self.coordinates), _BLOCK_ROWS)
        run_blocks(lambda b: multiply_in_place(self.coordinates, M, *b), blocks, n_threads)
        self.basis = basis

    def whiten(self, factor: SharedFactor, n_threads: int) -> None:
        """Change to the coordinates in which L L' of ``factor`` is the identity."""
        matrix = matmul_float64(self.basis, np.ascontiguousarray(factor.inverse.T))
        self.change_basis(matrix, factor.L.T, n_threads)

    def to_vectors(self, n_components: int, n_threads: int) -> Array:
        """Return the plain vectors, n_rows x n_components. The coordinates are changed to these in place."""
        self.change_basis(self.basis, np.eye(len(self.basis)), n_threads)
        return np.ascontiguousarray(self.coordinates[: self.n_rows, :n_components])

    def astype(self, dtype: Any, n_threads: int) -> Factors:
        """Return the factors in another precision, with the identity as basis; unchanged if they have it."""
        if self.coordinates.dtype == dtype:
            return self
        return Factors.from_vectors(self.to_vectors(len(self.basis), n_threads).astype(dtype))


def solve_rows(
    X: CSRArrays, factor: SharedFactor, T: Array, missing_weight: float, Y: Array, n_threads: int
) -> float:
    """Write the best whitened vector of every row of X to Y; return the loss that they explain."""
    c = T.dtype.type(1 - missing_weight)
    lengths = np.diff(X.indptr)
    max_short_length = factor.max_short_length
    is_ill_conditioned = factor.find_ill_conditioned_rows(X, T)
    long = np.flatnonzero((lengths > max_short_length) & ~is_ill_conditioned)
    # The longest rows first, one at a time where they are very long: no thread waits at the end.
    long = long[np.argsort(-lengths[long], kind="stable")]
    edges = np.flatnonzero(np.diff(np.cumsum(lengths[long]) // (1 << 16), prepend=-1))

    def solve_block(block: tuple[bool, Array]) -> float:
        is_long, rows = block
        if is_long:
            return float(solve_long(X.indptr, X.indices, X.data, T, c, rows, Y))
        rows = rows[np.argsort(lengths[rows], kind="stable")]  # rows of the same length share a batch
        return float(solve_short(X.indptr, X.indices, X.data, T, c, rows, max_short_length, Y))

    blocks = [(True, rows) for rows in np.split(long, edges[1:]) if len(rows)]
    short = np.flatnonzero((lengths <= max_short_length) & ~is_ill_conditioned)
    blocks += [(False, short[first:last]) for first, last in split_range(len(short), _BLOCK_ROWS)]
    explained_loss = sum(run_blocks(solve_block, blocks, n_threads))
    if is_ill_conditioned.any():
        explained_loss += solve_rows_by_svd(X, T, c, np.flatnonzero(is_ill_conditioned), Y)
    if not np.isfinite(explained_loss):
        raise InputError(
            "the factorization lost numerical precision: raise regularization, or give the matrix as float64"
        )
    return explained_loss


@dataclass(frozen=True)
class WhitenedFactors:
    """The whitened vectors T of the columns and the factor that whitens: all that solving a row needs."""

    T: Array
    factor: SharedFactor
    missing_weight: float

    @property
    def c(self) -> Any:
        """1 - w_m, in T's precision."""
        return self.T.dtype.type(1 - self.missing_weight)

    def solve(self, X: CSRArrays, n_threads: int = 1) -> tuple[Factors, float]:
        """Return the vectors of the rows of X, in whitened coordinates, and the loss that they explain."""
        Y = np.zeros((round_up_to_tile(X.shape[0]), self.T.shape[1]), self.T.dtype)
        explained_loss = solve_rows(X, self.factor, self.T, self.missing_weight, Y, n_threads)
        return Factors(Y, self.factor.inverse, X.shape[0]), explained_loss


def whiten(
    columns: Factors, missing_weight: float, regularization: float, n_threads: int, *,
    gram: Array | None = None, diagonal: bool = False,
) -> tuple[WhitenedFactors, Array]:  # fmt: skip
    """Whiten the columns' vectors, in place: w_m P'P + lambda I becomes I; in float64 if necessary.

    ``gram`` replaces P'P where not all columns count as missing. With ``diagonal``, the axes are those in
    which P'P is diagonal. Returns the whitened vectors, and P'P in the precision that was used.
    """
    shared = columns.gram(n_threads) if gram is None else gram
    factor = factor_shared_matrix(shared, missing_weight, regularization)
    if columns.coordinates.dtype == np.float32 and not factor.is_float32_safe:
        columns.coordinates = columns.coordinates.astype(np.float64)
        shared = columns.gram(n_threads) if gram is None else gram
        factor = factor_shared_matrix(shared, missing_weight, regularization)
    check_solvable(factor, missing_weight, regularization)
    if diagonal:
        factor = diagonalize(factor)
    columns.whiten(factor, n_threads)
    return WhitenedFactors(columns.coordinates, factor, missing_weight), shared


def diagonalize(factor: SharedFactor) -> SharedFactor:
    """Rotate a factor so that L := U sqrt(E), where L L' = U E U'.

    >>> factor = diagonalize(factor_shared_matrix(np.array([[2.0, 1.0], [1.0, 2.0]]), 1.0, 0.0))
    >>> (factor.L @ factor.L.T).round(12), bool(np.allclose(factor.inverse @ factor.L, np.eye(2)))
    (array([[2., 1.],
           [1., 2.]]), True)
    """
    with one_blas_thread():
        E, U = np.linalg.eigh(matmul_float64(factor.L, np.ascontiguousarray(factor.L.T)))
    roots = np.sqrt(E)
    return replace(factor, L=U * roots, inverse=np.ascontiguousarray((U / roots).T))


class FoldIn:
    """Computes vectors of new rows in closed form, while the columns' vectors P stay fixed.

    ``gram`` is P'P over the columns that count as missing where a row lacks them, by default all of P.

    >>> fold_in = FoldIn(np.eye(2, dtype=np.float32), missing_weight=1.0, regularization=1.0)
    >>> from scipy.sparse import csr_array
    >>> fold_in(csr_array(np.array([[4.0, 0.0], [0.0, 0.0]], dtype=np.float32))).round(3)
    array([[2., 0.],
           [0., 0.]], dtype=float32)
    """

    def __init__(
        self, P: Array, missing_weight: float, regularization: float, n_threads: int = 1,
        gram: Array | None = None,
    ) -> None:  # fmt: skip
        """Whiten P once, for all rows to come."""
        self.n_components, self.dtype, self.n_threads = P.shape[1], P.dtype, n_threads
        columns = Factors.from_vectors(P)
        if gram is not None:
            gram = np.pad(gram, (0, columns.coordinates.shape[1] - self.n_components))
        self.whitened, _ = whiten(columns, missing_weight, regularization, n_threads, gram=gram)

    def __call__(self, X: Any) -> Array:
        """Return the vector of each row of a CSR matrix; a row without a known column gets zeros."""
        return self.factors(X).to_vectors(self.n_components, self.n_threads)

    def factors(self, X: Any) -> Factors:
        """Return the vectors of the rows as factors, for a half-sweep over the columns."""
        factors, _ = self.whitened.solve(CSRArrays.from_scipy(X, self.whitened.T.dtype), self.n_threads)
        return factors.astype(self.dtype, self.n_threads)


def gram_matrix(vectors: Array, n_threads: int = 1) -> Array:
    """Return the Gram matrix of vectors (V'V) in float64, with the same bits for any number of threads."""
    K = vectors.shape[1]
    return Factors.from_vectors(vectors).gram(n_threads)[:K, :K]
