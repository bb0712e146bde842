"""Outside vectors: vectors of texts that were not learned from the collection, as a part of its scores.

A model gets them from an encoder, or an index receives them with its texts. The measures ``blend`` and
``hybrid`` then are

    share cos(a, b) + (1 - share) measure(a, b)

with the outside vectors of the texts in the cosine. From a static encoder, a model keeps the vectors of its
words and of common words, so that no encoder is needed afterwards and the cosine splits into words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacit.checks import check_float
from tacit.compute.cosine import normalize_rows, paired_cosines
from tacit.errors import InputError
from tacit.models.encoders import CONTINUATION, StaticEncoder, load_encoder
from tacit.models.measure import Table, TextGroups
from tacit.models.measures.latent import contribution_table
from tacit.storage.stored_model import ArrayReader, StoredModel
from tacit.text.token_ids import tokenize_texts
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.model_languages import ModelLanguages
    from tacit.models.text_set import TextSet

Model = TypeVar("Model", bound="ModelLanguages")

DEFAULT_SHARE = 0.6
"""Share of an encoder of texts, and of vectors that are given."""

STATIC_SHARES = 0.2, 0.6
"""Lowest and highest share of a static encoder."""

_MAX_PIECE_LETTERS = 40

OUTSIDE = "outside"
"""The name of the part of the outside vectors in an explanation."""


class WordTable:
    """Words with the sums of their token vectors: what a model keeps of a static encoder.

    ``vectors`` has a row of float16 for each of ``words``; ``source`` is the name and the digest of the
    encoder; the encoder itself, if it is at hand, gives the vectors of further words.
    """

    def __init__(
        self, words: list[str], vectors: Array, source: dict[str, str], encoder: StaticEncoder | None = None
    ) -> None:
        """Store the words and their vectors."""
        self.words, self.vectors, self.source, self.encoder = words, vectors, source, encoder
        self._row_of = dict(zip(words, range(len(words)), strict=True))

    @classmethod
    def from_encoder(cls, encoder: StaticEncoder, words: Iterable[str]) -> WordTable:
        """Take the vectors of words, and of the pieces that further words are made of."""
        vectors = encoder.vectors[list(encoder.pieces.values())].astype(np.float16)
        table = cls(list(encoder.pieces), vectors, encoder.source, encoder)
        table.learn_words(words)
        return table

    def learn_words(self, words: Iterable[str]) -> None:
        """Store the vectors of further words, if the encoder is at hand."""
        if self.encoder is None:
            return
        missing = sorted({*words} - self._row_of.keys())
        vectors = self.encoder.sum_vectors(missing).astype(np.float16)
        known = np.flatnonzero(vectors.any(axis=1)).tolist()
        first, self.vectors = len(self.vectors), np.concatenate([self.vectors, vectors[known]])
        for row, position in enumerate(known, first):  # after the vectors, as others may be reading
            self.words.append(missing[position])
            self._row_of[missing[position]] = row

    def token_vectors(self, tokens: Sequence[str]) -> Array:
        """Return the vector of each token: its own, the encoder's, or the sum of those of its pieces."""
        rows = np.fromiter((self._row_of.get(token, -1) for token in tokens), np.int64, len(tokens))
        vectors = np.zeros((len(tokens), self.vectors.shape[1]), np.float32)
        vectors[rows >= 0] = self.vectors[rows[rows >= 0]]
        missing = np.flatnonzero(rows < 0)
        words = [tokens[token] for token in missing.tolist()]
        if self.encoder is not None:
            vectors[missing] = self.encoder.sum_vectors(words).astype(np.float16)
        else:
            for token, word in zip(missing.tolist(), words, strict=True):
                vectors[token] = self.vectors[self._split_word(word)].sum(axis=0, dtype=np.float32)
        return vectors

    def _split_word(self, word: str) -> list[int]:
        """Return the rows of the pieces of a word, each as long as possible; none if a part has no piece."""
        rows, start = [], 0
        while start < len(word):
            mark = CONTINUATION if start else ""
            ends = range(min(len(word), start + _MAX_PIECE_LETTERS), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._row_of), None)
            if end is None:
                return []
            rows.append(self._row_of[mark + word[start:end]])
            start = end
        return rows

    def encode_tokens(self, starts: Array, ids: Array, counts: Array, tokens: Sequence[str]) -> Array:
        """Return the sum of the vectors of the tokens of each text, CSR rows of token ids, at unit length."""
        from scipy.sparse import csr_array

        rows = csr_array((counts.astype(np.float32), ids, starts), shape=(len(starts) - 1, len(tokens)))
        return normalize_rows(np.asarray(rows @ self.token_vectors(tokens), np.float32))


@dataclass(frozen=True)
class Outside:
    """Where the outside vectors of a model's texts come from, and their share of a score.

    ``encoder`` is a `WordTable`, an object with ``encode``, or None if vectors are given with the texts.
    """

    encoder: Any
    share: float = DEFAULT_SHARE

    @property
    def splits_into_words(self) -> bool:
        """Whether the vector of a text is a sum over its words."""
        return isinstance(self.encoder, WordTable)

    @property
    def n_dimensions(self) -> int | None:
        """Number of components of a vector; None if only the encoder of texts knows it."""
        return self.encoder.vectors.shape[1] if isinstance(self.encoder, WordTable) else None

    def encode(self, texts: TextSet) -> Array | None:
        """Return the unit vectors of texts; None without an encoder, or if the raw texts are not known."""
        if isinstance(self.encoder, WordTable):
            return self.encoder.encode_tokens(*texts.distinct_tokens, texts.tokens.strings)
        if self.encoder is None or texts.raw_texts is None:
            return None
        return check_vectors(self.encoder.encode(texts.raw_texts), len(texts))

    def encode_strings(self, texts: list[str], n_dimensions: int | None = None) -> Array:
        """Return the unit vectors of texts that no model has tokenized."""
        if isinstance(self.encoder, WordTable):
            tokenized = tokenize_texts(texts)
            starts, counts = np.cumsum([0, *tokenized.lengths]), np.ones(len(tokenized.ids))
            return self.encoder.encode_tokens(starts, tokenized.ids, counts, tokenized.tokens)
        if self.encoder is None:
            raise InputError("the encoder of these texts is not stored: load the folder with encoder=")
        return check_vectors(self.encoder.encode(texts), len(texts), n_dimensions)


def combine_scores(texts: TextSet, left: Array, right: Array, scores: Array) -> Array:
    """Combine the scores of pairs with the cosines of their outside vectors, if there are any.

    A pair keeps its score if a text has no outside vector, as that of zeros.
    """
    if texts.outside_vectors is None:
        return scores
    shares = outside_shares(texts, left, right)
    cosines = paired_cosines(texts.outside_vectors, left, right).astype(np.float64)
    return np.asarray(shares * cosines + (1 - shares) * scores)


def outside_shares(texts: TextSet, left: Array, right: Array) -> Array:
    """Return the share of the outside vectors in the score of each pair: 0 if a text has none."""
    assert texts.outside_vectors is not None
    assert texts.model.outside is not None
    has_vector = texts.cached("has_outside_vector", lambda texts: np.any(texts.outside_vectors, axis=1))
    return np.where(has_vector[left] & has_vector[right], texts.model.outside.share, 0.0)


def combine_tables(
    texts: TextSet, a: TextGroups, b: TextGroups, tables: dict[str, Table]
) -> dict[str, Table]:
    """Combine contribution tables with that of the outside vectors, if these split into words."""
    if texts.outside_vectors is None:
        return tables
    assert texts.model.outside is not None
    share = float(outside_shares(texts, np.array([a.text_id]), np.array([b.text_id]))[0])
    tables = {name: (1 - share) * table for name, table in tables.items()}
    if not texts.model.outside.splits_into_words:
        return tables
    sides = [_group_vectors(texts, text) for text in (a, b)]
    return tables | {OUTSIDE: share * contribution_table(*sides)}


def _group_vectors(texts: TextSet, text: TextGroups) -> Table:
    """Return the outside vector of each word group of a text; they sum to the vector of the text."""
    assert texts.model.outside is not None
    table, (offsets, ids, counts) = texts.model.outside.encoder, texts.distinct_tokens
    words = slice(offsets[text.text_id], offsets[text.text_id + 1])
    token_vectors = texts.cached(OUTSIDE, lambda texts: table.token_vectors(texts.tokens.strings))
    vectors = np.zeros((text.n_groups, token_vectors.shape[1]))
    np.add.at(vectors, text.group_of_token, counts[words, None] * token_vectors[ids[words]])
    return vectors


def outside_part(texts: TextSet, a: int, b: int) -> float:
    """Return what the outside vectors add to the score of two texts: share cos(a, b)."""
    if texts.outside_vectors is None:
        return 0.0
    left, right = np.array([a]), np.array([b])
    cosines = paired_cosines(texts.outside_vectors, left, right)
    return float((outside_shares(texts, left, right) * cosines)[0])


def remaining_threshold(model: ModelLanguages, threshold: float) -> float:
    """Return the lowest score without outside vectors of pairs that can reach a threshold with them."""
    share = 0.0 if model.outside is None else model.outside.share
    return (threshold - share) / (1 - share) if share < 1 else 0.0


def attach_encoder(model: Model, encoder: Any, share: float | None, texts: list[str]) -> Model:
    """Return a copy of a model with an encoder; see ``TextModel.with_encoder``."""
    encoder = as_encoder(encoder)
    if isinstance(encoder, StaticEncoder):
        words = [model.pivot.vectorizer.tokenize(texts).tokens]
        words += [language.vectorizer.words_.surface_forms for language in model.languages.values()]
        encoder = WordTable.from_encoder(encoder, chain(*words))
    if share is None and isinstance(encoder, WordTable):
        share = static_share(model.pivot.vectorizer.n_texts_)
    share = DEFAULT_SHARE if share is None else check_float("share", share, max_value=1)
    return with_outside(model, Outside(encoder, share))


def static_share(n_texts: int) -> float:
    """Return the share of a static encoder, by the number of texts that the model was trained on.

    The more texts, the more the model knows by itself. The constants were chosen on texts with classes, of
    300 to 4,000 training texts (``benchmarks/encoders.py``).

    >>> [round(static_share(n), 2) for n in (10, 300, 1000, 4000, 100_000)]
    [0.6, 0.5, 0.4, 0.28, 0.2]
    """
    return float(np.clip(0.5 - 0.2 * np.log10(max(n_texts, 1) / 300), *STATIC_SHARES))


def as_encoder(encoder: Any) -> Any:
    """Return an encoder, which is loaded if a path is given."""
    if isinstance(encoder, str | Path):
        return load_encoder(encoder)
    if not callable(getattr(encoder, "encode", None)):
        raise InputError(
            f"a {type(encoder).__name__} is not an encoder: pass the folder of one, or an object with "
            "encode(texts)"
        )
    return encoder


def replace_encoder(outside: Outside | None, encoder: Any) -> Outside:
    """Return stored outside vectors with their encoder, which an encoder of texts needs for new texts."""
    encoder = as_encoder(encoder)
    if outside is None:
        raise InputError("this was built without an encoder: build it again with encoder=...")
    if not isinstance(encoder, StaticEncoder):
        return Outside(encoder, outside.share)
    table = outside.encoder
    if not isinstance(table, WordTable) or table.source["sha256"] != encoder.source["sha256"]:
        name = encoder.source["name"]
        raise InputError(f"this was built with another encoder than {name}: pass the same one")
    return Outside(WordTable(table.words, table.vectors, table.source, encoder), outside.share)


def with_outside(model: Model, outside: Outside) -> Model:
    """Return a copy of a model with outside vectors, without the percentiles that these change."""
    other = copy(model)
    other.outside = outside
    other.languages = {code: copy(language) for code, language in model.languages.items()}
    for language in other.languages.values():
        quantiles = language.score_quantiles
        language.score_quantiles = {name: row for name, row in quantiles.items() if name != "blend"}
    return other


def outside_to_stored(outside: Outside) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the parameters and arrays that a model folder has of outside vectors."""
    parameters, table = {"share": outside.share, "source": None}, outside.encoder
    if not isinstance(table, WordTable):
        return parameters, {}
    words = np.frombuffer("\n".join(table.words).encode("utf-8", "surrogatepass"), np.uint8)
    return parameters | {"source": table.source}, {"outside_words": words, "outside_vectors": table.vectors}


def outside_from_stored(stored: StoredModel) -> Outside | None:
    """Read what `outside_to_stored` returned; an encoder of texts is not stored."""
    parameters, reader = stored.parameters.get("outside"), ArrayReader(stored.arrays)
    if parameters is None:
        return None
    share, table = check_float("share", parameters["share"], max_value=1), None
    if parameters["source"] is not None:
        joined = reader.array("outside_words", np.uint8, (None,)).tobytes().decode("utf-8", "surrogatepass")
        words = joined.split("\n") if joined else []
        vectors = reader.floats("outside_vectors", np.float16, (len(words), None))
        table = WordTable(words, vectors, dict(parameters["source"]))
    return Outside(table, share)


def check_vectors(vectors: Any, n_texts: int, n_dimensions: int | None = None) -> Array:
    """Return outside vectors as unit rows of float32; an error names a wrong shape or value."""
    try:
        with np.errstate(over="ignore"):
            checked = np.asarray(vectors, np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"outside vectors are not numbers in rows of one length: {error}") from None
    if checked.ndim != 2 or len(checked) != n_texts or (n_dimensions or checked.shape[1]) != checked.shape[1]:
        expected = f"({n_texts}, {n_dimensions or 'any'})"
        raise InputError(f"outside vectors of shape {checked.shape}, not {expected}: give one for each text")
    if not np.isfinite(np.einsum("ij,ij->i", checked, checked)).all():
        raise InputError("outside vectors hold NaN or infinity, or numbers above 1e18: give finite numbers")
    return normalize_rows(checked)
