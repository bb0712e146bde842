"""Texts, records, pairs and passages out of a file of any format of the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.corpora.files import Source, read_lines, say, shown, started
from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.corpora.readers import CONLLU, LINES, TABLES, TSV, UNNAMED_TABLE, Reader, find_reader, names_of
from tacit.corpora.tables import Column, Row, Wanted
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.corpora.passages import Passage


class Record(NamedTuple):
    """A text, its id (None where no column gives one), and the other columns of its row."""

    text: str
    id: str | None
    columns: dict[str, Any]


def open_corpus(
    source: Source, column: Column = None, options: ReadOptions = AS_FOUND, keep_blank: bool = False
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
    ...     list(open_corpus(path, column="text"))
    ['how do I log in']
    """
    options = options.checked()
    wanted = Wanted((None if column is None else str(column),))
    reader = format_of(source, column)
    if reader is LINES and not options.html:  # the short way for millions of lines
        return read_lines(source, keep_blank, options.encoding)
    return (text for _, text, _, _ in started(_filled(reader, source, wanted, options, keep_blank)))


def open_records(
    source: Source, column: Column = None, id_column: Column = None, options: ReadOptions = AS_FOUND
) -> Iterator[Record]:
    """As ``open_corpus``, with the id of each text, if ``id_column`` names a column, and its other columns.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "how?", "votes": 3}', encoding="utf-8")
    ...     list(open_records(path, "text", "id"))
    [Record(text='how?', id='7', columns={'votes': 3})]
    """
    columns = (column,) if id_column is None else (column, id_column)
    wanted = Wanted(tuple(None if each is None else str(each) for each in columns), others=True)
    reader = format_of(source, *wanted.columns)
    return started(
        Record(text, _identity(rest[0], id_column, _place(reader, source, number)) if rest else None, others)
        for number, text, rest, others in _filled(reader, source, wanted, options.checked())
    )


def read_pairs(
    source: Source, what: str = "two texts", options: ReadOptions = AS_FOUND
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
    return ((left, right) for _, (left, right) in read_cells(source, 2, what, options))


def read_cells(
    source: Source, width: int, what: str, options: ReadOptions = AS_FOUND
) -> Iterator[tuple[str, list[str]]]:
    """Stream where each row is, and its cells, of a table of exactly ``width`` columns; by default TSV.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "judged.csv")
    ...     _ = path.write_text("4.5,a cat,a kitten\\n", encoding="utf-8")
    ...     [cells for _, cells in read_cells(path, 3, "score, text, text")]
    [['4.5', 'a cat', 'a kitten']]
    """
    columns = tuple(str(place + 1) for place in range(width))
    wanted = Wanted(columns, width=width, remedy=f"put {what} in a row, with one tab or mark between")
    return started(_cells(source, wanted, options.checked()))


def open_passages(source: Source) -> Iterator[Passage]:
    """Stream the passages of parsed text in CoNLL-U.

    >>> open_passages("faq.csv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.csv is CSV: expected parsed text in CoNLL-U
    """
    from tacit.corpora.conllu import read_conllu

    reader = find_reader(source, CONLLU)
    if reader is not CONLLU:
        raise InputError(f"{shown(source)} is {reader.name}: expected parsed text in {CONLLU.name}")
    return read_conllu(source)


def _cells(source: Source, wanted: Wanted, options: ReadOptions) -> Iterator[tuple[str, list[str]]]:
    reader, clean = find_reader(source, TSV), _cleaner(options)
    for number, values, _ in _rows(reader, source, wanted, options):
        if values:
            where = _place(reader, source, number)
            yield where, [clean(_text(value, where)) for value in values]


Found = tuple[int, str, list[Any], dict[str, Any]]
"""The number of a row, its text, what else is wanted of it, and its other columns."""


def format_of(source: Source, *columns: Column) -> Reader:
    """The format of a file of texts: one without a telling name is a table if a column is asked for."""
    named = any(column is not None for column in columns)
    return find_reader(source, UNNAMED_TABLE if named else LINES)


def _filled(
    reader: Reader, source: Source, wanted: Wanted, options: ReadOptions, keep_blank: bool = False
) -> Iterator[Found]:
    """Stream the rows that have a text; the number of rows without one is logged at the end."""
    clean, seen, empty = _cleaner(options), 0, 0
    for number, values, others in _rows(reader, source, wanted, options):
        value = values[0] if values else ""
        text = clean(value if isinstance(value, str) else _text(value, _place(reader, source, number)))
        seen += bool(values)
        if keep_blank or text.strip():
            yield number, text, values[1:], others
        else:
            empty += bool(values)
    if empty:
        say(f"{shown(source)}: {empty:,} of {seen:,} rows have an empty text and are left out")


def _rows(reader: Reader, source: Source, wanted: Wanted, options: ReadOptions) -> Iterator[Row]:
    """Stream the rows of a table; a format that is none is refused."""
    if reader.rows is None:
        raise InputError(f"{shown(source)} is read as {reader.name}, which is no {names_of(TABLES)} file")
    return reader.rows(source, wanted, options)


def _place(reader: Reader, source: Source, number: int) -> str:
    return f"{shown(source)}, {reader.unit} {number}"


def _text(value: Any, where: str) -> str:
    """A value that has to be text; what is missing is an empty one."""
    if value is None or isinstance(value, str):
        return value or ""
    raise InputError(f"{where}: {value!r:.40} is a {type(value).__name__}, not text; name a column of texts")


def _identity(value: Any, id_column: Column, where: str) -> str:
    if value is None or not str(value).strip():
        raise InputError(f"{where} has no id in the column {id_column!r}; mend it, or leave the ids out")
    return str(value)


def _cleaner(options: ReadOptions) -> Callable[[str], str]:
    """What is done to each text: nothing, or its tags are taken off."""
    if not options.html:
        return str
    from tacit.corpora.markup import strip_markup

    return strip_markup
