"""Texts to sparse tf-idf rows, with scikit-learn's contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice, whole
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.text.counting import count_rows
from tacit.text.interning import Occurrences, intern_texts
from tacit.text.languages import Normalizer, normalizer
from tacit.text.tokenizers import Tokenizer, TokenizerNeededError
from tacit.text.vocabulary import Vocabulary, learn_vocabulary
from tacit.text.weighting import TERM_WEIGHTS, WORD_WEIGHTS, term_weight, word_weight

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class WeightedRows:
    """The arrays of a CSR matrix of weights, with how many words of each text are known and unknown."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float32]
    shape: tuple[int, int]
    known: NDArray[np.int64]
    unknown: NDArray[np.int64]


@dataclass(eq=False, repr=False)
class TextVectorizer(Estimator):
    """Turn short texts into sparse tf-idf rows: tokens, stems, counts, weights.

    Parameters
    ----------
    language : a two-letter code for the stemmer, or None to leave words as they are.
    normalize : "stem" (Snowball), "lemma" (extra ``lemmas``) or "none".
    min_df : words seen in fewer texts are dropped.
    max_features : keep at most this many words, the most frequent.
    tf : "raw", "log" (1 + log), "log1p" or "share" (of the text's words).
    idf : "plain" log(N/df), "smooth" (scikit-learn's) or "none".
    tokenizer : "words", "characters" (runs of three; not for stems, so with ``language=None``), or any
        function from a text to its tokens.
    numbers : "keep", or "merge" to make one word of all numbers.
    accents : "keep", or "strip" to take the accents off stems.

    >>> vectorizer = TextVectorizer(min_df=1).fit(["The cat sat.", "Cats sleep", "A dog sleeps"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['cat', 'sleep', 'a', 'dog', 'sat', 'the']
    >>> vectorizer.transform(["sleeping cats"]).toarray().round(2).tolist()
    [[0.41, 0.41, 0.0, 0.0, 0.0, 0.0]]
    """

    language: str | None = "en"
    normalize: str = "stem"
    min_df: int = 2
    max_features: int | None = None
    tf: str = "raw"
    idf: str = "plain"
    tokenizer: str | Tokenizer = "words"
    numbers: str = "keep"
    accents: str = "keep"

    words_: Vocabulary = field(init=False)
    idf_: NDArray[np.float64] = field(init=False)
    n_texts_: int = field(init=False)

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary and the weights of its words; ``texts`` is read once."""
        self._learn(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> csr_matrix:
        """Learn, and return the weights of the same texts."""
        return _csr(self.fit_rows(texts))

    def transform(self, texts: Iterable[str]) -> csr_matrix:
        """The weights of texts, as a sparse float32 matrix; unknown words are left out."""
        return _csr(self.rows(texts))

    def fit_rows(self, texts: Iterable[str]) -> WeightedRows:
        """As ``fit_transform``, without scipy and with the counts of known and unknown words."""
        return self._weigh(self._learn(texts))

    def rows(self, texts: Iterable[str]) -> WeightedRows:
        """As ``transform``, without scipy and with the counts of known and unknown words."""
        self._check_fitted()
        return self._weigh(intern_texts(texts, self.tokenizer))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The words in the order of the columns, each in its most frequent form."""
        self._check_fitted()
        return np.array(self.words_.surfaces, dtype=object)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """From a term (stem) to its column."""
        return self.words_.index

    def to_plain(self) -> dict[str, Any]:
        """The parameters as values that a file can hold: a tokenizer of the user's own is left out."""
        named = isinstance(self.tokenizer, str)
        return self.get_params() | {"tokenizer": self.tokenizer if named else None}

    @classmethod
    def from_plain(cls, parameters: dict[str, Any], tokenizer: str | Tokenizer | None = None) -> Self:
        """A vectorizer of the parameters that ``to_plain`` gave, and the tokenizer that they left out.

        >>> TextVectorizer.from_plain(TextVectorizer(tokenizer=str.split).to_plain())
        Traceback (most recent call last):
        tacit.text.tokenizers.TokenizerNeededError: the model has a tokenizer of its own: ..., tokenizer=...)
        """
        chosen = tokenizer or parameters["tokenizer"]
        if chosen is None:
            raise TokenizerNeededError("the model has a tokenizer of its own: load(folder, tokenizer=...)")
        return cls(**parameters | {"tokenizer": chosen})

    def normalizer(self) -> Normalizer:
        """What brings tokens to terms."""
        return normalizer(self.language, self.normalize, self.numbers, self.accents)

    def term(self, word: str) -> str:
        """The term of a single word as people write it."""
        tokens = intern_texts([word], self.tokenizer).tokens
        if len(tokens) != 1:
            raise InputError(f"{word!r} is {len(tokens)} words: give a single one")
        return self.normalizer()(tokens)[0]

    def new_words(self, texts: Iterable[str], min_df: int) -> tuple[WeightedRows, Vocabulary, WeightedRows]:
        """Words not known yet: the rows of known words, the new words, and the rows of the new words."""
        self._check_fitted()
        seen = intern_texts(texts, self.tokenizer)
        normalize = self.normalizer()
        new = learn_vocabulary(seen, normalize, whole("min_df", min_df), known=self.words_)
        idf = word_weight(new.df, self.n_texts_ + len(seen.counts), self.idf)
        return self._weigh(seen), new, weighted_rows(seen, new.columns(seen.tokens, normalize), idf, self.tf)

    def extend(self, new: Vocabulary, n_more: int) -> None:
        """Append new words, weighed as if the corpus had ``n_more`` more texts; nothing else moves."""
        idf = word_weight(new.df, self.n_texts_ + n_more, self.idf)
        self.words_, self.idf_ = self.words_.extended(new), np.concatenate([self.idf_, idf])

    def _learn(self, texts: Iterable[str]) -> Occurrences:
        normalize = self.normalizer()
        min_df = whole("min_df", self.min_df)
        if self.max_features is not None:
            whole("max_features", self.max_features)
        choice("tf", self.tf, TERM_WEIGHTS)
        choice("idf", self.idf, WORD_WEIGHTS)
        seen = intern_texts(texts, self.tokenizer)
        self.words_ = learn_vocabulary(seen, normalize, min_df, self.max_features)
        self.n_texts_ = len(seen.counts)
        self.idf_ = word_weight(self.words_.df, self.n_texts_, self.idf)
        return seen

    def _weigh(self, seen: Occurrences) -> WeightedRows:
        columns = self.words_.columns(seen.tokens, self.normalizer())
        return weighted_rows(seen, columns, self.idf_, self.tf)


def weighted_rows(
    seen: Occurrences, columns: NDArray[np.int32], idf: NDArray[np.float64], tf: str
) -> WeightedRows:
    """Count the tokens of each text by column and weigh the counts; a weight of zero is not stored."""
    indptr, indices, data, unknown = count_rows(seen.ids, seen.counts, columns, len(idf))
    lengths = np.repeat(seen.counts, np.diff(indptr))
    weights = (term_weight(data, lengths, tf) * idf[indices]).astype(np.float32)
    if not weights.all():
        stored = weights != 0
        indptr = np.concatenate([[0], np.cumsum(stored)])[indptr]
        indices, weights = indices[stored], weights[stored]
    known = seen.counts - unknown
    return WeightedRows(indptr, indices, weights, (len(seen.counts), len(idf)), known, unknown)


def _csr(rows: WeightedRows) -> csr_matrix:
    from scipy.sparse import csr_matrix

    return csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
