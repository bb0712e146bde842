"""Read texts, records and pairs from any source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tacit.corpora.lines import read_lines
from tacit.corpora.readers import (
    PLAIN_LINES,
    SNIFFED_TABLE,
    TABLE_READERS,
    TSV,
    Reader,
    find_reader,
    format_names,
)
from tacit.corpora.sources import Source, display_name, log_info, prefetch_first
from tacit.corpora.table_rows import DEFAULT_OPTIONS, Column, ColumnRequest, ReadOptions, TableRow
from tacit.errors import InputError


class Record(NamedTuple):
    """A text, its id (None without an id column), and the other columns of its row."""

    text: str
    id: str | None
    columns: dict[str, Any]


class TextRow(NamedTuple):
    """The number of a row, its text, the values of other requested columns, and the remaining columns."""

    number: int
    text: str
    values: list[Any]
    others: dict[str, Any]


def read_texts(
    source: Source, column: Column = None, options: ReadOptions = DEFAULT_OPTIONS, keep_blank: bool = False
) -> Iterator[str]:
    """Stream the texts of a file; the suffix determines the format, by default one text per line.

    ``source`` is a path or ``"-"`` for standard input. ``column`` is required for tables: a name, or a number
    from 1. With a column, a file without a known suffix is read as CSV or JSON Lines, depending on its
    content. Blank texts are skipped (in tables their number is logged) unless ``keep_blank``. This call, not
    the first iteration, raises the errors of the file and the column.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\\ttext\\n7\\thow do I log in\\n", encoding="utf-8")
    ...     list(read_texts(path, column="text"))
    ['how do I log in']
    """
    options = options.validated()
    request = ColumnRequest((None if column is None else str(column),))
    reader = choose_reader(source, column)
    if reader is PLAIN_LINES and not options.html:  # faster for millions of lines
        return read_lines(source, keep_blank, options.encoding)
    rows = prefetch_first(_read_text_rows(reader, source, request, options, keep_blank))
    return (row.text for row in rows)


def read_records(
    source: Source, column: Column = None, id_column: Column = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[Record]:
    """Stream texts as ``read_texts`` does, with their ids from ``id_column`` and their other columns.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "how?", "votes": 3}', encoding="utf-8")
    ...     list(read_records(path, "text", "id"))
    [Record(text='how?', id='7', columns={'votes': 3})]
    """
    columns = (column,) if id_column is None else (column, id_column)
    request = ColumnRequest(
        tuple(None if each is None else str(each) for each in columns), include_others=True
    )
    reader = choose_reader(source, *request.columns)

    def create_record(row: TextRow) -> Record:
        if not row.values:
            return Record(row.text, None, row.others)
        where = _row_location(reader, source, row.number)
        return Record(row.text, _require_id(row.values[0], id_column, where), row.others)

    return prefetch_first(map(create_record, _read_text_rows(reader, source, request, options.validated())))


def read_pairs(
    source: Source, row_hint: str = "two texts", options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, str]]:
    """Stream the pairs of a table of exactly two columns; TSV unless the suffix shows another format.

    A pair with an empty side is yielded, so that the caller can count such pairs; empty lines are skipped.

    Parameters
    ----------
    source : str or Path
        The file, or ``"-"`` for standard input.
    row_hint : str
        What a row should have, for error messages.
    options : ReadOptions
        Delimiter, encoding and other options of the file.

    Returns
    -------
    iterator of (str, str)
        The pairs.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "en-es.tsv")
    ...     _ = path.write_text("a cat\\tun gato\\na dog\\t\\n", encoding="utf-8")
    ...     list(read_pairs(path))
    [('a cat', 'un gato'), ('a dog', '')]
    """
    return ((left, right) for _, (left, right) in read_table(source, 2, row_hint, options))


def read_table(
    source: Source, n_columns: int, row_hint: str, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, list[str]]]:
    """Stream the location and the cells of each row of a table of exactly ``n_columns`` columns.

    The location is for error messages. The format is TSV unless the suffix shows another one; ``row_hint``
    describes a row in error messages.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "judged.csv")
    ...     _ = path.write_text("4.5,a cat,a kitten\\n", encoding="utf-8")
    ...     [cells for _, cells in read_table(path, 3, "score, text, text")]
    [['4.5', 'a cat', 'a kitten']]
    """
    columns = tuple(str(number) for number in range(1, n_columns + 1))
    hint = f"put {row_hint} in each row, separated by one tab or delimiter"
    request = ColumnRequest(columns, n_columns=n_columns, hint=hint)
    return prefetch_first(_read_cells(source, request, options.validated()))


def choose_reader(source: Source, *columns: Column) -> Reader:
    """Return the format of a file; without a known suffix it is a table if a column is requested."""
    has_column = any(column is not None for column in columns)
    return find_reader(source, SNIFFED_TABLE if has_column else PLAIN_LINES)


def _read_cells(
    source: Source, request: ColumnRequest, options: ReadOptions
) -> Iterator[tuple[str, list[str]]]:
    """Stream the location and the cells of each row that is not blank."""
    reader, clean = find_reader(source, TSV), _text_cleaner(options)
    for number, values, _ in _read_rows(reader, source, request, options):
        if values:
            where = _row_location(reader, source, number)
            yield where, [clean(_require_text(value, where)) for value in values]


def _read_text_rows(
    reader: Reader, source: Source, request: ColumnRequest, options: ReadOptions, keep_blank: bool = False
) -> Iterator[TextRow]:
    """Stream the rows with a text; the number of rows without one is logged at the end."""
    clean, n_rows, n_empty = _text_cleaner(options), 0, 0
    for number, values, others in _read_rows(reader, source, request, options):
        value = values[0] if values else ""
        if not isinstance(value, str):
            value = _require_text(value, _row_location(reader, source, number))
        text = clean(value)
        n_rows += bool(values)
        if keep_blank or text.strip():
            yield TextRow(number, text, values[1:], others)
        else:
            n_empty += bool(values)
    if n_empty:
        log_info(
            f"{display_name(source)}: {n_empty:,} of {n_rows:,} rows have an empty text and are left out"
        )


def _read_rows(
    reader: Reader, source: Source, request: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    """Stream the rows of a table; InputError if the format is not a table."""
    if reader.read_rows is None:
        expected = format_names(TABLE_READERS)
        raise InputError(f"{display_name(source)} is {reader.name}: expected a table in {expected}")
    return reader.read_rows(source, request, options)


def _row_location(reader: Reader, source: Source, number: int) -> str:
    return f"{display_name(source)}, {reader.row_unit} {number}"


def _require_text(value: Any, where: str) -> str:
    """Return a value that must be text; a missing one becomes an empty text."""
    if value is None or isinstance(value, str):
        return value or ""
    raise InputError(f"{where}: {value!r:.40} is a {type(value).__name__}, not text; name a column of texts")


def _require_id(value: Any, id_column: Column, where: str) -> str:
    """Return an id as text; InputError if it is missing."""
    if value is None or not str(value).strip():
        raise InputError(
            f"{where} has no id in the column {id_column!r}; fix it, or do not give an id column"
        )
    return str(value)


def _text_cleaner(options: ReadOptions) -> Callable[[str], str]:
    """Return the function applied to each text: none, or one that strips HTML."""
    if not options.html:
        return str
    from tacit.corpora.html_text import strip_html

    return strip_html


class NamedCorpus(NamedTuple):
    """A corpus with a name: functions that stream its texts for training, and its records for an index."""

    texts: Callable[[], Iterator[str]]
    records: Callable[[], Iterator[Record]]


def _wordnet_texts() -> Iterator[str]:
    """Stream the synsets of WordNet as texts."""
    from tacit.corpora import wordnet

    return wordnet.synset_texts()


def _wordnet_records() -> Iterator[Record]:
    """Stream the synsets of WordNet; the text has the words and the definition."""
    from tacit.corpora import wordnet

    for synset in wordnet.read_synsets():
        text = f"{', '.join(synset.words)}: {synset.definition}"
        yield Record(text, synset.id, {"pos": synset.pos, "examples": list(synset.examples)})


NAMED_CORPORA = {"wordnet": NamedCorpus(_wordnet_texts, _wordnet_records)}
"""All named corpora."""


def read_named_texts(name: str) -> Iterator[str]:
    """Stream the texts of a named corpus.

    >>> next(read_named_texts("wordnet"))
    'entity that which is perceived ...'
    >>> read_named_texts("wikipedia")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'wikipedia'; named corpora: wordnet
    """
    return _find_named(name).texts()


def read_named_records(name: str) -> Iterator[Record]:
    """Stream the records of a named corpus.

    >>> next(read_named_records("wordnet")).id
    '00001740-n'
    """
    return _find_named(name).records()


def _find_named(name: str) -> NamedCorpus:
    if name not in NAMED_CORPORA:
        raise InputError(f"no corpus is called {name!r}; named corpora: {', '.join(NAMED_CORPORA)}")
    return NAMED_CORPORA[name]
