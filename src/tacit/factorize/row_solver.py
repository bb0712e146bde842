"""Exact vectors for the rows of a sparse matrix, while the vectors of its columns are fixed.

This is one half of a sweep of alternating least squares (see ``als``), and also how a new text gets its
vector. The usual way solves one K x K system for each row. Here the part of the system that all rows share is
factored once (see ``short``), so that a row with n non-zeros costs O(n^2 K).

Between two half-sweeps the vectors stay in whitened coordinates, ``vectors = rows @ basis``. The next
half-sweep multiplies them by another K x K matrix, in place: one large product for each half-sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.compute.small import matmul
from tacit.compute.threads import ranges, run
from tacit.compute.tiles import gram, multiply_in_place, padded
from tacit.errors import InputError
from tacit.factorize.conditioning import SharedFactor, check_solvable, shared_factor, solve_hard
from tacit.factorize.long import solve_long
from tacit.factorize.short import solve_short

Array = NDArray[Any]

_ROWS = 4096  # rows a thread takes at a time; fixed, so that sums never depend on the number of threads


@dataclass(frozen=True)
class Rows:
    """A CSR matrix in the one choice of index types the kernels are compiled for."""

    indptr: Array
    indices: Array
    data: Array
    shape: tuple[int, int]

    @classmethod
    def of(cls, X: Any, dtype: Any) -> Rows:
        """View any CSR matrix whose columns are sorted and distinct within a row; X itself is left alone."""
        return cls(
            X.indptr.astype(np.int64, copy=False),
            X.indices.astype(np.int32, copy=False),
            X.data.astype(dtype, copy=False),
            tuple(X.shape),
        )


@dataclass
class Side:
    """The vectors of one side: ``rows[:n] @ basis``, padded with zeros to whole tiles."""

    rows: Array
    basis: Array
    n: int

    @classmethod
    def of(cls, vectors: Array) -> Side:
        """Wrap plain vectors (copied)."""
        n, K = vectors.shape
        rows = np.zeros((padded(n), padded(K)), vectors.dtype)
        rows[:n, :K] = vectors
        return cls(rows, np.eye(rows.shape[1]), n)

    def gram(self, n_threads: int) -> Array:
        """vectors' vectors, in float64."""
        parts = run(lambda b: gram(self.rows, *b), ranges(len(self.rows), _ROWS), n_threads)
        basis = np.ascontiguousarray(self.basis)
        total: Array = matmul(matmul(np.ascontiguousarray(basis.T), sum(parts, np.zeros_like(basis))), basis)
        return total

    def rebase(self, matrix: Array, basis: Array, n_threads: int) -> None:
        """Multiply the rows by ``matrix``, in place, after which ``basis`` leads back to the vectors."""
        M = np.ascontiguousarray(matrix, self.rows.dtype)
        run(lambda b: multiply_in_place(self.rows, M, *b), ranges(len(self.rows), _ROWS), n_threads)
        self.basis = basis

    def vectors(self, n_components: int, n_threads: int) -> Array:
        """The plain vectors, n x n_components."""
        self.rebase(self.basis, np.eye(len(self.basis)), n_threads)
        return np.ascontiguousarray(self.rows[: self.n, :n_components])


def solve_rows(
    X: Rows, factor: SharedFactor, T: Array, missing_weight: float, Y: Array, n_threads: int
) -> float:
    """Fill Y with the best whitened vector of every row of X; return the loss they explain."""
    c = T.dtype.type(1 - missing_weight)
    lengths = np.diff(X.indptr)
    limit = factor.most_short
    hard = factor.hard(X, T)
    long = np.flatnonzero((lengths > limit) & ~hard)
    # The longest rows first, one at a time where they are very long: no thread waits at the end.
    long = long[np.argsort(-lengths[long], kind="stable")]
    edges = np.flatnonzero(np.diff(np.cumsum(lengths[long]) // (1 << 16), prepend=-1))

    def work(block: tuple[bool, Array]) -> float:
        is_long, rows = block
        if is_long:
            return float(solve_long(X.indptr, X.indices, X.data, T, c, rows, Y))
        rows = rows[np.argsort(lengths[rows], kind="stable")]  # rows of one length share their lanes
        return float(solve_short(X.indptr, X.indices, X.data, T, c, rows, limit, Y))

    blocks = [(True, rows) for rows in np.split(long, edges[1:]) if len(rows)]
    short = np.flatnonzero((lengths <= limit) & ~hard)
    blocks += [(False, short[first:last]) for first, last in ranges(len(short), _ROWS)]
    explained = sum(run(work, blocks, n_threads))
    if hard.any():
        explained += solve_hard(X, T, c, np.flatnonzero(hard), Y)
    if not np.isfinite(explained):
        raise InputError(
            "the factorization lost its precision: raise regularization, or give the matrix as float64"
        )
    return explained


def solve_given(
    X: Rows,
    others: Sequence[tuple[int, Side]],
    shared: Array,
    T: Array,
    Y: Array,
    missing_weight: float,
    regularization: float,
    n_threads: int,
) -> tuple[Side, float]:
    """The best vector of every row of X, and the loss they explain.

    The columns' vectors are ``others``, which lie in T from the row named on, and are rebased on the way;
    ``shared`` is the sum of their Grams. What else lies in T is no column of X and does not count as missing.
    """
    options = (missing_weight, regularization, n_threads)
    factor = shared_factor(shared, missing_weight, regularization)
    if T.dtype == np.float32 and not factor.suits_float32:
        return _solve_in_float64(X, others, T, Y, *options)
    check_solvable(factor, missing_weight, regularization)
    for _, other in others:
        other.rebase(matmul(other.basis, np.ascontiguousarray(factor.inverse.T)), factor.L.T, n_threads)
    explained = solve_rows(X, factor, T, missing_weight, Y, n_threads)
    return Side(Y, factor.inverse, X.shape[0]), explained


def _solve_in_float64(
    X: Rows, others: Sequence[tuple[int, Side]], T: Array, Y: Array, *options: Any
) -> tuple[Side, float]:
    """The same, rounded to float32 once, at the end; ``others`` stay as they are."""
    wide = T.astype(np.float64)
    sides = [(at, Side(wide[at : at + len(side.rows)], side.basis, side.n)) for at, side in others]
    n_threads = options[-1]
    shared = sum((side.gram(n_threads) for _, side in sides), np.zeros((T.shape[1], T.shape[1])))
    doubled = replace(X, data=X.data.astype(np.float64))
    side, explained = solve_given(doubled, sides, shared, wide, np.zeros(Y.shape), *options)
    side.rebase(side.basis, np.eye(len(side.basis)), n_threads)
    Y[:] = side.rows
    return Side(Y, side.basis, side.n), explained


@dataclass(frozen=True)
class WhitenedFactors:
    """The columns' whitened vectors T and the factor that whitens: what a row needs to get its vector."""

    T: Array
    factor: SharedFactor
    missing_weight: float

    @property
    def c(self) -> Any:
        """1 - w_m, in T's precision."""
        return self.T.dtype.type(1 - self.missing_weight)

    def solve(self, X: Rows, n_threads: int = 1) -> tuple[Array, float]:
        """Return the whitened vector of every row of X, padded to whole tiles, and the loss they explain."""
        Y = np.zeros((padded(X.shape[0]), self.T.shape[1]), self.T.dtype)
        return Y, solve_rows(X, self.factor, self.T, self.missing_weight, Y, n_threads)


def whiten(
    columns: Side,
    missing_weight: float,
    regularization: float,
    n_threads: int,
    *,
    gram: Array | None = None,
    diagonal: bool = False,
) -> tuple[WhitenedFactors, Array]:
    """Rebase the columns' vectors, in place, so that w_m P'P + lambda I becomes I; in float64 if necessary.

    ``gram`` replaces P'P where not all columns count as missing. With ``diagonal``, the axes are those in
    which P'P is diagonal. Returns the whitened vectors, and P'P in the precision that was used.
    """
    shared = columns.gram(n_threads) if gram is None else gram
    factor = shared_factor(shared, missing_weight, regularization)
    if columns.rows.dtype == np.float32 and not factor.suits_float32:
        columns.rows = columns.rows.astype(np.float64)
        shared = columns.gram(n_threads) if gram is None else gram
        factor = shared_factor(shared, missing_weight, regularization)
    check_solvable(factor, missing_weight, regularization)
    if diagonal:
        factor = diagonalize(factor)
    columns.rebase(matmul(columns.basis, np.ascontiguousarray(factor.inverse.T)), factor.L.T, n_threads)
    return WhitenedFactors(columns.rows, factor, missing_weight), shared


def diagonalize(factor: SharedFactor) -> SharedFactor:
    """Return the same factor with other axes: L := U sqrt(E), where L L' = U E U'.

    >>> factor = diagonalize(shared_factor(np.array([[2.0, 1.0], [1.0, 2.0]]), 1.0, 0.0))
    >>> (factor.L @ factor.L.T).round(12), bool(np.allclose(factor.inverse @ factor.L, np.eye(2)))
    (array([[2., 1.],
           [1., 2.]]), True)
    """
    with one_blas_thread():
        E, U = np.linalg.eigh(matmul(factor.L, np.ascontiguousarray(factor.L.T)))
    roots = np.sqrt(E)
    return replace(factor, L=U * roots, inverse=np.ascontiguousarray((U / roots).T))


class FoldIn:
    """Vectors for any number of new rows, the columns' vectors P being fixed: in closed form.

    ``gram`` is P'P over the columns that count as missing where a row lacks them, by default all of P.

    >>> fold = FoldIn(np.eye(2, dtype=np.float32), missing_weight=1.0, regularization=1.0)
    >>> from scipy.sparse import csr_array
    >>> fold(csr_array(np.array([[4.0, 0.0], [0.0, 0.0]], dtype=np.float32))).round(3)
    array([[2., 0.],
           [0., 0.]], dtype=float32)
    """

    def __init__(
        self,
        P: Array,
        missing_weight: float,
        regularization: float,
        n_threads: int = 1,
        gram: Array | None = None,
    ) -> None:
        """Whiten P once, for all rows to come."""
        self.n_components, self.dtype, self.n_threads = P.shape[1], P.dtype, n_threads
        columns = Side.of(P)
        if gram is not None:
            gram = np.pad(gram, (0, columns.rows.shape[1] - self.n_components))
        self.whitened, _ = whiten(columns, missing_weight, regularization, n_threads, gram=gram)

    def __call__(self, X: Any) -> Array:
        """The vector of each row of a CSR matrix; a row with no known column gets zeros."""
        return self.side(X).vectors(self.n_components, self.n_threads)

    def side(self, X: Any) -> Side:
        """The same vectors as a side, for another half-sweep to stand on."""
        Y, _ = self.whitened.solve(Rows.of(X, self.whitened.T.dtype), self.n_threads)
        side = Side(Y, self.whitened.factor.inverse, X.shape[0])
        if Y.dtype == self.dtype:
            return side
        return Side.of(side.vectors(self.n_components, self.n_threads).astype(self.dtype))


def gram_of(vectors: Array, n_threads: int = 1) -> Array:
    """vectors' vectors, in float64, the same bits for any number of threads."""
    K = vectors.shape[1]
    return Side.of(vectors).gram(n_threads)[:K, :K]
