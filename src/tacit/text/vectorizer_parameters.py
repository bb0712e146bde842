"""Parameters of TextVectorizer, and what follows from them without a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log10
from typing import Any, Self

from tacit.checks import check_choice, check_int
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.text.normalization import Normalizer, make_normalizer
from tacit.text.token_ids import TokenizedTexts, tokenize_texts
from tacit.text.tokenizers import URL_CHOICES, MissingTokenizerError, Tokenizer, resolve_tokenizer
from tacit.text.weighting import IDF_SCHEMES, LENGTH_SCHEMES, TF_SCHEMES


@dataclass(eq=False, repr=False)
class VectorizerParameters(Estimator):
    """Base class of TextVectorizer with its parameters, which are documented there."""

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
    urls: str = "token"

    @classmethod
    def paper(cls, **overrides: Any) -> Self:
        """Create a vectorizer with the settings of Guo & Diab (ACL 2012).

        Terms in two texts or more, plain tf-idf, no length normalization. The paper ignores terms that occur
        once in the corpus: ``paper(min_df=1, min_count=2)``.

        Parameters
        ----------
        **overrides : object
            Parameters that differ from the paper's.

        Returns
        -------
        TextVectorizer
            The vectorizer.
        """
        settings = {
            "min_df": 2,
            "tf": "raw",
            "idf": "plain",
            "length": "keep",
            "tokenizer": "letters",
            "urls": "split",
        }
        return cls(**{**settings, **overrides})

    def check_params(self) -> None:
        """Raise InputError for an invalid parameter."""
        self.make_normalizer()
        if self.min_df != "auto":
            check_int("min_df", self.min_df)
        if self.max_features is not None:
            check_int("max_features", self.max_features)
        check_int("min_count", self.min_count)
        check_choice("urls", self.urls, URL_CHOICES)
        for name, schemes in (("tf", TF_SCHEMES), ("idf", IDF_SCHEMES), ("length", LENGTH_SCHEMES)):
            check_choice(name, getattr(self, name), schemes)

    def resolve_min_df(self, n_texts: int) -> int:
        """Return ``min_df`` for a number of texts.

        Parameters
        ----------
        n_texts : int
            The number of training texts.

        Returns
        -------
        int
            The parameter ``min_df``, or the value that "auto" stands for.
        """
        return auto_min_df(n_texts) if isinstance(self.min_df, str) else self.min_df

    def make_normalizer(self) -> Normalizer:
        """Create the function from tokens to terms.

        Returns
        -------
        callable
            A function from a list of tokens to the list of their terms.
        """
        return make_normalizer(self.language, self.normalize, self.numbers, self.accents)

    def tokenize(self, texts: Iterable[str]) -> TokenizedTexts:
        """Split texts into tokens.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        TokenizedTexts
            The token ids of all texts.
        """
        return tokenize_texts(texts, self.tokenizer, self.urls)

    def normalize_word(self, word: str) -> str:
        """Return the term of a single word.

        Parameters
        ----------
        word : str
            A word as it occurs in texts.

        Returns
        -------
        str
            Its term.

        Raises
        ------
        InputError
            If the tokenizer does not return exactly one token.
        """
        tokens = self.tokenize([word]).tokens
        if len(tokens) != 1:
            raise InputError(f"{word!r} is {len(tokens)} words: give a single one")
        return self.make_normalizer()(tokens)[0]

    def params_to_dict(self) -> dict[str, Any]:
        """Return the parameters as values that JSON can hold.

        Returns
        -------
        dict of str to object
            The parameters; ``tokenizer`` is None if it is a function.
        """
        is_named = isinstance(self.tokenizer, str)
        return self.get_params() | {"tokenizer": self.tokenizer if is_named else None}

    @classmethod
    def from_params_dict(
        cls, parameters: Mapping[str, Any], tokenizer: str | Tokenizer | None = None
    ) -> Self:
        """Create a vectorizer from the result of ``params_to_dict``.

        Parameters
        ----------
        parameters : mapping of str to object
            The parameters.
        tokenizer : str or callable, optional
            The tokenizer, if the parameters do not name one.

        Returns
        -------
        TextVectorizer
            The vectorizer, not fitted.

        Raises
        ------
        MissingTokenizerError
            If the parameters do not name a tokenizer and none is passed.

        Examples
        --------
        >>> from tacit import TextVectorizer
        >>> TextVectorizer.from_params_dict(TextVectorizer(tokenizer=str.split).params_to_dict())
        Traceback (most recent call last):
        tacit.text.tokenizers.MissingTokenizerError: the model was trained with a custom tokenizer: ...
        """
        chosen = tokenizer or parameters["tokenizer"]
        if chosen is None:
            problem = "the model was trained with a custom tokenizer"
            raise MissingTokenizerError(f"{problem}: pass it, load(folder, tokenizer=...)")
        resolve_tokenizer(chosen)
        return cls(**{"urls": "split", **parameters, "tokenizer": chosen})  # split: before there was a choice


def auto_min_df(n_texts: int) -> int:
    """Return the minimum document frequency that ``min_df="auto"`` uses; it grows with the number of texts.

    >>> [auto_min_df(n) for n in (20, 20_000, 200_000, 5_000_000)]
    [1, 1, 2, 3]
    """
    return max(1, round(log10(max(n_texts, 1) / 2000)))
