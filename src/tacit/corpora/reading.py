"""Read texts, records and pairs from any source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    pass


class Record(NamedTuple):
    """A text, its id (None where no column gives one), and the other columns of its row."""

    text: str
    id: str | None
    columns: dict[str, Any]


def read_texts(
    source: Source, column: Column = None, options: ReadOptions = DEFAULT_OPTIONS, keep_blank: bool = False
) -> Iterator[str]:
    """Stream the texts of a file, whose format its name tells; any other file has one text a line.

    ``source`` is a path or ``"-"`` for standard input. ``column`` is needed by tables: a name, or a number
    counted from 1; given for a file of no known ending, it is read as CSV or JSON lines, as its content has
    it. Blank texts are left out (those of tables are counted, and the count logged), unless ``keep_blank``
    asks for a text for every row. What is wrong with the file or the column is reported by this call.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\\ttext\\n7\\thow do I log in\\n", encoding="utf-8")
    ...     list(read_texts(path, column="text"))
    ['how do I log in']
    """
    options = options.checked()
    wanted = ColumnRequest((None if column is None else str(column),))
    reader = choose_reader(source, column)
    if reader is PLAIN_LINES and not options.html:  # the short way for millions of lines
        return read_lines(source, keep_blank, options.encoding)
    return (
        text for _, text, _, _ in prefetch_first(_read_text_rows(reader, source, wanted, options, keep_blank))
    )


def read_records(
    source: Source, column: Column = None, id_column: Column = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[Record]:
    """As ``open_corpus``, with the id of each text, if ``id_column`` names a column, and its other columns.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "how?", "votes": 3}', encoding="utf-8")
    ...     list(read_records(path, "text", "id"))
    [Record(text='how?', id='7', columns={'votes': 3})]
    """
    columns = (column,) if id_column is None else (column, id_column)
    wanted = ColumnRequest(tuple(None if each is None else str(each) for each in columns), others=True)
    reader = choose_reader(source, *wanted.columns)
    return prefetch_first(
        Record(
            text,
            _require_id(rest[0], id_column, _row_location(reader, source, number)) if rest else None,
            others,
        )
        for number, text, rest, others in _read_text_rows(reader, source, wanted, options.checked())
    )


def read_pairs(
    source: Source, what: str = "two texts", options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, str]]:
    """Stream the pairs of a table of exactly two columns, which is TSV unless its name tells otherwise.

    An empty side is kept, so that the caller can count such pairs; an empty line is no pair. ``what`` says in
    an error what belongs on a line.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "en-es.tsv")
    ...     _ = path.write_text("a cat\\tun gato\\na dog\\t\\n", encoding="utf-8")
    ...     list(read_pairs(path))
    [('a cat', 'un gato'), ('a dog', '')]
    """
    return ((left, right) for _, (left, right) in read_table(source, 2, what, options))


def read_table(
    source: Source, width: int, what: str, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, list[str]]]:
    """Stream where each row is, and its cells, of a table of exactly ``width`` columns; by default TSV.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "judged.csv")
    ...     _ = path.write_text("4.5,a cat,a kitten\\n", encoding="utf-8")
    ...     [cells for _, cells in read_table(path, 3, "score, text, text")]
    [['4.5', 'a cat', 'a kitten']]
    """
    columns = tuple(str(place + 1) for place in range(width))
    wanted = ColumnRequest(columns, width=width, remedy=f"put {what} in a row, with one tab or mark between")
    return prefetch_first(_read_cells(source, wanted, options.checked()))


def _read_cells(
    source: Source, wanted: ColumnRequest, options: ReadOptions
) -> Iterator[tuple[str, list[str]]]:
    reader, clean = find_reader(source, TSV), _text_cleaner(options)
    for number, values, _ in _rows(reader, source, wanted, options):
        if values:
            where = _row_location(reader, source, number)
            yield where, [clean(_require_text(value, where)) for value in values]


TextRow = tuple[int, str, list[Any], dict[str, Any]]
"""The number of a row, its text, what else is wanted of it, and its other columns."""


def choose_reader(source: Source, *columns: Column) -> Reader:
    """The format of a file of texts: one without a telling name is a table if a column is asked for."""
    named = any(column is not None for column in columns)
    return find_reader(source, SNIFFED_TABLE if named else PLAIN_LINES)


def _read_text_rows(
    reader: Reader, source: Source, wanted: ColumnRequest, options: ReadOptions, keep_blank: bool = False
) -> Iterator[TextRow]:
    """Stream the rows that have a text; the number of rows without one is logged at the end."""
    clean, seen, empty = _text_cleaner(options), 0, 0
    for number, values, others in _rows(reader, source, wanted, options):
        value = values[0] if values else ""
        text = clean(
            value if isinstance(value, str) else _require_text(value, _row_location(reader, source, number))
        )
        seen += bool(values)
        if keep_blank or text.strip():
            yield number, text, values[1:], others
        else:
            empty += bool(values)
    if empty:
        log_info(f"{display_name(source)}: {empty:,} of {seen:,} rows have an empty text and are left out")


def _rows(reader: Reader, source: Source, wanted: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of a table; a format that is none is refused."""
    if reader.rows is None:
        raise InputError(
            f"{display_name(source)} is read as {reader.name}, which is no {format_names(TABLE_READERS)} file"
        )
    return reader.rows(source, wanted, options)


def _row_location(reader: Reader, source: Source, number: int) -> str:
    return f"{display_name(source)}, {reader.unit} {number}"


def _require_text(value: Any, where: str) -> str:
    """A value that has to be text; what is missing is an empty one."""
    if value is None or isinstance(value, str):
        return value or ""
    raise InputError(f"{where}: {value!r:.40} is a {type(value).__name__}, not text; name a column of texts")


def _require_id(value: Any, id_column: Column, where: str) -> str:
    if value is None or not str(value).strip():
        raise InputError(f"{where} has no id in the column {id_column!r}; mend it, or leave the ids out")
    return str(value)


def _text_cleaner(options: ReadOptions) -> Callable[[str], str]:
    """What is done to each text: nothing, or its tags are taken off."""
    if not options.html:
        return str
    from tacit.corpora.html_text import strip_html

    return strip_html


class NamedCorpus(NamedTuple):
    """What a name gives: texts to learn from, and records to show."""

    texts: Callable[[], Iterator[str]]
    records: Callable[[], Iterator[Record]]


def _wordnet_texts() -> Iterator[str]:
    """Stream WordNet's synsets as texts."""
    from tacit.corpora import wordnet

    return wordnet.synset_texts()


def _wordnet_records() -> Iterator[Record]:
    """Stream WordNet's synsets: words and definition as the text, examples and part of speech beside it."""
    from tacit.corpora import wordnet

    for synset in wordnet.read_synsets():
        text = f"{', '.join(synset.words)}: {synset.definition}"
        yield Record(text, synset.id, {"pos": synset.pos, "examples": list(synset.examples)})


NAMED_CORPORA = {"wordnet": NamedCorpus(_wordnet_texts, _wordnet_records)}
"""Every named corpus."""


def read_named_texts(name: str) -> Iterator[str]:
    """Stream the texts of a corpus that goes by a name.

    >>> next(read_named_texts("wordnet"))
    'entity that which is perceived ...'
    >>> read_named_texts("wikipedia")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'wikipedia'; named corpora: wordnet
    """
    return _find_named(name).texts()


def read_named_records(name: str) -> Iterator[Record]:
    """Stream the records of a corpus that goes by a name.

    >>> next(read_named_records("wordnet")).id
    '00001740-n'
    """
    return _find_named(name).records()


def _find_named(name: str) -> NamedCorpus:
    if name not in NAMED_CORPORA:
        raise InputError(f"no corpus is called {name!r}; named corpora: {', '.join(NAMED_CORPORA)}")
    return NAMED_CORPORA[name]
