"""Immutable block of texts with tokens, vectors, ids and records, in memory or memory-mapped."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.compute.csr import take_slices
from tacit.compute.threads import split_range
from tacit.errors import ModelError
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet, merge_token_lists
from tacit.models.token_tables import JoinedTokens, TokenTable
from tacit.search.bm25 import Postings
from tacit.search.record_columns import Column, column_names, read_columns
from tacit.search.stored_vectors import StoredVectors
from tacit.search.string_array import StringArray
from tacit.storage import ArrayFile, release_pages
from tacit.storage.stored_model import ArrayReader, check_range
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.search.approximate import HnswGraph

STRING_FIELDS = ("ids", "texts", "records")

ENCODE_BATCH = 1 << 16
"""Texts that are encoded together."""

OUTSIDE_PRECISION = "float16"
"""Precision of stored outside vectors."""

_OUTSIDE = "outside_"  # begins the names of their arrays

MAX_SEGMENT_SIZE = 1 << 18
"""Texts in a segment, unless the index sets another limit."""

MAX_TABLE_TOKENS = 1 << 16
"""Distinct tokens of a segment up to which their terms and letters are kept in memory: 16 MB."""

SMALL_SEGMENT_SIZE = 1 << 13
"""A segment with fewer texts absorbs texts that are added later."""


@dataclass(frozen=True, eq=False)
class Segment:
    """Texts with their tokens, unit vectors, ids and records, one row each.

    ``word_columns`` (languages x tokens) are the positions of the tokens' words in each language, or -1.
    ``token_ids`` holds the tokens of all texts as positions in ``tokens``; those of text i are at
    ``token_starts[i] : token_starts[i + 1]``. ``language_ids`` are positions in the model's languages.
    ``outside`` are the outside vectors, if the index has some. ``file`` and ``graph_file`` are the files of
    the segment and its graph, if they are stored.
    """

    model: TextModel
    tokens: StringArray
    word_columns: Array
    token_ids: Array
    token_starts: Array
    language_ids: Array
    vectors: StoredVectors
    ids: StringArray
    texts: StringArray
    records: StringArray
    _: KW_ONLY
    outside: StoredVectors | None = None
    file: ArrayFile | None = None
    graph: HnswGraph | None = None
    graph_file: ArrayFile | None = None
    _columns: dict[AbstractSet[str], dict[str, Column]] = field(default_factory=dict)
    _n_tokens_read: list[int] = field(default_factory=lambda: [0])

    @classmethod
    def from_text_set(cls, text_set: TextSet, precision: str, *strings: Sequence[str]) -> Segment:
        """Make a segment of tokenized texts; ``strings`` are the ids, the texts and the records."""
        tokens, outside = text_set.tokens, text_set.outside_vectors
        return cls(
            text_set.model,
            StringArray.from_strings(tokens.strings),
            np.stack([tokens.word_columns(language) for language in range(len(tokens.languages))]),
            text_set.token_ids,
            text_set.token_starts,
            text_set.language_ids.astype(np.int16),
            StoredVectors.quantize(normalize_rows(np.asarray(text_set.vectors, np.float32)), precision),
            *map(StringArray.from_strings, strings),
            outside=None if outside is None else StoredVectors.quantize(outside, OUTSIDE_PRECISION),
        )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.token_starts) - 1

    @cached_property
    def postings(self) -> Postings:
        """Inverted index of the texts."""
        table = TokenTable(list(self.model.languages.values()), list(self.tokens))
        lengths, language_ids = np.diff(self.token_starts), self.language_ids.astype(np.int64)
        return Postings.from_text_set(TextSet(self.model, table, self.token_ids, lengths, language_ids))

    @cached_property
    def column_names(self) -> dict[str, None]:
        """The names of the columns of the records, in the order in which they occur."""
        return column_names(self.records)

    def record_columns(self, names: AbstractSet[str]) -> dict[str, Column]:
        """Return the columns with these names; they are read again only if other columns are requested."""
        present = frozenset(names & self.column_names.keys())
        columns = self._columns.get(present)
        if columns is None:
            columns = read_columns(self.records, len(self), present)
            self._columns.clear()
            self._columns[present] = columns
        return columns

    def text_set(self, rows: Array, max_tokens: int | None = None) -> TextSet:
        """Return the texts of some rows, each cut to ``max_tokens`` tokens, with full-precision vectors.

        The vectors are those of the complete texts where they are stored as float32 or the texts are cut.
        """
        token_ids, lengths = take_slices(self.token_ids, self.token_starts, rows, max_tokens)
        used, token_ids = np.unique(token_ids, return_inverse=True)
        columns = {language: row[used] for language, row in enumerate(self.word_columns)}
        table = TokenTable(list(self.model.languages.values()), self.tokens.decode(used), columns)
        language_ids = self.language_ids[rows].astype(np.int64)
        texts = TextSet(self.model, table, token_ids.astype(np.int32), lengths, language_ids)
        if max_tokens is None and not self.vectors.is_full_precision:
            texts.vectors = normalize_rows(np.asarray(texts.vectors, np.float32))
        else:
            texts.vectors = self.full_precision_vectors(rows)
        if self._has_stored_outside:
            texts.outside_vectors = self.outside_vectors(rows)
        return texts

    @cached_property
    def _token_table(self) -> TokenTable:
        columns = {language: np.asarray(row) for language, row in enumerate(self.word_columns)}
        return TokenTable(list(self.model.languages.values()), list(self.tokens), columns)

    def join(self, rows: Array, queries: TextSet) -> TextSet | None:
        """Return the texts of some rows followed by queries, from a table of all tokens that is kept.

        Returns None until as many tokens were asked for as there are: making the table takes as long, and the
        only query of a process does not wait for it. Then results come sooner, with the same bits.
        """
        token_ids, lengths = take_slices(self.token_ids, self.token_starts, rows)
        self._n_tokens_read[0] += len(token_ids)
        n = len(self.tokens)
        if not self.vectors.is_full_precision or not self._n_tokens_read[0] > n <= MAX_TABLE_TOKENS:
            return None
        table, languages = self._token_table, queries.tokens.languages
        # words or a language may have been added to the model
        if [*map(id, table.languages)] != [*map(id, languages)]:
            return None
        known = np.array([table.row_of.get(token, -1) for token in queries.tokens.strings], np.int64)
        new = np.flatnonzero(known < 0)
        known[new] = n + np.arange(len(new))
        token_ids = np.concatenate([token_ids, known[queries.token_ids]])
        is_used = np.zeros(n + len(new), np.bool_)
        is_used[token_ids] = is_used[n:] = True
        tokens = JoinedTokens(table, np.flatnonzero(is_used[:n]), queries.tokens, new)
        positions = np.cumsum(is_used, dtype=np.int32) - 1
        lengths = np.concatenate([lengths, queries.lengths])
        language_ids = np.concatenate([self.language_ids[rows].astype(np.int64), queries.language_ids])
        texts = TextSet(self.model, tokens, positions[token_ids], lengths, language_ids)
        texts.vectors = np.concatenate([self.vectors.to_float32(rows), queries.vectors])
        if self._has_stored_outside:
            outside = queries.outside_vectors
            joined = None if outside is None else np.concatenate([self.outside_vectors(rows), outside])
            texts.outside_vectors = joined
        return texts

    def full_precision_vectors(self, rows: Array) -> Array:
        """Return float32 vectors; where stored vectors are rounded, the texts are encoded again."""
        if self.vectors.is_full_precision:
            return self.vectors.to_float32(rows)
        return self.text_set(rows).vectors

    @property
    def _has_stored_outside(self) -> bool:
        """Whether the texts have outside vectors that are not computed from their words."""
        outside = self.model.outside
        return self.outside is not None and outside is not None and not outside.splits_into_words

    def outside_vectors(self, rows: Array) -> Array:
        """Return the stored outside vectors of some rows as float32."""
        assert self.outside is not None
        return self.outside.to_float32(rows)

    def can_absorb(self, n: int, max_size: int) -> bool:
        """Whether n texts may be added to this segment: it is small, has no graph, and they fit."""
        is_small = len(self) < SMALL_SEGMENT_SIZE and len(self) + n <= max_size
        return is_small and not (self.graph or self.graph_file)

    def with_graph(self, graph: HnswGraph | None, graph_file: ArrayFile | None = None) -> Segment:
        """Return the same segment with a graph; cached properties are kept."""
        segment = copy(self)
        segment.__dict__.update(graph=graph, graph_file=graph_file)
        return segment

    @classmethod
    def concat(cls, segments: Sequence[Segment]) -> Segment:
        """Concatenate segments into one segment; of a single one, the segment itself."""
        if len(segments) == 1:
            return segments[0]
        tokens, new_ids = merge_token_lists([list(part.tokens) for part in segments])
        columns = np.empty((min(len(part.word_columns) for part in segments), len(tokens)), np.int32)
        for new, part in zip(new_ids, segments, strict=True):
            columns[:, new] = part.word_columns[: len(columns)]
        lengths = np.concatenate([np.diff(part.token_starts) for part in segments])
        outside = [part.outside for part in segments if part.outside is not None]
        return cls(
            segments[0].model,
            StringArray.from_strings(tokens),
            columns,
            np.concatenate([new[part.token_ids] for new, part in zip(new_ids, segments, strict=True)]),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            np.concatenate([part.language_ids for part in segments]),
            StoredVectors.concat([part.vectors for part in segments]),
            *(StringArray.concat([getattr(part, name) for part in segments]) for name in STRING_FIELDS),
            outside=StoredVectors.concat(outside) if outside else None,
        )

    def take(self, rows: Array) -> Segment:
        """Return a segment of some rows; of all rows, the segment itself."""
        if len(rows) == len(self):
            return self
        token_ids, lengths = take_slices(self.token_ids, self.token_starts, rows)
        used, token_ids = np.unique(token_ids, return_inverse=True)
        return Segment(
            self.model,
            self.tokens.take(used),
            self.word_columns[:, used],
            token_ids.astype(np.int32),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            self.language_ids[rows],
            *(getattr(self, name).take(rows) for name in ("vectors", *STRING_FIELDS)),
            outside=None if self.outside is None else self.outside.take(rows),
        )

    def to_arrays(self) -> dict[str, Array]:
        """Return the contents of the file of a segment: arrays by name."""
        arrays = {
            "token_ids": self.token_ids,
            "token_starts": self.token_starts,
            "spoken": self.language_ids,
            "columns": self.word_columns,
            **self.tokens.to_arrays("tokens"),
            **self.vectors.to_arrays(),
            **self.postings.to_arrays(),
            **({} if self.outside is None else self.outside.to_arrays(_OUTSIDE)),
        }
        for name in STRING_FIELDS:
            arrays |= getattr(self, name).to_arrays(name, with_hashes=name == "ids")
        return arrays

    @classmethod
    def from_file(cls, model: TextModel, file: ArrayFile, graph_file: ArrayFile | None = None) -> Segment:
        """Read a segment from its file and check all that the kernels rely on."""
        arrays, reader = file.arrays, ArrayReader(file.arrays)
        tokens, ids, texts, records = (
            StringArray.from_arrays(arrays, name, with_hashes=name == "ids")
            for name in ("tokens", *STRING_FIELDS)
        )
        n = len(texts)
        if len(ids) != n or len(records) != n:
            raise ModelError(
                f"the index has {len(ids)} ids and {len(records)} records for {n} texts: build it again"
            )
        token_ids = reader.indices("token_ids", np.int32, (None,), len(tokens))
        starts = reader.offsets("token_starts", n, len(token_ids))
        language_ids = reader.indices("spoken", np.int16, (n,), len(model.languages))
        vectors = StoredVectors.from_arrays(arrays, n, model.n_components)
        columns = _read_word_columns(model, reader, len(tokens))
        fields = (tokens, columns, token_ids, starts, language_ids, vectors, ids, texts, records)
        has_outside = f"{_OUTSIDE}vectors" in arrays
        outside = StoredVectors.from_arrays(arrays, n, None, _OUTSIDE) if has_outside else None
        segment = cls(model, *fields, outside=outside, file=file, graph_file=graph_file)
        segment.__dict__["postings"] = Postings.from_arrays(arrays, starts)
        release_pages(arrays)
        return segment


def build_segments(
    model: TextModel, precision: str, strings: Sequence[list[str]], max_size: int,
    progress: ProgressCallback | None = None, outside_vectors: Array | None = None,
) -> list[Segment]:  # fmt: skip
    """Encode ids, texts and records in batches, as segments of at most ``max_size`` texts."""
    texts, segments = strings[1], []
    for first, last in split_range(len(texts), max_size):
        parts = []
        for start in range(first, last, ENCODE_BATCH):
            rows = slice(start, min(start + ENCODE_BATCH, last))
            text_set = TextSet.from_texts(model, texts[rows])
            if outside_vectors is not None:
                text_set.outside_vectors = outside_vectors[rows]
            elif model.outside is not None and model.outside.splits_into_words:
                model.outside.encoder.learn_words(text_set.tokens.strings)
            parts.append(Segment.from_text_set(text_set, precision, *(part[rows] for part in strings)))
            if progress:
                progress(rows.stop, len(texts))
        segments.append(Segment.concat(parts))
    return segments


def _read_word_columns(model: TextModel, reader: ArrayReader, n_tokens: int) -> Array:
    """Read the word columns for the languages that the model had when the segment was written."""
    columns = reader.array("columns", np.int32, (None, n_tokens))
    if not 1 <= len(columns) <= len(model.languages):
        raise ModelError(
            f"array 'columns' has {len(columns)} rows for {len(model.languages)} languages: build it again"
        )
    for row, language in zip(columns, model.languages.values(), strict=False):
        check_range("columns", row, -1, len(language.vectorizer.words_) - 1)
    return columns
