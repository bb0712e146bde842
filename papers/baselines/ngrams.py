"""The N-gram model of the papers: phrases that two texts share.

Guo & Diab (ACL 2012, section 5) call it "the number of overlapping ngrams", without saying up to which
length and whether a repeated one counts twice: here all n-grams of 1 to ``longest`` stems, each distinct one
once. Its TF-IDF form is not described either: here the cosine of the tf-idf vectors of n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit_rows
from tacit.errors import InputError, NotFittedError
from tacit.evaluation.scorers import TextMatrix, VectorScorer
from tacit.text.normalization import make_normalizer
from tacit.text.token_ids import tokenize_texts

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
        """Keep the choices, checked."""
        if isinstance(longest, bool) or not isinstance(longest, int) or longest < 1:
            raise InputError(
                f"longest={longest!r}: give a whole number from 1, the words of the longest n-gram"
            )
        self.name = "ngram-tfidf" if tfidf else "ngram"
        self.longest = longest
        self.tfidf = tfidf
        self.language = language
        self.normalize = normalize

    seen_: NDArray[np.uint64]
    df_: NDArray[np.int64]
    n_texts_: int

    def fit(self, texts: Iterable[str]) -> Self:
        """Count in how many texts each n-gram is."""
        hashes, owners, self.n_texts_ = self._ngrams(texts)
        self.seen_, columns = np.unique(hashes, return_inverse=True)
        pairs = np.unique(columns * np.int64(max(self.n_texts_, 1)) + owners)  # an n-gram once a text
        self.df_ = np.bincount(pairs // max(self.n_texts_, 1), minlength=len(self.seen_))
        return self

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """The n-grams of both collections, in columns of their own: nothing need be known beforehand."""
        from scipy.sparse import csr_matrix

        hashes, owners, n_texts = self._ngrams([*a, *b])
        distinct, columns = np.unique(hashes, return_inverse=True)
        rows = csr_matrix((np.ones(len(columns)), (owners, columns)), (n_texts, len(distinct)))
        rows.sum_duplicates()
        if self.tfidf:
            rows.data *= self._idf(distinct)[rows.indices]
            rows = unit_rows(rows)
        else:
            rows.data[:] = 1
        return rows[: len(a)], rows[len(a) :]

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a word."""
        return tokenize_texts(texts).lengths > 0

    def _idf(self, hashes: NDArray[np.uint64]) -> NDArray[np.float64]:
        if not hasattr(self, "seen_"):
            raise NotFittedError("this NgramScorer(tfidf=True) is not fitted yet: call fit(texts) first")
        places = np.minimum(np.searchsorted(self.seen_, hashes), len(self.seen_) - 1)
        df = np.where(self.seen_[places] == hashes, self.df_[places], 1)
        return np.asarray(np.log(max(self.n_texts_, 2) / df))

    def _ngrams(self, texts: Iterable[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64], int]:
        """Every n-gram of every text as a hash of 64 bits, the number of its text, and how many texts."""
        seen = tokenize_texts(texts)
        terms = make_normalizer(self.language, self.normalize)(seen.tokens)
        words = np.array([_hash(term) for term in terms], dtype=np.uint64)[seen.ids]
        owners = np.repeat(np.arange(len(seen.lengths)), seen.lengths)
        hashes, all_owners, grams = [words], [owners], words
        for extra in range(1, self.longest):
            grams = grams[:-1] * _MIX + words[extra:]
            inside = owners[:-extra] == owners[extra:]
            hashes.append(grams[inside])
            all_owners.append(owners[extra:][inside])
        return np.concatenate(hashes), np.concatenate(all_owners), len(seen.lengths)


def _hash(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest())
