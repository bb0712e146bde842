"""Latent topics: the interleaved factorization that learns them, and how a context is folded into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_int
from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.factorize.nmf import padded, step
from tacit.factorize.nmf_reference import NORMS
from tacit.factorize.row_solver import Rows

Array = NDArray[Any]

HALF = 5.0
"""How many places away a context word counts half as much as one beside the word."""


@dataclass(eq=False, repr=False)
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

    n_components: int = 50
    n_iter: int = 50
    normalize: str = "item"
    random_state: Any = 0
    n_threads: int | None = None
    callback: Callable[[int, float], None] | None = None

    words_: Array = field(init=False)
    features_: Array = field(init=False)
    contexts_: Array = field(init=False)
    divergence_: list[float] = field(init=False)

    def fit(self, A: Any, B: Any, C: Any) -> Self:
        """Factorize scipy matrices A (words x features), B (words x contexts), C (contexts x features)."""
        self._check(A, B, C)
        start = random_vectors((A.shape[0], A.shape[1], B.shape[1]), self.n_components, self.random_state)
        W, H, G = (padded(part) for part in start)
        # a step improves the vectors of rows: context words by B', features by C'
        by_A, by_B, by_C = (Rows.of(X, np.float32) for X in (A.tocsr(), B.T.tocsr(), C.T.tocsr()))
        self.divergence_ = []
        for iteration in range(1, self.n_iter + 1):
            total = sum(self._improve(*parts) for parts in ((by_A, W, H), (by_B, G, W), (by_C, H, G)))
            self.divergence_.append(total)
            if self.callback is not None:
                self.callback(iteration, total)
        K = self.n_components
        self.words_, self.features_, self.contexts_ = (part[:, :K].copy() for part in (W, H, G))
        return self

    def _improve(self, X: Rows, vectors: Array, others: Array) -> float:
        """A step for the vectors of the rows of X, normalised in place; the divergence before it."""
        loss = step(X, vectors, others, usable_threads(self.n_threads))
        if self.normalize != "none":
            sums = vectors.sum(axis=1 if self.normalize == "item" else 0, keepdims=True, dtype=np.float64)
            vectors /= np.maximum(sums, 1e-12).astype(vectors.dtype)
        return loss

    def _check(self, A: Any, B: Any, C: Any) -> None:
        check_int("n_components", self.n_components, 1, 10_000)
        check_int("n_iter", self.n_iter, 1, 1_000_000)
        check_choice("normalize", self.normalize, NORMS)
        expected = (B.shape[1], A.shape[1])
        if A.shape[0] != B.shape[0] or C.shape != expected:
            raise InputError(
                f"A is {A.shape}, B is {B.shape} and C is {C.shape}: A and B need the same rows, and C "
                f"has to be {expected}"
            )
        for name, X in (("A", A), ("B", B), ("C", C)):
            if not X.nnz or not np.all(np.isfinite(X.data)) or X.data.min() < 0:
                raise InputError(f"{name} needs counts: finite numbers from 0, not all 0")


def random_vectors(sizes: tuple[int, ...], n_components: int, seed: Any) -> list[Array]:
    """A start for each kind of item."""
    random = np.random.default_rng(seed)
    return [random.uniform(0.1, 1.1, (size, n_components)).astype(np.float32) for size in sizes]


def loads(vectors: Array) -> Array:
    """How much of each item every dimension explains: rows that sum to 1, even where there is nothing.

    >>> loads(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.5 , 0.5 ]], dtype=float32)
    """
    sums = vectors.sum(axis=1, keepdims=True, dtype=np.float64)
    even = 1 / vectors.shape[1]
    shares: Array = np.where(sums > 1e-12, vectors / np.maximum(sums, 1e-12), even)
    return shares.astype(np.float32)


@dataclass(frozen=True)
class Topics:
    """Context words with how much of each every latent dimension explains: rows of ``loads`` sum to 1.

    ``forms`` leads from a form of the text to its term, where a parser had given the terms; ``shown`` leads
    from a stem to its most frequent form.
    """

    contexts: list[str]
    loads: Array
    stop_words: frozenset[str]
    forms: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_components(self) -> int:
        """The number of latent dimensions."""
        return int(self.loads.shape[1])

    def surface(self, term: str) -> str:
        """A term as people write it."""
        return self.shown.get(term, term)

    @cached_property
    def index(self) -> dict[str, int]:
        """From a context word to its place."""
        return {term: place for place, term in enumerate(self.contexts)}

    def known(self, terms: Iterable[str], word: str) -> list[str]:
        """The context words among some terms; the word itself is not its own context."""
        return [term for term in terms if term != word and term in self.index]

    def around(
        self, contents: Sequence[str], place: int, word: str, half: float | None = HALF
    ) -> tuple[list[str], Array]:
        """The context words of the word at a place, and how much each counts: the nearer, the more.

        A word ``half`` places away counts half as much as one beside it; with None all count alike.

        >>> topics = Topics(["river", "steep"], np.eye(2), frozenset())
        >>> topics.around(["river", "", "", "", "", "bank", "steep"], 5, "bank")
        (['river', 'steep'], array([0.5       , 0.83333333]))
        """
        found = [(at, term) for at, term in enumerate(contents) if term != word and term in self.index]
        distances = np.array([abs(at - place) for at, _ in found], np.float64)
        counts = np.ones(len(found)) if half is None else 1 / (1 + distances / half)
        return [term for _, term in found], counts

    def fold(self, known: list[str], counts: Array | None = None) -> Array:
        """Equation 6: context words as a distribution over the latent dimensions; alike, or by ``counts``."""
        if not known:
            return np.full(self.loads.shape[1], 1 / self.loads.shape[1])
        folded: Array = np.average(self.loads_of(known).astype(np.float64), axis=0, weights=counts)
        return folded

    def loads_of(self, known: list[str]) -> Array:
        """The rows of context words."""
        rows: Array = self.loads[[self.index[term] for term in known]]
        return rows

    def top_words(self, dimension: int, k: int = 8) -> list[str]:
        """The context words that a dimension explains most of, frequent ones first among equals."""
        # a word seen often says more than a rare one; the order of context words is by frequency
        scores = self.loads[:, dimension] / np.log(3 + np.arange(len(self.contexts)))
        return [self.surface(self.contexts[place]) for place in np.argsort(-scores, kind="stable")[:k]]
