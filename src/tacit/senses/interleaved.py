"""Interleaved non-negative factorization of three matrices that share their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.factorize.als import Rows
from tacit.factorize.nmf import padded, step
from tacit.factorize.nmf_reference import NORMS
from tacit.senses.checks import whole

Array = NDArray[Any]
Callback = Callable[[int, float], None]


class InterleavedNMF(Estimator):
    """Words, their features and their context words on the same latent dimensions.

    Van de Cruys & Apidianaki, ACL 2011, section 3.2: each iteration improves the words' vectors by A (words x
    features), then the context words' by B (words x context words), then the features' by C (context words x
    features), each by one multiplicative step on the Kullback-Leibler divergence.

    Parameters
    ----------
    n_components : the number of latent dimensions.
    n_iter : the number of iterations.
    normalize : what sums to 1 after each step: "item" (the dimensions of each item), "dimension" (the items
        of each dimension) or "none".
    random_state : the seed of the start.
    n_threads : None for every core; the result has the same bits for any number.
    callback : called with the iteration and its divergence.

    Attributes: ``words_``, ``features_`` and ``contexts_`` hold a vector a row, and ``divergence_`` the sum
    of the three matrices' divergences at each iteration's steps.

    >>> from scipy.sparse import csr_array
    >>> A, B = csr_array([[3.0, 0.0], [0.0, 2.0]]), csr_array([[1.0, 0.0, 1.0], [0.0, 4.0, 0.0]])
    >>> C = csr_array([[2.0, 0.0], [0.0, 5.0], [1.0, 0.0]])
    >>> model = InterleavedNMF(n_components=2, n_iter=30).fit(A, B, C)
    >>> bool((model.words_.argmax(axis=1) == model.features_.argmax(axis=1)).all())
    True
    """

    def __init__(
        self,
        n_components: int = 50,
        n_iter: int = 50,
        normalize: str = "item",
        random_state: Any = 0,
        n_threads: int | None = None,
        callback: Callback | None = None,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        self.n_components = n_components
        self.n_iter = n_iter
        self.normalize = normalize
        self.random_state = random_state
        self.n_threads = n_threads
        self.callback = callback

    words_: Array
    features_: Array
    contexts_: Array
    divergence_: list[float]

    def fit(self, A: Any, B: Any, C: Any) -> Self:
        """Factorize scipy matrices A (words x features), B (words x contexts), C (contexts x features)."""
        self._check(A, B, C)
        start = _start((A.shape[0], A.shape[1], B.shape[1]), self.n_components, self.random_state)
        W, H, G = (padded(part) for part in start)
        # a step improves the vectors of rows: context words by B', features by C'
        by_A, by_B, by_C = (Rows.of(X, np.float32) for X in (A.tocsr(), B.T.tocsr(), C.T.tocsr()))
        n_threads = usable_threads(self.n_threads)
        self.divergence_ = []
        for iteration in range(1, self.n_iter + 1):
            total = self._improve(by_A, W, H, n_threads)
            total += self._improve(by_B, G, W, n_threads)
            total += self._improve(by_C, H, G, n_threads)
            self.divergence_.append(total)
            if self.callback is not None:
                self.callback(iteration, total)
        K = self.n_components
        self.words_, self.features_, self.contexts_ = (part[:, :K].copy() for part in (W, H, G))
        return self

    def _improve(self, X: Rows, vectors: Array, others: Array, n_threads: int) -> float:
        """A step for the vectors of the rows of X, normalised in place; the divergence before it."""
        loss = step(X, vectors, others, n_threads)
        normalize_in_place(vectors, self.normalize)
        return loss

    def _check(self, A: Any, B: Any, C: Any) -> None:
        whole("n_components", self.n_components, 1, 10_000)
        whole("n_iter", self.n_iter, 1, 1_000_000)
        if self.normalize not in NORMS:
            raise InputError(f"normalize={self.normalize!r}: use one of {', '.join(NORMS)}")
        expected = (B.shape[1], A.shape[1])
        if A.shape[0] != B.shape[0] or C.shape != expected:
            raise InputError(
                f"A is {A.shape}, B is {B.shape} and C is {C.shape}: A and B need the same rows, and C "
                f"has to be {expected}"
            )
        for name, X in (("A", A), ("B", B), ("C", C)):
            if not X.nnz or not np.all(np.isfinite(X.data)) or X.data.min() < 0:
                raise InputError(f"{name} needs counts: finite numbers from 0, not all 0")


def _start(sizes: tuple[int, ...], K: int, seed: Any) -> list[Array]:
    """Random vectors for each kind of item."""
    random = np.random.default_rng(seed)
    return [random.uniform(0.1, 1.1, (size, K)).astype(np.float32) for size in sizes]


def normalize_in_place(vectors: Array, normalize: str) -> None:
    """Let the dimensions of each item, or the items of each dimension, sum to 1; zeros stay zeros."""
    if normalize != "none":
        sums = vectors.sum(axis=1 if normalize == "item" else 0, keepdims=True, dtype=np.float64)
        vectors /= np.maximum(sums, 1e-12).astype(vectors.dtype)
