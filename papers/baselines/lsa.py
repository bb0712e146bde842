"""Latent Semantic Analysis: a truncated singular value decomposition of the tf-idf matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from papers.baselines.scorers import TfidfScorer
from tacit.compute import cosine
from tacit.errors import InputError
from tacit.text.vectorizer import TextVectorizer


class LSAScorer(TfidfScorer):
    """The cosine of texts folded into the singular vectors of the tf-idf matrix, by scikit-learn.

    X ~ U S V'. The papers sum "the latent vectors of all the constituent words weighted by X_ij", without
    saying whether a word's vector is its row of V or of V S. Here it is the row of V, the usual folding: a
    training text gets its row of U S.

    Parameters
    ----------
    n_components : the length of a vector.
    vectorizer : by default ``TextVectorizer.paper()``.
    random_state : the seed of the randomised decomposition.
    n_iter : its power iterations.

    Attributes
    ----------
    word_vectors_ : V, words x n_components.

    >>> texts = ["a cat sat", "a kitten sat", "stocks fell", "markets fell"]
    >>> scorer = LSAScorer(2, TextVectorizer(min_df=1)).fit(texts)
    >>> scorer.score_pairs(["cat", "cat"], ["kitten", "stocks"]).round(2) + 0
    array([1., 0.], dtype=float32)
    """

    name = "lsa"
    word_vectors_: NDArray[np.float32]

    def __init__(
        self,
        n_components: int = 100,
        vectorizer: TextVectorizer | None = None,
        random_state: int = 0,
        n_iter: int = 5,
    ) -> None:
        """Keep the choices; ``fit`` checks them."""
        super().__init__(vectorizer)
        self.n_components = n_components
        self.random_state = random_state
        self.n_iter = n_iter

    def fit(self, texts: Iterable[str]) -> Self:
        """Learn the words' vectors."""
        from sklearn.decomposition import TruncatedSVD

        rows = self.learn_words(texts)
        if not 1 <= self.n_components <= min(rows.shape):
            shape = f"{rows.shape[0]} texts of {rows.shape[1]} words"
            raise InputError(f"n_components={self.n_components}: give 1 to {min(rows.shape)} for {shape}")
        svd = TruncatedSVD(self.n_components, n_iter=self.n_iter, random_state=self.random_state).fit(rows)
        self.word_vectors_ = np.ascontiguousarray(svd.components_.T, dtype=np.float32)
        return self

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The sums of the words' vectors weighed by tf-idf, at length 1."""
        return cosine.unit(np.asarray(self.weights(texts) @ self.word_vectors_))
