"""Texts tokenized for a model; weights, vectors and term ids are computed on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_text_input, format_count
from tacit.compute.cosine import normalize_rows
from tacit.compute.csr import equal_slices, take_slices
from tacit.errors import InputError
from tacit.models.token_tables import TokenTable
from tacit.text.counting_kernels import count_distinct_tokens
from tacit.text.token_ids import TokenizedTexts
from tacit.text.weighting import TfidfRows
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

LanguageCodes = str | Sequence[str | None] | None
"""One code for all texts, or a code for each text; None: detect the language."""

_UNSEEN_PROBABILITY = 1e-7  # of a word that a language does not have


class TextSet:
    """Texts tokenized for a model.

    ``token_ids`` holds the tokens of all texts, one text after another, as positions in ``tokens``;
    ``lengths`` the number of tokens of each text; ``token_starts`` the offset of each text in ``token_ids``,
    and its end; ``language_ids`` the position of each text's language in the model. ``raw_texts`` are the
    texts themselves, for an encoder. ``cache`` is for the measures, by name.
    """

    def __init__(
        self, model: TextModel, tokens: TokenTable, token_ids: Array, lengths: Array,
        language_ids: Array | None = None,
    ) -> None:  # fmt: skip
        """Store tokens; without ``language_ids`` all texts are in the pivot language."""
        self.model, self.tokens = model, tokens
        self.token_ids, self.lengths = token_ids, lengths
        self.token_starts: NDArray[np.int64] = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        pivot_ids = np.zeros(len(lengths), np.int64)
        self.language_ids: NDArray[np.int64] = pivot_ids if language_ids is None else language_ids
        self.raw_texts: list[str] | None = None
        self._weighted_rows: dict[int, TfidfRows] = {}
        self.cache: dict[str, Any] = {}

    def cached(self, name: str, compute: Callable[[TextSet], Any]) -> Any:
        """Return what a measure computes once for all texts."""
        if name not in self.cache:
            self.cache[name] = compute(self)
        return self.cache[name]

    @classmethod
    def from_texts(cls, model: TextModel, texts: Iterable[str], language: LanguageCodes = None) -> TextSet:
        """Tokenize texts and detect languages that are not given."""
        languages = list(model.languages.values())
        raw_texts = None
        if model.outside is not None:
            check_text_input(texts)
            texts = raw_texts = list(texts)
        tokenized = languages[0].vectorizer.tokenize(texts)
        text_set = cls(model, TokenTable(languages, tokenized.tokens), tokenized.ids, tokenized.lengths)
        text_set.raw_texts = raw_texts
        text_set.language_ids = text_set._resolve_languages(language)
        return text_set

    @classmethod
    def from_two_lists(
        cls, model: TextModel, a: Iterable[str], b: Iterable[str], *languages: LanguageCodes
    ) -> tuple[TextSet, int, int]:
        """Tokenize two lists of texts as one set; returns it and the lengths of the lists."""
        for texts in (a, b):
            check_text_input(texts)
        sides = list(a), list(b)
        codes = list(chain(*map(languages_per_text, languages, map(len, sides))))
        return cls.from_texts(model, chain(*sides), codes), len(sides[0]), len(sides[1])

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.lengths)

    def _resolve_languages(self, language: LanguageCodes) -> NDArray[np.int64]:
        if language is None:
            return self.detect_languages()
        codes = languages_per_text(language, len(self))
        distinct = {language} if isinstance(language, str) else set(codes)
        id_of = {code: -1 if code is None else self.model.language_id(code) for code in distinct}
        ids = np.array([id_of[code] for code in codes], np.int64)
        return np.where(ids < 0, self.detect_languages(), ids) if -1 in id_of.values() else ids

    def detect_languages(self) -> NDArray[np.int64]:
        """Return the most likely language of each text, from the document frequencies of its words."""
        languages = self.tokens.languages
        if len(languages) == 1:
            return np.zeros(len(self), np.int64)
        log_likelihood = np.zeros((len(self), len(languages)))
        for language_id, language in enumerate(languages):
            columns = self.tokens.word_columns(language_id)
            probability = np.where(columns >= 0, language.relative_doc_freqs[columns], 0.0)
            logs = np.log(probability + _UNSEEN_PROBABILITY)[self.token_ids]
            total = np.concatenate([[0.0], np.cumsum(logs)])
            log_likelihood[:, language_id] = total[self.token_starts[1:]] - total[self.token_starts[:-1]]
        return np.asarray(log_likelihood.argmax(axis=1), np.int64)

    def texts_in(self, language_id: int) -> NDArray[np.int64]:
        """Return the positions of the texts in a language."""
        return np.flatnonzero(self.language_ids == language_id)

    def weighted_rows(self, language_id: int) -> TfidfRows:
        """Return the word weights of the texts in one language."""
        if language_id not in self._weighted_rows:
            mask, ids, lengths = self.language_ids == language_id, self.token_ids, self.lengths
            if not mask.all():
                ids, lengths = ids[np.repeat(mask, lengths)], lengths[mask]
            tokenized = TokenizedTexts(ids, lengths, self.tokens.strings)
            vectorizer = self.tokens.languages[language_id].vectorizer
            columns = self.tokens.word_columns(language_id)
            self._weighted_rows[language_id] = vectorizer.weight_rows(tokenized, columns)
        return self._weighted_rows[language_id]

    def term_ids(self) -> NDArray[np.int64]:
        """Return the term id of each token of each text, in the language of the text."""
        ids = np.zeros(len(self.token_ids), np.int64)
        for language_id in self.language_ids_present:
            mask = np.repeat(self.language_ids == language_id, self.lengths)
            ids[mask] = self.tokens.term_ids(language_id)[self.token_ids[mask]]
        return ids

    @classmethod
    def concat(cls, parts: Sequence[TextSet]) -> TextSet:
        """Concatenate text sets; each distinct token is stored once."""
        strings, new_ids = merge_token_lists([part.tokens.strings for part in parts])
        language_ids = np.concatenate([part.language_ids for part in parts])
        word_columns = {i: np.empty(len(strings), np.int32) for i in np.unique(language_ids).tolist()}
        for ids, part in zip(new_ids, parts, strict=True):
            for language_id, columns in word_columns.items():
                columns[ids] = part.tokens.word_columns(language_id)
        texts = cls(
            parts[0].model,
            TokenTable(parts[0].tokens.languages, strings, word_columns),
            np.concatenate([ids[part.token_ids] for ids, part in zip(new_ids, parts, strict=True)]),
            np.concatenate([part.lengths for part in parts]),
            language_ids,
        )
        texts.vectors = np.concatenate([part.vectors for part in parts])
        outside = [part.outside_vectors for part in parts if part.outside_vectors is not None]
        texts.outside_vectors = np.concatenate(outside) if len(outside) == len(parts) else None
        return texts

    def take(self, rows: Array) -> TextSet:
        """Return the texts in ``rows``, in this order, with the same token table."""
        if len(rows) == len(self) and bool((rows[1:] > rows[:-1]).all()):
            return self
        token_ids, lengths = take_slices(self.token_ids, self.token_starts, rows)
        texts = TextSet(self.model, self.tokens, token_ids, lengths, self.language_ids[rows])
        texts.vectors = self.vectors[rows]
        texts.outside_vectors = None if self.outside_vectors is None else self.outside_vectors[rows]
        return texts

    def are_equal(self, left: Array, right: Array) -> NDArray[np.bool_]:
        """Return whether texts ``left[i]`` and ``right[i]`` have the same tokens, at least one."""
        pairs = left.astype(np.int64), right.astype(np.int64)
        is_equal = equal_slices(self.token_ids, self.token_starts, *pairs)
        return np.asarray(is_equal & (self.language_ids[left] == self.language_ids[right]))

    @cached_property
    def distinct_tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Distinct tokens of each text and their counts, as CSR arrays (offsets, token ids, counts)."""
        return count_distinct_tokens(self.token_starts, self.token_ids, len(self.tokens))

    @cached_property
    def language_ids_present(self) -> list[int]:
        """Ids of the languages that at least one text is in."""
        return [int(language_id) for language_id in np.unique(self.language_ids)]

    @cached_property
    def n_known(self) -> NDArray[np.int64]:
        """Number of known words of each text."""
        n_known = np.zeros(len(self), np.int64)
        for language_id in self.language_ids_present:
            n_known[self.texts_in(language_id)] = self.weighted_rows(language_id).n_known
        return n_known

    def unknown_words(self, text_id: int) -> list[str]:
        """Return the distinct words of a text that its language does not have; numbers are no words."""
        ids = self.token_ids[self.token_starts[text_id] : self.token_starts[text_id + 1]]
        columns = self.tokens.word_columns(int(self.language_ids[text_id]))
        is_unknown = (columns[ids] < 0) & ~self.tokens.is_number[ids]
        return list(dict.fromkeys(self.tokens.strings[token] for token in ids[is_unknown].tolist()))

    @cached_property
    def vectors(self) -> Array:
        """Latent vectors of the texts, each from the words of its language alone."""
        vectors = np.zeros((len(self), self.model.n_components), np.float32)
        for language_id in self.language_ids_present:
            rows = self.tokens.languages[language_id].encode(self.weighted_rows(language_id))
            if len(rows) == len(self):  # all texts are in one language: no copy
                return rows
            vectors[self.texts_in(language_id)] = rows
        return vectors

    @cached_property
    def outside_vectors(self) -> Array | None:
        """Unit vectors of the texts from an encoder, or given with the texts; None without them."""
        return None if self.model.outside is None else self.model.outside.encode(self)

    @property
    def joint_vectors(self) -> Array:
        """Latent and outside vectors side by side, such that a cosine is the weighted sum of both.

        Without outside vectors, the latent vectors.
        """
        if self.outside_vectors is None:
            return self.vectors
        assert self.model.outside is not None
        share = np.float32(self.model.outside.share)
        sides = np.sqrt(1 - share) * normalize_rows(self.vectors), np.sqrt(share) * self.outside_vectors
        return np.concatenate(sides, axis=1)


def merge_token_lists(token_lists: Sequence[list[str]]) -> tuple[list[str], list[NDArray[np.int32]]]:
    """Return the distinct tokens of several lists, and for each list the positions of its tokens in them.

    >>> merge_token_lists([["a", "b"], ["b", "c"]])
    (['a', 'b', 'c'], [array([0, 1], dtype=int32), array([1, 2], dtype=int32)])
    """
    strings = list(dict.fromkeys(chain(*token_lists)))
    id_of = dict(zip(strings, range(len(strings)), strict=True))
    return strings, [np.fromiter(map(id_of.__getitem__, t), np.int32, len(t)) for t in token_lists]


def languages_per_text(language: LanguageCodes, n: int) -> list[str | None]:
    """Return a language code, or None, for each of n texts."""
    if language is None or isinstance(language, str):
        return [language] * n
    codes = list(language)
    if len(codes) != n:
        counts = f"{format_count(len(codes), 'language')} for {format_count(n, 'text')}"
        raise InputError(f"{counts}: give one for each text, or one for all")
    return codes
