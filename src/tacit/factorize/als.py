"""Weighted matrix factorization by exact alternating least squares.

One half-sweep gives every row of X its best vector while the columns' vectors stand still; both sides are
the same function with X and X' swapped. Everyone else solves a K x K system a row; here the shared part
is factored once (see ``short``) and a text of n words costs O(n^2 K). Memory: the two factors, X and X'.

The vectors between two half-sweeps stay in whitened coordinates, ``vectors = rows @ basis``, because the
next half-sweep only needs them times another K x K matrix: one large product a half-sweep, in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.small import matmul
from tacit.compute.threads import ranges, run
from tacit.compute.tiles import gram, multiply_in_place, padded
from tacit.errors import InputError
from tacit.factorize.conditioning import SharedFactor, check_solvable, shared_factor, solve_hard
from tacit.factorize.long import solve_long
from tacit.factorize.short import solve_short

Array = NDArray[Any]
Callback = Callable[[int, float], bool | None]

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
        self.n_components = P.shape[1]
        self.missing_weight = missing_weight
        self.n_threads = n_threads
        self.dtype = P.dtype
        self.factor = self._factor(P, regularization, gram)
        if P.dtype == np.float32 and not self.factor.suits_float32:
            P = P.astype(np.float64)
            self.factor = self._factor(P, regularization, gram)
        check_solvable(self.factor, missing_weight, regularization)
        self.inverse = self.factor.inverse
        columns = Side.of(P)
        columns.rebase(self.inverse.T, self.factor.L.T, n_threads)
        self.T = columns.rows

    def _factor(self, P: Array, regularization: float, gram: Array | None) -> SharedFactor:
        K = self.n_components
        shared = np.zeros((padded(K), padded(K)))
        shared[:K, :K] = gram_of(P, self.n_threads) if gram is None else gram
        return shared_factor(shared, self.missing_weight, regularization)

    def __call__(self, X: Any) -> Array:
        """The vector of each row of a CSR matrix; a row with no known column gets zeros."""
        return self.side(X).vectors(self.n_components, self.n_threads)

    def side(self, X: Any) -> Side:
        """The same vectors as a side, for another half-sweep to stand on."""
        n = X.shape[0]
        Y = np.zeros((padded(n), self.T.shape[1]), self.T.dtype)
        solve_rows(Rows.of(X, Y.dtype), self.factor, self.T, self.missing_weight, Y, self.n_threads)
        side = Side(Y, self.inverse, n)
        return (
            side
            if Y.dtype == self.dtype
            else Side.of(side.vectors(self.n_components, self.n_threads).astype(self.dtype))
        )


def gram_of(vectors: Array, n_threads: int = 1) -> Array:
    """vectors' vectors, in float64, the same bits for any number of threads."""
    K = vectors.shape[1]
    return Side.of(vectors).gram(n_threads)[:K, :K]


def factorize(
    X: Any,
    P: Array,
    *,
    missing_weight: float,
    regularization: float,
    n_iter: int,
    tol: float = 0.0,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> tuple[Array, list[float]]:
    """Improve the columns' vectors P by up to ``n_iter`` sweeps over a scipy CSR matrix.

    Returns P and the loss after each sweep. Stops early when a sweep lowers the loss by less than ``tol``
    of it, or when ``callback(sweep, loss)`` returns True.
    """
    columns = Side.of(P)
    transposed = X.T.tocsr()
    transposed.sort_indices()
    X, transposed = Rows.of(X, P.dtype), Rows.of(transposed, P.dtype)
    texts = np.zeros((padded(X.shape[0]), columns.rows.shape[1]), P.dtype)
    squares = float(np.sum(np.square(X.data, dtype=np.float64)))
    options = (missing_weight, regularization, n_threads)
    losses: list[float] = []
    for sweep in range(1, n_iter + 1):
        rows, _ = half_sweep(X, columns, texts, *options)
        columns, rest = half_sweep(transposed, rows, columns.rows, *options)
        losses.append(squares + rest)
        stop = callback is not None and callback(sweep, losses[-1])
        if stop or (len(losses) > 1 and losses[-2] - losses[-1] < tol * losses[-2]):
            break
    return columns.vectors(P.shape[1], n_threads), losses
