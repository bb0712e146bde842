"""Baseline scorers: tf-idf, token overlap, LSA, n-grams, random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.cosine import normalize_sparse_rows
from tacit.errors import InputError, NotFittedError
from tacit.evaluation.scorers import OverlapScorer, RandomScorer, TextMatrix, VectorScorer
from tacit.text.normalization import make_normalizer
from tacit.text.token_ids import tokenize_texts
from tacit.text.vectorizer import TextVectorizer


class SurfaceScorer(OverlapScorer):
    """The official baseline of STS 2012: tokens are split at white space, case and punctuation stay.

    >>> SurfaceScorer().score_pairs(["A cat sat ."], ["a cat slept ."])
    array([0.5])
    """

    name = "surface"

    def tokens(self, text: str) -> set[str]:
        """Return the distinct tokens between white space."""
        return set(text.split())


class TfidfScorer(VectorScorer):
    """The cosine of tf-idf vectors with weights learned from texts: the IR model of the papers.

    >>> scorer = TfidfScorer(TextVectorizer(min_df=1)).fit(["a cat sat", "a dog sat", "a cat ran"])
    >>> scorer.score_pairs(["cats"], ["the cat"])
    array([1.], dtype=float32)
    """

    name = "ir"
    vectorizer_: TextVectorizer

    def __init__(self, vectorizer: TextVectorizer | None = None) -> None:
        """Store the vectorizer; by default ``TextVectorizer.paper()``."""
        self.vectorizer = vectorizer

    def fit(self, texts: Iterable[str]) -> Self:
        """Learn the weights of words."""
        self.learn_words(texts)
        return self

    def learn_words(self, texts: Iterable[str]) -> TextMatrix:
        """Fit a vectorizer with the same parameters, and return the sparse rows of the texts."""
        self.vectorizer_ = TextVectorizer(**(self.vectorizer or TextVectorizer.paper()).get_params())
        return self.vectorizer_.fit_transform(texts)

    def weights(self, texts: Sequence[str]) -> TextMatrix:
        """Return the tf-idf row of each text."""
        if not hasattr(self, "vectorizer_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")
        return self.vectorizer_.transform(texts)

    def encode(self, texts: Sequence[str]) -> TextMatrix:
        """Return the unit row of each text; zero if no word is known."""
        return normalize_sparse_rows(self.weights(texts))

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the rows of two collections of texts."""
        return self.encode(a), self.encode(b)

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Return whether each text has a known word with a weight above 0."""
        return np.diff(self.vectorizer_.transform_rows(texts).indptr) > 0


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
        """Store the parameters; ``fit`` checks them."""
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
        return cosine.normalize_rows(np.asarray(self.weights(texts) @ self.word_vectors_))


_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplying loses nothing


class NgramScorer(VectorScorer):
    """The number of n-grams two texts share, or with ``tfidf`` the cosine of their tf-idf vectors.

    Parameters
    ----------
    longest : n-grams of 1 to this many words.
    tfidf : weigh n-grams by texts given to ``fit``; one never seen there weighs as one seen once.
    language, normalize : how words are stemmed, as in ``TextVectorizer``.

    >>> NgramScorer(longest=2).score_pairs(["the black cat"], ["a black cat sat"])
    array([3.])
    """

    def __init__(
        self, longest: int = 3, tfidf: bool = False, language: str | None = "en", normalize: str = "stem"
    ) -> None:
        """Check and store the parameters."""
        if isinstance(longest, bool) or not isinstance(longest, int) or longest < 1:
            raise InputError(
                f"longest={longest!r}: give a whole number from 1, the words of the longest n-gram"
            )
        self.name = "ngram-tfidf" if tfidf else "ngram"
        self.longest = longest
        self.tfidf = tfidf
        self.language = language
        self.normalize = normalize

    hashes_: NDArray[np.uint64]
    df_: NDArray[np.int64]
    n_texts_: int

    def fit(self, texts: Iterable[str]) -> Self:
        """Count the texts that contain each n-gram."""
        hashes, owners, self.n_texts_ = self._ngrams(texts)
        self.hashes_, columns = np.unique(hashes, return_inverse=True)
        pairs = np.unique(columns * np.int64(max(self.n_texts_, 1)) + owners)  # an n-gram once a text
        self.df_ = np.bincount(pairs // max(self.n_texts_, 1), minlength=len(self.hashes_))
        return self

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the n-gram vectors of both collections, with columns for the n-grams that occur."""
        from scipy.sparse import csr_matrix

        hashes, owners, n_texts = self._ngrams([*a, *b])
        distinct, columns = np.unique(hashes, return_inverse=True)
        rows = csr_matrix((np.ones(len(columns)), (owners, columns)), (n_texts, len(distinct)))
        rows.sum_duplicates()
        if self.tfidf:
            rows.data *= self._idf(distinct)[rows.indices]
            rows = normalize_sparse_rows(rows)
        else:
            rows.data[:] = 1
        return rows[: len(a)], rows[len(a) :]

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Return whether each text has a word."""
        return tokenize_texts(texts).lengths > 0

    def _idf(self, hashes: NDArray[np.uint64]) -> NDArray[np.float64]:
        if not hasattr(self, "hashes_"):
            raise NotFittedError("this NgramScorer(tfidf=True) is not fitted yet: call fit(texts) first")
        columns = np.minimum(np.searchsorted(self.hashes_, hashes), len(self.hashes_) - 1)
        df = np.where(self.hashes_[columns] == hashes, self.df_[columns], 1)
        return np.asarray(np.log(max(self.n_texts_, 2) / df))

    def _ngrams(self, texts: Iterable[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64], int]:
        """Return the 64-bit hashes of all n-grams, the index of the text of each, and the number of texts."""
        tokenized = tokenize_texts(texts)
        terms = make_normalizer(self.language, self.normalize)(tokenized.tokens)
        words = np.array([_hash(term) for term in terms], dtype=np.uint64)[tokenized.ids]
        owners = np.repeat(np.arange(len(tokenized.lengths)), tokenized.lengths)
        hashes, all_owners, ngrams = [words], [owners], words
        for extra in range(1, self.longest):
            ngrams = ngrams[:-1] * _MIX + words[extra:]
            is_within_text = owners[:-extra] == owners[extra:]
            hashes.append(ngrams[is_within_text])
            all_owners.append(owners[extra:][is_within_text])
        return np.concatenate(hashes), np.concatenate(all_owners), len(tokenized.lengths)


def _hash(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest())


class RandomRanker(RandomScorer):
    """Random scores of pairs, and of queries with every candidate.

    >>> block = RandomRanker(seed=1).score_blocks(["a", "b"], ["c", "d", "e"])
    >>> bool((block(0, 2)[1] == block(1, 2)[0]).all())
    True
    """

    def score_blocks(
        self, queries: Sequence[str], candidates: Sequence[str]
    ) -> Callable[[int, int], NDArray[np.float64]]:
        """Return random numbers for each query, seeded by its index."""

        def scores(start: int, stop: int) -> NDArray[np.float64]:
            seeds = ([self.seed, query] for query in range(start, stop))
            return np.array([np.random.default_rng(seed).random(len(candidates)) for seed in seeds])

        return scores
