"""TextVectorizer: texts to sparse tf-idf rows, with the scikit-learn API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_float, check_int
from tacit.errors import InputError
from tacit.text import weighting
from tacit.text.counting_kernels import row_norms
from tacit.text.token_ids import TokenizedTexts
from tacit.text.vectorizer_parameters import VectorizerParameters
from tacit.text.vocabulary import Vocabulary, learn_vocabulary
from tacit.text.weighting import TfidfRows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MAX_IDF = 1e4
"""Larger than any logarithm of a number of texts; a stored weight above it is an error."""


@dataclass(eq=False, repr=False)
class TextVectorizer(VectorizerParameters):
    """Turn short texts into sparse tf-idf rows.

    Texts are split into tokens, tokens are reduced to terms (stems), and the terms of each text are counted
    and weighted.

    Parameters
    ----------
    language : str, optional
        Two-letter code of the language of the stemmer; None leaves tokens unchanged.
    normalize : str
        "stem" (Snowball), "lemma" (needs the extra ``lemmas``) or "none".
    min_df : int or str
        Terms in fewer texts are ignored. "auto" is 1, and more above tens of thousands of texts.
    max_features : int, optional
        Keep at most this many terms, the most frequent.
    tf : str
        Term frequency: "damped" (to the power of .75), "raw", "log" (1 + log), "log1p" or "share" (of the
        tokens of the text).
    idf : str
        Inverse document frequency: "positive" log(1 + N/df), "plain" log(N/df), "smooth" (scikit-learn's) or
        "none".
    tokenizer : str or callable
        "words", "letters" (without emoji, ``+`` and ``#``), "characters" (trigrams; use them with
        ``language=None``), or a function from a text to its tokens.
    numbers : str
        "keep", or "merge" to map all numbers to one term.
    accents : str
        "keep", or "strip" to remove accents from terms.
    length : str
        Length normalization: "damped" scales long texts down, less so with many training texts; "equal" gives
        all rows the same norm; "keep" does not scale.
    min_count : int
        Terms with fewer occurrences in all texts together are ignored.
    urls : str
        "token" makes each URL, e-mail address and user name such as *@anna* one token of the tokenizers words
        and letters; "split" makes its parts tokens.

    Attributes
    ----------
    words_ : Vocabulary
        The terms in the order of the columns.
    idf_ : array of shape (n_terms,)
        The inverse document frequency of each term.
    n_texts_ : int
        The number of training texts.
    min_df_ : int
        The value of ``min_df`` that was used.
    rms_norm_ : float
        The root mean square of the norms of the training rows.

    Examples
    --------
    >>> vectorizer = TextVectorizer(min_df=1).fit(["The cat sat.", "Cats sleep", "A dog sleeps"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['cat', 'sleep', 'a', 'dog', 'sat', 'the']
    >>> vectorizer.transform(["sleeping cats"]).toarray().round(2).tolist()
    [[1.23, 1.23, 0.0, 0.0, 0.0, 0.0]]
    """

    words_: Vocabulary = field(init=False)
    idf_: NDArray[np.float64] = field(init=False)
    n_texts_: int = field(init=False)
    min_df_: int = field(init=False)
    rms_norm_: float = field(init=False)

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary and the weights of its terms; texts are read once.

        Parameters
        ----------
        texts : iterable of str
            The training texts.
        y : object
            Ignored; scikit-learn passes it.

        Returns
        -------
        TextVectorizer
            The fitted vectorizer.
        """
        self.fit_transform_rows(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> csr_matrix:
        """Learn the vocabulary and return the weights of the same texts.

        Parameters
        ----------
        texts : iterable of str
            The training texts.
        y : object
            Ignored; scikit-learn passes it.

        Returns
        -------
        csr_matrix of shape (n_texts, n_terms)
            The weights, in float32.
        """
        return self.fit_transform_rows(texts).to_scipy()

    def transform(self, texts: Iterable[str]) -> csr_matrix:
        """Return the weights of texts; unknown words are ignored.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        csr_matrix of shape (n_texts, n_terms)
            The weights, in float32.
        """
        return self.transform_rows(texts).to_scipy()

    def fit_transform_rows(self, texts: Iterable[str]) -> TfidfRows:
        """Fit and transform without importing scipy.

        Parameters
        ----------
        texts : iterable of str
            The training texts.

        Returns
        -------
        TfidfRows
            The arrays of the matrix, with the numbers of known and unknown tokens of each text.
        """
        rows = self.weight_rows(self._fit_vocabulary(texts), scaled=False)
        self.rms_norm_ = weighting.rms_norm(*weighting.sum_squared_norms(rows))
        return self._scale_rows(rows)

    def transform_rows(self, texts: Iterable[str]) -> TfidfRows:
        """Transform without importing scipy.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        TfidfRows
            The arrays of the matrix, with the numbers of known and unknown tokens of each text.
        """
        self._check_fitted()
        return self.weight_rows(self.tokenize(texts))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the name of each column: the most frequent surface form of its term.

        Parameters
        ----------
        input_features : object
            Ignored; scikit-learn passes it.

        Returns
        -------
        array of str
            The names.
        """
        self._check_fitted()
        return np.array(self.words_.surface_forms, dtype=object)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The column of each term (stem)."""
        return self.words_.column_of

    def fitted_state(self) -> dict[str, Any]:
        """Return the numbers learned by ``fit``, other than the vocabulary and its weights.

        Returns
        -------
        dict of str to object
            Values that JSON can hold.
        """
        return {"texts": self.n_texts_, "min_df": self.min_df_, "typical_length": self.rms_norm_}

    def set_fitted_state(self, state: Mapping[str, Any], words: Vocabulary, idf: NDArray[np.float64]) -> None:
        """Restore the state after ``fit`` from values of a file, which are checked.

        Parameters
        ----------
        state : mapping of str to object
            The result of ``fitted_state``.
        words : Vocabulary
            The vocabulary.
        idf : array of shape (n_terms,)
            The inverse document frequency of each term.

        Raises
        ------
        InputError
            If a value is invalid.
        """
        self.check_params()
        if len(words) and int(words.df.min()) < 1:
            raise InputError(f"invalid document frequency {words.df.min()}: expected at least 1")
        if not np.all(np.abs(idf) <= MAX_IDF):
            raise InputError(f"invalid idf weight {idf[np.argmax(np.abs(idf))]:g}: expected a logarithm")
        self.words_, self.idf_ = words, idf
        self.n_texts_, self.min_df_ = (check_int(name, state[name]) for name in ("texts", "min_df"))
        self.rms_norm_ = check_float("typical_length", state["typical_length"], 1e-9, 1e9)

    def fit_new_words(
        self, texts: Iterable[str], min_df: int | None = None
    ) -> tuple[TfidfRows, Vocabulary, TfidfRows]:
        """Find terms in texts that are not in the vocabulary; the vectorizer does not change.

        Parameters
        ----------
        texts : iterable of str
            New texts.
        min_df : int, optional
            Terms in fewer of the new texts are ignored; by default as in training.

        Returns
        -------
        known_rows : TfidfRows
            The weights of known terms in the texts.
        new_words : Vocabulary
            The new terms.
        new_rows : TfidfRows
            The weights of the new terms in the texts.
        """
        self._check_fitted()
        tokenized = self.tokenize(texts)
        normalize = self.make_normalizer()
        min_df = self.min_df_ if min_df is None else check_int("min_df", min_df)
        new_words = learn_vocabulary(
            tokenized, normalize, min_df, exclude=self.words_, min_count=self.min_count
        )
        idf = weighting.compute_idf(new_words.df, self.n_texts_ + len(tokenized.lengths), self.idf)
        columns = new_words.lookup_columns(tokenized.tokens, normalize)
        new_rows = weighting.compute_tfidf(tokenized, columns, idf, self.tf)
        known_rows = self.weight_rows(tokenized, scaled=False)
        return self._scale_rows(known_rows), new_words, self._scale_rows(new_rows, known_rows)

    def add_words(self, new_words: Vocabulary, n_new_texts: int) -> None:
        """Append terms to the vocabulary; the columns and weights of known terms do not change.

        Parameters
        ----------
        new_words : Vocabulary
            The new terms.
        n_new_texts : int
            The number of texts added to the corpus; it counts in the weights of the new terms.
        """
        idf = weighting.compute_idf(new_words.df, self.n_texts_ + n_new_texts, self.idf)
        self.words_, self.idf_ = self.words_.concatenate(new_words), np.concatenate([self.idf_, idf])

    def weight_rows(
        self, tokenized: TokenizedTexts, columns: NDArray[np.int32] | None = None, scaled: bool = True
    ) -> TfidfRows:
        """Return the weights of tokenized texts.

        Parameters
        ----------
        tokenized : TokenizedTexts
            The texts.
        columns : array of int, optional
            The column of each distinct token, or -1; by default it is looked up in the vocabulary.
        scaled : bool
            Apply length normalization.

        Returns
        -------
        TfidfRows
            The arrays of the matrix.
        """
        if columns is None:
            columns = self.words_.lookup_columns(tokenized.tokens, self.make_normalizer())
        rows = weighting.compute_tfidf(tokenized, columns, self.idf_, self.tf)
        return self._scale_rows(rows) if scaled else rows

    def _fit_vocabulary(self, texts: Iterable[str]) -> TokenizedTexts:
        """Learn the vocabulary and its weights, and return the tokenized texts."""
        self.check_params()
        tokenized = self.tokenize(texts)
        self.n_texts_ = len(tokenized.lengths)
        self.min_df_ = self.resolve_min_df(self.n_texts_)
        self.words_ = learn_vocabulary(
            tokenized, self.make_normalizer(), self.min_df_, self.max_features, min_count=self.min_count
        )
        self.idf_ = weighting.compute_idf(self.words_.df, self.n_texts_, self.idf)
        return tokenized

    def _scale_rows(self, rows: TfidfRows, norms_from: TfidfRows | None = None) -> TfidfRows:
        """Scale rows by their norms, or by those of the rows ``norms_from``."""
        if self.length == "keep":
            return rows
        norms = row_norms((norms_from or rows).indptr, (norms_from or rows).data)
        norms = np.where(norms > 0, norms, 1.0)
        scale = weighting.compute_row_scale(norms, self.rms_norm_, self.n_texts_, self.length)
        data = rows.data * np.repeat(scale, np.diff(rows.indptr)).astype(np.float32)
        return replace(rows, data=data)
