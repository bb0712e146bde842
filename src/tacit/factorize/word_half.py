"""The word half where the texts' vectors are never whole: block conjugate gradients, a sum over texts a step.

With the texts' vectors fixed, word i's vector t solves (in whitened coordinates, see ``short``)

    (S + c sum_j y_j y_j') t = sum_j x_ij y_j,      S = w_m Y'Y + lambda L'L,

over the texts j that have it. A step needs the products of all words at once: one pass over the texts and one
words x K sum. Two things make two steps enough. The start is the last sweep's vector. And coordinates are
turned so that w_m P'P + lambda I is diagonal: at a stationary point P'P = Q'Q, so that S is nearly diagonal
too, and what a word's texts add to it is nearly a share of Y'Y, by their squared lengths:

    diagonal   S_kk + c (sum_j |y_j|^2 / tr Y'Y) (Y'Y)_kk
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.small import matmul
from tacit.compute.threads import ranges, run
from tacit.compute.tiles import multiply_in_place
from tacit.factorize.row_solver import WhitenedFactors

Array = NDArray[Any]

STEPS = 2
_ROWS = 4096


class WordHalf:
    """Conjugate gradients for all words at once; ``directions`` are what the next pass multiplies.

    ``gradients`` is words x (K + 1), as ``by_word`` sums it, and is used up; ``gram`` is Y'Y.
    """

    def __init__(
        self, given: WhitenedFactors, gradients: Array, gram: Array, regularization: float, n_threads: int
    ) -> None:
        T, L = given.T, given.factor.L
        K, dtype = T.shape[1], T.dtype
        self.c, self.n_threads = given.c, n_threads
        self.S = np.ascontiguousarray(
            given.missing_weight * gram + regularization * matmul(np.ascontiguousarray(L.T), L), dtype
        )
        self.blocks = [slice(*b) for b in ranges(len(T), _ROWS)]
        self.share = (given.c * gram.diagonal() / max(float(np.trace(gram)), 1e-300)).astype(dtype)
        self.lengths = np.ascontiguousarray(gradients[:, K])
        self.vectors, self.residual = T.copy(), gradients
        self.directions = np.empty_like(T)
        self.falls = np.empty(len(T), dtype)  # r'z of each word
        self.gained = 0.0
        self.start = self._each(lambda b: self._begin(b, T))
        self.left = self.start

    def _each(self, work: Callable[[slice], float]) -> float:
        return float(sum(run(work, self.blocks, self.n_threads)))

    def _times(self, rows: Array) -> Array:
        """rows @ S"""
        found = rows.copy()
        multiply_in_place(found, self.S, 0, len(found))
        return found

    def _diagonal(self, b: slice) -> Array:
        diagonal: Array = self.S.diagonal() + self.lengths[b, None] * self.share
        diagonal[diagonal == 0] = 1  # padding
        return diagonal

    def _begin(self, b: slice, T: Array) -> float:
        r = self.residual[b, :-1]
        r -= self._times(T[b])
        z = r / self._diagonal(b)
        self.falls[b] = np.einsum("ik,ik->i", r, z)
        self.directions[b] = z
        return _squares(r)

    def step(self, products: Array, last: bool) -> None:
        """Go along the directions, whose products with the texts' part of the systems are given."""

        def work(b: slice) -> tuple[float, float]:
            r, d = self.residual[b, :-1], self.directions[b]
            image = self._times(d)
            image += self.c * products[b]
            curved = np.einsum("ik,ik->i", d, image)
            rz = self.falls[b].copy()
            far = np.divide(rz, curved, out=np.zeros_like(rz), where=curved > 0)
            self.vectors[b] += far[:, None] * d
            r -= far[:, None] * image
            gained = float(np.sum(far * rz, dtype=np.float64))
            if not last:
                z = r / self._diagonal(b)
                self.falls[b] = np.einsum("ik,ik->i", r, z)
                again = np.divide(self.falls[b], rz, out=np.zeros_like(rz), where=rz > 0)
                self.directions[b] = z + again[:, None] * d
            return gained, _squares(r)

        found = run(work, self.blocks, self.n_threads)
        self.gained += sum(gained for gained, _ in found)
        self.left = sum(left for _, left in found)

    @property
    def residual_share(self) -> float:
        """How much of the first residual is left, by its length."""
        return float(np.sqrt(self.left / self.start)) if self.start > 0 else 0.0


def _squares(r: Array) -> float:
    return float(np.sum(np.square(r, dtype=np.float64)))
