"""Read texts, records, pairs and passages from any source; named corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tacit.corpora.formats import PLAIN_LINES, SNIFFED_TABLE, TABLE_READERS, find_reader, format_names
from tacit.corpora.formats.conllu import CONLLU, read_conllu
from tacit.corpora.formats.delimited import TSV
from tacit.corpora.formats.tmx import TMX, read_tmx_pairs
from tacit.corpora.lines import numbered_lines, read_lines, strip_line_end
from tacit.corpora.sources import Source, display_name, log_info, prefetch_first
from tacit.corpora.table_rows import (
    DEFAULT_OPTIONS,
    Column,
    ColumnRequest,
    Reader,
    ReadOptions,
    Record,
    TableRows,
    column_names,
    has_header,
)
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.corpora.passages import Passage

LocatedTexts = tuple[str, list[str]]
"""The location of a row, for error messages, and its texts."""


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
    reader = choose_reader(source, column)
    if reader is PLAIN_LINES and not options.html:  # faster for millions of lines
        return read_lines(source, keep_blank, options.encoding)
    request = ColumnRequest(column_names(column))
    records = prefetch_first(_read_records(reader, source, request, options, keep_blank))
    return (record.text for record in records)


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
    request = ColumnRequest(column_names(*columns), include_others=True)
    reader = choose_reader(source, *columns)
    return prefetch_first(_read_records(reader, source, request, options.validated()))


def read_full_rows(
    source: Source, column: Column = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Stream the text of each row, blank ones too, and all its columns in their order.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\\ttext\\n7\\thow do I log in\\n", encoding="utf-8")
    ...     list(read_full_rows(path, column="text"))
    [('how do I log in', {'id': '7', 'text': 'how do I log in'})]
    """
    reader, columns = choose_reader(source, column), column_names(column)
    options = options.validated()
    if reader is PLAIN_LINES:
        return ((text, {"text": text}) for text in read_texts(source, None, options, keep_blank=True))
    options = options._replace(header=has_header(columns, options.header))
    texts = _read_records(reader, source, ColumnRequest(columns), options, keep_blank=True)
    rows = _read_rows(reader, source, ColumnRequest((), include_others=True), options)
    return ((record.text, others) for record, (_, _, others) in zip(texts, rows, strict=True))


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
) -> Iterator[LocatedTexts]:
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


def read_parallel(
    sources: Sequence[Source], languages: Sequence[str], options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[str, str]]:
    """Stream the pairs of a table of two columns, of two files with equally many lines, or of a TMX file.

    ``languages`` are the codes of the two sides; only TMX needs them. An empty side is an error that names
    its line, because the other lines may not be aligned either. This call, not the first iteration, raises
    the errors of the file and its first pair.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     one, other = Path(folder, "a.en"), Path(folder, "a.es")
    ...     _ = one.write_text("a cat\\na dog\\n"), other.write_text("un gato\\nun perro\\n")
    ...     list(read_parallel([one, other], ["en", "es"]))
    [('a cat', 'un gato'), ('a dog', 'un perro')]
    """
    if len(sources) not in (1, 2):
        expected = "one (a table or TMX), or two with equally many lines"
        raise InputError(f"{len(sources)} files of pairs: give {expected}")
    if len(sources) == 2:
        pairs = _zip_files(sources[0], sources[1], options.validated())
    elif find_reader(sources[0], TSV) is TMX:
        units = read_tmx_pairs(sources[0], languages)
        pairs = ((_row_location(TMX, sources[0], number), texts) for number, texts in units)
    else:
        pairs = read_table(sources[0], 2, "a text and its translation", options)
    return prefetch_first(map(_require_both_sides, pairs))


def _zip_files(one: Source, other: Source, options: ReadOptions) -> Iterator[LocatedTexts]:
    """Stream pairs of lines; InputError if one file has fewer lines."""
    names = f"{display_name(one)} and {display_name(other)}"
    for left, right in zip_longest(*(numbered_lines(file, options.encoding) for file in (one, other))):
        if left is None or right is None:
            shorter, number = (one, right[0]) if left is None else (other, left[0])
            problem = f"{display_name(shorter)} ends before line {number}"
            raise InputError(f"{problem}: {names} need equally many lines")
        if left[1].strip() or right[1].strip():
            yield f"{names}, line {left[0]}", [strip_line_end(left[1]), strip_line_end(right[1])]


def _require_both_sides(pair: LocatedTexts) -> tuple[str, str]:
    """Return the texts of a pair; InputError if one is empty."""
    where, (left, right) = pair
    if not left.strip() or not right.strip():
        side = "first" if not left.strip() else "second"
        raise InputError(f"{where}: the {side} text is empty; give both, or remove the pair")
    return left, right


def read_passages(source: Source) -> Iterator[Passage]:
    """Stream the passages of a CoNLL-U file; InputError if its suffix is that of another format.

    >>> read_passages("faq.csv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.csv is CSV: expected parsed text in CoNLL-U
    """
    reader = find_reader(source, CONLLU)
    if reader is not CONLLU:
        raise InputError(f"{display_name(source)} is {reader.name}: expected parsed text in {CONLLU.name}")
    return read_conllu(source)


def choose_reader(source: Source, *columns: Column) -> Reader:
    """Return the format of a file; without a known suffix it is a table if a column is requested."""
    has_column = any(column is not None for column in columns)
    return find_reader(source, SNIFFED_TABLE if has_column else PLAIN_LINES)


def _read_cells(source: Source, request: ColumnRequest, options: ReadOptions) -> Iterator[LocatedTexts]:
    """Stream the location and the cells of each row that is not blank."""
    reader, clean = find_reader(source, TSV), _text_cleaner(options)
    for number, values, _ in _read_rows(reader, source, request, options):
        if values:
            where = _row_location(reader, source, number)
            yield where, [clean(_require_text(value, where)) for value in values]


def _read_records(
    reader: Reader, source: Source, request: ColumnRequest, options: ReadOptions, keep_blank: bool = False
) -> Iterator[Record]:
    """Stream the rows with a text; the number of rows without one is logged at the end."""
    clean, n_rows, n_empty = _text_cleaner(options), 0, 0
    for number, values, others in _read_rows(reader, source, request, options):
        value = values[0] if values else ""
        if not isinstance(value, str):
            value = _require_text(value, _row_location(reader, source, number))
        text = clean(value)
        n_rows += bool(values)
        if not keep_blank and not text.strip():
            n_empty += bool(values)
            continue
        row_id = None
        if len(values) > 1:
            row_id = _require_id(values[1], request.columns[1], _row_location(reader, source, number))
        yield Record(text, row_id, others)
    if n_empty:
        share = f"{n_empty:,} of {n_rows:,} rows"
        log_info(f"{display_name(source)}: {share} have an empty text and are left out")


def _read_rows(reader: Reader, source: Source, request: ColumnRequest, options: ReadOptions) -> TableRows:
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
        problem = f"{where} has no id in the column {id_column!r}"
        raise InputError(f"{problem}; fix it, or do not give an id column")
    return str(value)


def _text_cleaner(options: ReadOptions) -> Callable[[str], str]:
    """Return the function applied to each text: none, or one that strips HTML."""
    if not options.html:
        return str
    from tacit.corpora.html_text import strip_html

    return strip_html


NAMED_CORPORA = {"wordnet": "tacit.corpora.wordnet"}
"""Named corpora, each a module with ``read_texts`` for training and ``read_records`` for an index.

Both take the folder of the corpus, or None to search for it.
"""


def read_named_texts(name: str) -> Iterator[str]:
    """Stream the texts of a named corpus; ``wordnet:FOLDER`` reads the copy in a folder.

    >>> next(read_named_texts("wordnet"))
    'entity that which is perceived ...'
    >>> read_named_texts("wikipedia")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'wikipedia'; named corpora: wordnet
    """
    corpus, folder = _find_named(name)
    return corpus.read_texts(folder)


def read_named_records(name: str) -> Iterator[Record]:
    """Stream the records of a named corpus; ``wordnet:FOLDER`` reads the copy in a folder.

    >>> next(read_named_records("wordnet")).id
    '00001740-n'
    """
    corpus, folder = _find_named(name)
    return corpus.read_records(folder)


def is_named_corpus(source: Any) -> bool:
    """Return whether a source is the name of a corpus, with or without a folder.

    >>> is_named_corpus("wordnet"), is_named_corpus("wordnet:/data/wn"), is_named_corpus("faq.csv")
    (True, True, False)
    """
    return isinstance(source, str) and source.partition(":")[0] in NAMED_CORPORA


def _find_named(name: str) -> tuple[Any, str | None]:
    """Return the module of a named corpus, and the folder that follows its name after a colon."""
    if not is_named_corpus(name):
        raise InputError(f"no corpus is called {name!r}; named corpora: {', '.join(NAMED_CORPORA)}")
    corpus, _, folder = name.partition(":")
    return import_module(NAMED_CORPORA[corpus]), folder or None
