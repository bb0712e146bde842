"""Read records (text, id, columns) from files, standard input and named corpora."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.corpora.column_kinds import MAX_NESTING
from tacit.corpora.reading import read_named_records, read_named_texts, read_records, read_texts
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions, Record
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.corpora.partitions import Partition

T = TypeVar("T")


@dataclass(frozen=True)
class RecordOptions:
    """Options for converting the rows of files to records.

    Parameters
    ----------
    text : str or sequence of str, optional
        The text column of a table: its name, or its number from 1. Several columns are joined by a newline.
        None reads one text per line.
    id : str, optional
        The column with ids; None leaves the ids to the index, which numbers the texts from 1.
    columns : sequence of str, optional
        The other columns to keep; None keeps all.
    format : ReadOptions
        Delimiter, encoding, header and HTML, where the file does not show them.
    """

    text: str | Sequence[str] | None = None
    id: str | None = None
    columns: Sequence[str] | None = None
    format: ReadOptions = DEFAULT_OPTIONS

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The text columns as a tuple."""
        if self.text is None:
            return ()
        return (self.text,) if isinstance(self.text, str) else tuple(self.text)

    @property
    def text_column(self) -> str | None:
        """The first text column, or None."""
        return next(iter(self.text_columns), None)


@dataclass(frozen=True)
class RecordSource:
    """Files and named corpora that can be read as texts, as records or in partitions.

    Parameters
    ----------
    files : tuple of str
        Paths, patterns such as ``logs/*.jsonl``, or ``-`` for standard input.
    corpora : tuple of str
        Named corpora, such as ``wordnet``; they are read before the files.
    options : RecordOptions
        How rows become records.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,title,body,team\\n7,Login,How do I log in?,web\\n", encoding="utf-8")
    ...     options = RecordOptions(text=("title", "body"), id="id", columns=())
    ...     list(RecordSource((str(path),), options=options).records())
    [Record(text='Login\\nHow do I log in?', id='7', columns={})]
    """

    files: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    options: RecordOptions = RecordOptions()

    @cached_property
    def paths(self) -> list[str]:
        """All files, with the files that match in place of each pattern."""
        from tacit.corpora.partitions import expand_patterns

        return list(expand_patterns(self.files))

    @property
    def is_rereadable(self) -> bool:
        """Whether all files can be read more than once: standard input and pipes cannot."""
        return all(map(os.path.isfile, self.paths))

    def records(self) -> Iterator[Record]:
        """Stream all records.

        Returns
        -------
        iterator of Record
            Named tuples of ``text``, ``id`` and ``columns``.

        Raises
        ------
        InputError
            If a file cannot be read; by this call, before the first record.
        """
        return chain(*map(read_named_records, self.corpora), self.open_each(self._open_records))

    def texts(self, keep_blank: bool = False) -> Iterator[str]:
        """Stream all texts, without a record for each, which is faster.

        Parameters
        ----------
        keep_blank : bool
            Give an empty text for a blank row instead of leaving it out.

        Returns
        -------
        iterator of str
            The texts.

        Raises
        ------
        InputError
            If a file cannot be read; by this call, before the first text.
        """
        open_file = partial(self._open_texts, keep_blank=keep_blank)
        return chain(*map(read_named_texts, self.corpora), self.open_each(open_file))

    def rows(self) -> Iterator[tuple[str, str | None]]:
        """Stream the text and the id of each row, blank ones too.

        Returns
        -------
        iterator of (str, str or None)
            Texts and ids; None without ``options.id``.
        """
        if self.options.id is None:
            return ((text, None) for text in self.texts(keep_blank=True))
        return ((record.text, record.id) for record in self.records())

    def partitions(self, size: int | None = None) -> list[Partition]:
        """Split the source into parts that can be read independently.

        Parameters
        ----------
        size : int, optional
            Bytes of a part, about; the default depends on the files alone.

        Returns
        -------
        list of Partition
            The parts, in order.
        """
        from tacit.corpora.partitions import partition_corpus
        from tacit.scale.engine_choice import partition_size

        if len(self.options.text_columns) > 1:
            raise InputError("several text columns cannot be read in partitions: join them in one column")
        if size is None:
            size = partition_size(sum(map(os.path.getsize, filter(os.path.isfile, self.paths))))
        column, reading = self.options.text_column, self.options.format
        return partition_corpus(self.paths, column, reading, corpora=self.corpora, size=size)

    def open_each(self, open_file: Callable[[str], Iterator[T]]) -> Iterator[T]:
        """Open each file once to report errors before work starts, then stream them one after the other.

        Parameters
        ----------
        open_file : callable
            Opens a file by its path and returns an iterator.

        Returns
        -------
        iterator
            The items of all files.
        """
        for path in self.paths:
            if path != "-" and not Path(path).is_fifo():  # a pipe can be read only once
                open_file(path)
        return chain.from_iterable(map(open_file, self.paths))

    def _open_texts(self, path: str, keep_blank: bool) -> Iterator[str]:
        if len(self.options.text_columns) > 1:
            return (record.text for record in self._open_records(path))
        return read_texts(path, self.options.text_column, self.options.format, keep_blank)

    def _open_records(self, path: str) -> Iterator[Record]:
        records = read_records(path, self.options.text_column, self.options.id, self.options.format)
        return (self._select(record) if record.columns else record for record in records)

    def _select(self, record: Record) -> Record:
        """Join the text columns of a record and select its other columns."""
        others = record.columns
        parts = [str(others.pop(name, None) or "") for name in self.options.text_columns[1:]]
        text = join_texts([record.text, *parts]) if parts else record.text
        names = others if self.options.columns is None else self.options.columns
        return record._replace(text=text, columns={n: json_value(others[n]) for n in names if n in others})


def join_texts(parts: Sequence[str]) -> str:
    """Join the text columns of one row by newlines, without the blank ones."""
    return "\n".join(part for part in parts if part.strip())


def json_value(value: Any) -> Any:
    """Return a value that JSON can hold: None for NaN and infinity, the text of unknown types.

    >>> import datetime
    >>> json_value(float("nan")), json_value(datetime.date(2024, 2, 1)), json_value([1, "a"])
    (None, '2024-02-01', [1, 'a'])
    """
    if is_missing(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    if isinstance(value, bool | int | float | str):
        return value
    try:
        return json.loads(json.dumps(value, default=_simplify).replace("NaN", "null"))
    except RecursionError:
        raise InputError(
            f"a cell has lists or objects of more than {MAX_NESTING} levels: flatten it"
        ) from None


def _simplify(value: Any) -> Any:
    """Return an array as a list, and any other object as its text."""
    return value.tolist() if getattr(value, "ndim", 0) else str(value)


def is_missing(value: Any) -> bool:
    """Whether a cell is empty: None, NaN, or the NA and NaT of pandas."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")
