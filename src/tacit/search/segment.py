"""A run of the texts of an index that never changes, in memory or mapped from a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.threads import ranges
from tacit.errors import ModelError
from tacit.models.language import Language
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet, TokenTable
from tacit.search.bm25 import Postings
from tacit.search.record_columns import Column, read_columns
from tacit.search.stored_vectors import StoredVectors
from tacit.search.string_array import StringArray, StringIndex, take_slices
from tacit.storage import ArrayFile, release_pages
from tacit.storage.stored_model import ArrayReader, check_range

if TYPE_CHECKING:
    from tacit.search.approximate import HnswGraph

Array = NDArray[Any]

TABLES = ("ids", "texts", "records")
DERIVED = ("names", "postings", "columns", "record_columns")
"""What follows from the rest; all but the last is kept in the file of a segment."""

ENCODE_BATCH = 1 << 16
"""Texts that are encoded together."""

MAX_SEGMENT_SIZE = 1 << 18
SMALL_SEGMENT_SIZE = 1 << 13
"""Texts of a segment at the most; and those that are still joined by what comes after them."""


@dataclass(frozen=True, eq=False)
class Segment:
    """Texts with their tokens, unit vectors, ids and kept columns; a row for each.

    ``token_ids`` has the tokens of all texts, one after another, as places in ``tokens``, ``token_starts``
    where those of each text start, ``spoken`` the number of its language. ``part`` is the file that holds all
    this, if there is one; ``graph`` links the vectors, ``graph_part`` is the file of that.
    """

    model: TextModel
    tokens: StringArray
    token_ids: Array
    token_starts: Array
    spoken: Array
    vectors: StoredVectors
    ids: StringArray
    texts: StringArray
    records: StringArray
    part: ArrayFile | None = None
    graph: HnswGraph | None = None
    graph_part: ArrayFile | None = None

    @classmethod
    def of(
        cls, seen: TextSet, precision: str, texts: Sequence[str], ids: Sequence[str], records: Sequence[str]
    ) -> Segment:
        """Texts that were seen by the model."""
        vectors = StoredVectors.quantize(unit(np.asarray(seen.vectors, np.float32)), precision)
        tokens, spoken = StringArray.from_strings(seen.tokens.strings), seen.language_ids.astype(np.int16)
        tables = (
            StringArray.from_strings(ids),
            StringArray.from_strings(texts),
            StringArray.from_strings(records),
        )
        found = cls(seen.model, tokens, seen.token_ids, seen.token_starts, spoken, vectors, *tables)
        found.__dict__["columns"] = _all_columns(seen.tokens)
        return found

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.token_starts) - 1

    @cached_property
    def names(self) -> StringIndex:
        """Finds the row of an id."""
        return StringIndex.build(self.ids)

    @cached_property
    def postings(self) -> Postings:
        """Which texts have which term."""
        texts = TextSet(self.model, self._table, self.token_ids, np.diff(self.token_starts))
        texts.language_ids = self.spoken.astype(np.int64)
        return Postings.of(texts)

    @cached_property
    def columns(self) -> Array:
        """The place of every token's word in each language of the model, or -1: languages x tokens."""
        return _all_columns(self._table)

    @cached_property
    def record_columns(self) -> dict[str, Column]:
        """The columns stored with the texts, by name."""
        return read_columns(self.records, len(self))

    @property
    def _languages(self) -> list[Language]:
        return list(self.model.languages.values())

    @property
    def _table(self) -> TokenTable:
        return TokenTable(self._languages, list(self.tokens))

    def taken(self, rows: Array, longest: int | None = None) -> TextSet:
        """Some of the texts as the model sees them, no more than the first so many tokens of each."""
        ids, counts = take_slices(self.token_ids, self.token_starts, rows, longest)
        used, ids = np.unique(ids, return_inverse=True)
        columns = {number: own[used] for number, own in enumerate(self.columns)}
        table = TokenTable(self._languages, self.tokens.decode(used), columns)
        found = TextSet(self.model, table, ids.astype(np.int32), counts)
        found.language_ids = self.spoken[rows].astype(np.int64)
        if longest is None and not self.vectors.is_full_precision:
            found.vectors = unit(np.asarray(found.vectors, np.float32))
        else:
            found.vectors = self.full_precision_vectors(rows)
        return found

    def full_precision_vectors(self, rows: Array) -> Array:
        """The vectors of some rows as they were before they were rounded, if they were: folded in again."""
        return self.vectors.to_float32(rows) if self.vectors.is_full_precision else self.taken(rows).vectors

    def takes_more(self, n: int, most: int) -> bool:
        """Whether n more texts may still join it: a small one that no graph links."""
        return (
            len(self) < SMALL_SEGMENT_SIZE and len(self) + n <= most and not (self.graph or self.graph_part)
        )

    def linked(self, graph: HnswGraph | None, part: ArrayFile | None = None) -> Segment:
        """The same segment with a graph, and what is known of it."""
        found = replace(self, graph=graph, graph_part=part)
        found.__dict__.update({k: v for k, v in self.__dict__.items() if k in DERIVED})
        return found

    @classmethod
    def merged(cls, segments: Sequence[Segment], rows: Sequence[Array] | None = None) -> Segment:
        """The texts of several segments, or some rows of each, as one."""
        if rows is not None:
            segments = [each.take(own) for each, own in zip(segments, rows, strict=True)]
        if len(segments) == 1:
            return segments[0]
        places: dict[str, int] = {}
        place_of = [
            np.fromiter((places.setdefault(t, len(places)) for t in each.tokens), np.int32, len(each.tokens))
            for each in segments
        ]
        counts = np.concatenate([np.diff(each.token_starts) for each in segments])
        found = cls(
            segments[0].model,
            StringArray.from_strings(places),
            np.concatenate([own[each.token_ids] for own, each in zip(place_of, segments, strict=True)]),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
            np.concatenate([each.spoken for each in segments]),
            StoredVectors.concat([each.vectors for each in segments]),
            StringArray.concat([each.ids for each in segments]),
            StringArray.concat([each.texts for each in segments]),
            StringArray.concat([each.records for each in segments]),
        )
        columns = np.empty((min(len(each.columns) for each in segments), len(places)), np.int32)
        for own, each in zip(place_of, segments, strict=True):
            columns[:, own] = each.columns[: len(columns)]
        found.__dict__["columns"] = columns
        return found

    def take(self, rows: Array) -> Segment:
        """Some rows of this one; all of them are the segment itself."""
        if len(rows) == len(self):
            return self
        ids, counts = take_slices(self.token_ids, self.token_starts, rows)
        used, ids = np.unique(ids, return_inverse=True)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        tables = (self.ids.take(rows), self.texts.take(rows), self.records.take(rows))
        own = (self.tokens.take(used), ids.astype(np.int32), starts, self.spoken[rows])
        found = Segment(self.model, *own, self.vectors.take(rows), *tables)
        found.__dict__["columns"] = self.columns[:, used]
        return found

    def to_arrays(self) -> dict[str, Array]:
        """All there is, by name: what a file of a segment holds."""
        found = {
            "token_ids": self.token_ids,
            "token_starts": self.token_starts,
            "spoken": self.spoken,
            "columns": self.columns,
            **self.tokens.to_arrays("tokens"),
            **self.vectors.to_arrays(),
            **self.names.to_arrays("ids"),
            **self.postings.to_arrays(),
        }
        for name in TABLES:
            found |= getattr(self, name).to_arrays(name)
        return found

    @classmethod
    def from_part(cls, model: TextModel, part: ArrayFile, graph_part: ArrayFile | None = None) -> Segment:
        """Read a segment from its file and check what the kernels assume."""
        arrays, reader = part.arrays, ArrayReader(part.arrays)
        tokens, ids, texts, records = (StringArray.from_arrays(arrays, name) for name in ("tokens", *TABLES))
        n = len(texts)
        if len(ids) != n or len(records) != n:
            raise ModelError(f"{len(ids)} ids and {len(records)} records for {n} texts: build it again")
        token_ids = reader.indices("token_ids", np.int32, (None,), len(tokens))
        starts = reader.offsets("token_starts", n, len(token_ids))
        spoken = reader.indices("spoken", np.int16, (n,), len(model.languages))
        vectors = StoredVectors.from_arrays(arrays, n, model.n_components)
        fields = (tokens, token_ids, starts, spoken, vectors, ids, texts, records)
        found = cls(model, *fields, part, None, graph_part)
        found.__dict__["names"] = StringIndex.from_arrays(arrays, "ids", ids)
        found.__dict__["postings"] = Postings.from_arrays(arrays, starts)
        found.__dict__["columns"] = _read_columns(model, reader, len(tokens))
        release_pages(arrays)
        return found


def build_segments(
    model: TextModel, precision: str, texts: list[str], ids: list[str], records: list[str], max_size: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Segment]:  # fmt: skip
    """Encode new texts batch by batch, as segments of at most ``max_size`` texts."""
    segments = []
    for first, last in ranges(len(texts), max_size):
        parts = []
        for start in range(first, last, ENCODE_BATCH):
            rows = slice(start, min(start + ENCODE_BATCH, last))
            text_set = TextSet.from_texts(model, texts[rows])
            parts.append(Segment.of(text_set, precision, texts[rows], ids[rows], records[rows]))
            if progress:
                progress(rows.stop, len(texts))
        segments.append(Segment.merged(parts))
    return segments


def _all_columns(table: TokenTable) -> Array:
    return np.stack([table.word_columns(number) for number in range(len(table.languages))])


def _read_columns(model: TextModel, reader: ArrayReader, n_tokens: int) -> Array:
    """Read the column of each token in the languages that the model had when the segment was written."""
    columns = reader.array("columns", np.int32, (None, n_tokens))
    if not 1 <= len(columns) <= len(model.languages):
        raise ModelError(
            f"columns of {len(columns)} languages, not of {len(model.languages)}: build it again"
        )
    for row, language in zip(columns, model.languages.values(), strict=False):
        check_range("columns", row, -1, len(language.vectorizer.words_) - 1)
    return columns
