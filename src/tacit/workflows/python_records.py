"""Records from lists, Series and DataFrames, with the same methods as files."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.corpora.table_rows import Record
from tacit.errors import InputError
from tacit.workflows.records import RecordOptions, RecordSource, is_missing, join_texts, json_value

if TYPE_CHECKING:
    from tacit.search.index import Index

logger = logging.getLogger(__name__)


class PythonRecords:
    """Texts or records of an iterable.

    Parameters
    ----------
    items : iterable of str or Record
        Texts, or records; an iterator can be read once.

    Examples
    --------
    >>> list(PythonRecords(["a cat"]).records())
    [Record(text='a cat', id=None, columns={})]
    """

    def __init__(self, items: Iterable[str | Record]) -> None:
        self._items = items

    @property
    def is_rereadable(self) -> bool:
        """Whether the items can be read more than once."""
        return isinstance(self._items, Sequence)

    def records(self) -> Iterator[Record]:
        """Stream all records."""
        return (item if isinstance(item, Record) else Record(item, None, {}) for item in self._items)

    def texts(self) -> Iterator[str]:
        """Stream all texts."""
        return (record.text for record in self.records())


Source = RecordSource | PythonRecords


def read_labelled(source: Source, label_column: str) -> tuple[list[str], list[str]]:
    """Read all texts of a table with their class labels; InputError for a row without that column."""
    records = list(source.records())
    if not records or any(label_column not in record.columns for record in records):
        names = ", ".join(records[0].columns) if records else ""
        hint = f"the columns are {names}" if names else "labels are a column of a table, see --column"
        raise InputError(f"label_column={label_column}: no such column; {hint}", parameter="label_column")
    return [record.text for record in records], [str(record.columns[label_column]) for record in records]


def as_source(
    records: Any, text: str | Sequence[str] | None = None, id: str | None = None,
    columns: Sequence[str] | None = None,
) -> Source:  # fmt: skip
    """Convert what a workflow accepts to a source of records.

    Parameters
    ----------
    records : RecordSource, path, iterable of str, Record or dict, Series or DataFrame
        A path is a file; a Series is one of pandas or polars, a DataFrame likewise.
    text, id, columns
        Columns of a file, of a DataFrame or of dicts, as in `RecordOptions`.

    Returns
    -------
    RecordSource or PythonRecords
        An object with the methods ``records`` and ``texts``.

    Raises
    ------
    InputError
        If ``records`` is none of these, or columns are named where there are none.
    """
    options = RecordOptions(text, id, columns)
    if isinstance(records, str | Path):
        return RecordSource((str(records),), options=options)
    rows = _table_rows(records)
    if rows is not None:
        return PythonRecords(_read_rows(rows, options))
    if text is not None or id is not None:
        problem = "text= and id= name columns of a file, a DataFrame or dicts: leave them out here"
        raise InputError(problem, parameter="text")
    if isinstance(records, RecordSource | PythonRecords):
        return records
    if hasattr(records, "to_list"):  # a Series, which may have missing values
        texts = map(_str_or_empty, records.to_list())
        return PythonRecords([value for value in texts if value.strip()])
    if not isinstance(records, Iterable):
        kind = type(records).__name__
        raise InputError(f"a {kind} holds no texts: give a list of texts, or a RecordSource")
    return PythonRecords(records)


def read_index(index: Index) -> Iterator[Record]:
    """Yield the records of an index that are not deleted."""
    snapshot = index.snapshot
    rows = snapshot.alive.nonzero()[0]
    columns = [part.decode(rows) for part in (snapshot.texts, snapshot.ids, snapshot.records)]
    return (Record(text, id, json.loads(record)) for text, id, record in zip(*columns, strict=True))


def _table_rows(records: Any) -> list[Mapping[str, Any]] | None:
    """Return the rows of a DataFrame, or of a list of dicts, as mappings; None for anything else."""
    if hasattr(records, "to_dicts"):  # polars
        return list(records.to_dicts())
    if hasattr(records, "to_dict") and hasattr(records, "columns"):  # pandas
        return list(records.to_dict("records"))
    if isinstance(records, Sequence) and records and isinstance(records[0], Mapping):
        return list(records)
    return None


def _read_rows(rows: list[Mapping[str, Any]], options: RecordOptions) -> list[Record]:
    """Convert rows to records; rows with an empty text are left out."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    available = ", ".join(map(repr, names))
    if not options.text_columns:
        raise InputError(f"text=None: name the text column; the columns are {available}", parameter="text")
    used = [*options.text_columns, *filter(None, [options.id])]
    others = [name for name in names if name not in used] if options.columns is None else options.columns
    for name in [*used, *others]:
        if name not in names:
            raise InputError(f"there is no column {name!r}: the columns are {available}")
    records = []
    for row in rows:
        text = join_texts([_str_or_empty(row.get(name)) for name in options.text_columns])
        if text.strip():
            columns = {str(name): json_value(row.get(name)) for name in others}
            records.append(Record(text, None if options.id is None else str(row[options.id]), columns))
    if len(records) < len(rows):
        n_empty = len(rows) - len(records)
        logger.info("%d of %d rows have an empty text and are left out", n_empty, len(rows))
    return records


def _str_or_empty(value: Any) -> str:
    """Return a text, or an empty one for a missing value; anything else is an `InputError`."""
    if isinstance(value, str) or is_missing(value):
        return value if isinstance(value, str) else ""
    raise InputError(f"{value!r:.40} is a {type(value).__name__}, not a text: name a column of texts")
