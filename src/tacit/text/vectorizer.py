"""Texts to sparse tf-idf rows, with scikit-learn's contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import log10
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_float, check_int
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.text.counting import count_rows, row_norms
from tacit.text.interning import Occurrences, intern_texts
from tacit.text.languages import Normalizer, normalizer
from tacit.text.tokenizers import Tokenizer, TokenizerNeededError, find_tokenizer
from tacit.text.vocabulary import Vocabulary, learn_vocabulary
from tacit.text.weighting import (
    ROW_LENGTHS,
    TERM_WEIGHTS,
    WORD_WEIGHTS,
    row_scale,
    term_weight,
    word_weight,
)  # fmt: skip

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

HEAVIEST = 1e4
"""No logarithm of a number of texts comes near it."""


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
    min_df : words seen in fewer texts are dropped; "auto": 1, from tens of thousands of texts on more.
    min_count : words seen fewer times in all texts together are dropped.
    max_features : keep at most this many words, the most frequent.
    tf : "damped" (to the power of .75), "raw", "log" (1 + log), "log1p" or "share" (of the text's words).
    idf : "positive" log(1 + N/df), "plain" log(N/df), "smooth" (scikit-learn's) or "none".
    tokenizer : "words", "characters" (runs of three; not for stems, so with ``language=None``), or any
        function from a text to its tokens.
    numbers : "keep", or "merge" to make one word of all numbers.
    accents : "keep", or "strip" to take the accents off stems.
    length : "damped" lets long texts outweigh short ones less, the less the fewer texts there are; "equal"
        not at all, "keep" as they are.

    >>> vectorizer = TextVectorizer(min_df=1).fit(["The cat sat.", "Cats sleep", "A dog sleeps"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['cat', 'sleep', 'a', 'dog', 'sat', 'the']
    >>> vectorizer.transform(["sleeping cats"]).toarray().round(2).tolist()
    [[1.23, 1.23, 0.0, 0.0, 0.0, 0.0]]
    """

    language: str | None = "en"
    normalize: str = "stem"
    min_df: int | str = "auto"
    max_features: int | None = None
    tf: str = "damped"
    idf: str = "positive"
    tokenizer: str | Tokenizer = "words"
    numbers: str = "keep"
    accents: str = "keep"
    length: str = "damped"
    min_count: int = 1

    words_: Vocabulary = field(init=False)
    idf_: NDArray[np.float64] = field(init=False)
    n_texts_: int = field(init=False)
    min_df_: int = field(init=False)
    typical_length_: float = field(init=False)

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """The weights of Guo & Diab (ACL 2012): words of two texts or more, tf-idf, no length brought in.

        The paper drops words that appear once, wherever that is: ``paper(min_df=1, min_count=2)``.
        """
        own = {"min_df": 2, "tf": "raw", "idf": "plain", "length": "keep", "tokenizer": "letters"}
        return cls(**{**own, **changes})

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary and the weights of its words; ``texts`` is read once."""
        self.fit_rows(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> csr_matrix:
        """Learn, and return the weights of the same texts."""
        return _csr(self.fit_rows(texts))

    def transform(self, texts: Iterable[str]) -> csr_matrix:
        """The weights of texts, as a sparse float32 matrix; unknown words are left out."""
        return _csr(self.rows(texts))

    def fit_rows(self, texts: Iterable[str]) -> WeightedRows:
        """As ``fit_transform``, without scipy and with the counts of known and unknown words."""
        rows = self.weight_rows(self._learn(texts), scaled=False)
        self.typical_length_ = typical_of(*square_lengths(rows))
        return self._scaled(rows)

    def rows(self, texts: Iterable[str]) -> WeightedRows:
        """As ``transform``, without scipy and with the counts of known and unknown words."""
        self._check_fitted()
        return self.weight_rows(intern_texts(texts, self.tokenizer))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The words in the order of the columns, each in its most frequent form."""
        self._check_fitted()
        return np.array(self.words_.surfaces, dtype=object)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """From a term (stem) to its column."""
        return self.words_.index

    def to_plain(self) -> dict[str, Any]:
        """The parameters as values that a file can hold: a tokeniser of the user's own is left out."""
        named = isinstance(self.tokenizer, str)
        return self.get_params() | {"tokenizer": self.tokenizer if named else None}

    @classmethod
    def from_plain(cls, parameters: Mapping[str, Any], tokenizer: str | Tokenizer | None = None) -> Self:
        """A vectorizer of the parameters that ``to_plain`` gave, and the tokeniser that they left out.

        >>> TextVectorizer.from_plain(TextVectorizer(tokenizer=str.split).to_plain())
        Traceback (most recent call last):
        tacit.text.tokenizers.TokenizerNeededError: the model was trained with a tokeniser of its own: ...
        """
        chosen = tokenizer or parameters["tokenizer"]
        if chosen is None:
            raise TokenizerNeededError(
                "the model was trained with a tokeniser of its own: load(folder, tokenizer=...)"
            )
        find_tokenizer(chosen)
        return cls(**{**parameters, "tokenizer": chosen})

    def learnt(self) -> dict[str, Any]:
        """What ``fit`` found besides words and their weights, as plain values."""
        return {"texts": self.n_texts_, "min_df": self.min_df_, "typical_length": self.typical_length_}

    def restore(self, learnt: Mapping[str, Any], words: Vocabulary, idf: NDArray[np.float64]) -> None:
        """Take what ``fit`` had found, from a file that nobody has checked."""
        self.check()
        if len(words) and int(words.df.min()) < 1:
            raise InputError(f"a word is in {words.df.min()} texts: every word of a model is in one or more")
        if not np.all(np.abs(idf) <= HEAVIEST):
            raise InputError(f"a word weighs {idf[np.argmax(np.abs(idf))]:g}: weights are logarithms")
        self.words_, self.idf_ = words, idf
        self.n_texts_, self.min_df_ = (check_int(name, learnt[name]) for name in ("texts", "min_df"))
        self.typical_length_ = check_float("typical_length", learnt["typical_length"], 1e-9, 1e9)

    def normalizer(self) -> Normalizer:
        """What brings tokens to terms."""
        return normalizer(self.language, self.normalize, self.numbers, self.accents)

    def term(self, word: str) -> str:
        """The term of a single word as people write it."""
        tokens = intern_texts([word], self.tokenizer).tokens
        if len(tokens) != 1:
            raise InputError(f"{word!r} is {len(tokens)} words: give a single one")
        return self.normalizer()(tokens)[0]

    def new_words(
        self, texts: Iterable[str], min_df: int | None = None
    ) -> tuple[WeightedRows, Vocabulary, WeightedRows]:
        """Words not known yet: the rows of known words, the new words, and the rows of the new words."""
        self._check_fitted()
        seen = intern_texts(texts, self.tokenizer)
        normalize = self.normalizer()
        least = self.min_df_ if min_df is None else check_int("min_df", min_df)
        new = learn_vocabulary(seen, normalize, least, known=self.words_, min_count=self.min_count)
        idf = word_weight(new.df, self.n_texts_ + len(seen.counts), self.idf)
        rows = weighted_rows(seen, new.columns(seen.tokens, normalize), idf, self.tf)
        known = self.weight_rows(seen, scaled=False)
        return self._scaled(known), new, self._scaled(rows, known)

    def extend(self, new: Vocabulary, n_more: int) -> None:
        """Append new words, weighed as if the corpus had ``n_more`` more texts; nothing else moves."""
        idf = word_weight(new.df, self.n_texts_ + n_more, self.idf)
        self.words_, self.idf_ = self.words_.extended(new), np.concatenate([self.idf_, idf])

    def check(self) -> None:
        """Raise an error for a parameter that cannot be."""
        self.normalizer()
        if self.min_df != "auto":
            check_int("min_df", self.min_df)
        if self.max_features is not None:
            check_int("max_features", self.max_features)
        check_int("min_count", self.min_count)
        for name, table in (("tf", TERM_WEIGHTS), ("idf", WORD_WEIGHTS), ("length", ROW_LENGTHS)):
            check_choice(name, getattr(self, name), table)

    def least_df(self, n_texts: int) -> int:
        """In how many of so many texts a word must be."""
        return auto_min_df(n_texts) if isinstance(self.min_df, str) else self.min_df

    def _learn(self, texts: Iterable[str]) -> Occurrences:
        self.check()
        seen = intern_texts(texts, self.tokenizer)
        self.n_texts_ = len(seen.counts)
        self.min_df_ = self.least_df(self.n_texts_)
        self.words_ = learn_vocabulary(
            seen, self.normalizer(), self.min_df_, self.max_features, min_count=self.min_count
        )
        self.idf_ = word_weight(self.words_.df, self.n_texts_, self.idf)
        return seen

    def weight_rows(
        self, seen: Occurrences, columns: NDArray[np.int32] | None = None, scaled: bool = True
    ) -> WeightedRows:
        """Return the weights of tokenized texts.

        ``columns`` holds the column of each distinct token, or -1; by default it is looked up in the
        vocabulary. Without ``scaled`` the rows keep their lengths.
        """
        if columns is None:
            columns = self.words_.columns(seen.tokens, self.normalizer())
        rows = weighted_rows(seen, columns, self.idf_, self.tf)
        return self._scaled(rows) if scaled else rows

    def _scaled(self, rows: WeightedRows, by: WeightedRows | None = None) -> WeightedRows:
        """Scale rows by their own lengths, or by those of the rows ``by``."""
        if self.length == "keep":
            return rows
        lengths = row_norms((by or rows).indptr, (by or rows).data)
        lengths = np.where(lengths > 0, lengths, 1.0)
        scale = row_scale(lengths, self.typical_length_, self.n_texts_, self.length)
        data = rows.data * np.repeat(scale, np.diff(rows.indptr)).astype(np.float32)
        return replace(rows, data=data)


def weighted_rows(
    seen: Occurrences, columns: NDArray[np.int32], idf: NDArray[np.float64], tf: str
) -> WeightedRows:
    """Count the tokens of each text by column and weigh the counts; a weight of zero is not stored."""
    indptr, indices, data, unknown = count_rows(seen.ids, seen.counts, columns, len(idf))
    words = np.repeat(seen.counts, np.diff(indptr))
    weights = (term_weight(data, words, tf) * idf[indices]).astype(np.float32)
    if not weights.all():
        stored = weights != 0
        indptr = np.concatenate([[0], np.cumsum(stored)])[indptr]
        indices, weights = indices[stored], weights[stored]
    known = seen.counts - unknown
    return WeightedRows(indptr, indices, weights, (len(seen.counts), len(idf)), known, unknown)


def square_lengths(rows: WeightedRows) -> tuple[float, int]:
    """Return the sum of the squared lengths of rows, and the number of rows that are not empty."""
    filled = int(np.count_nonzero(np.diff(rows.indptr)))
    return float(np.square(rows.data, dtype=np.float64).sum()), filled


def typical_of(squares: float, filled: int) -> float:
    """Return the root mean square of the lengths of ``filled`` rows; 1 if that is 0."""
    return float(np.sqrt(squares / max(filled, 1))) or 1.0


def auto_min_df(n_texts: int) -> int:
    """In how many texts a word must be, the more the more texts there are.

    >>> [auto_min_df(n) for n in (20, 20_000, 200_000, 5_000_000)]
    [1, 1, 2, 3]
    """
    return max(1, round(log10(max(n_texts, 1) / 2000)))


def _csr(rows: WeightedRows) -> csr_matrix:
    from scipy.sparse import csr_matrix

    return csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
