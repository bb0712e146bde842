"""Where texts come from: lines, TSV, CSV, JSON lines, Parquet, pairs of texts, and WordNet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tacit.corpora.files import Source, read_lines, shown
from tacit.corpora.parquet import read_parquet
from tacit.corpora.records import Record, read_records
from tacit.corpora.tables import Column, read_csv, read_jsonl, read_pairs, read_tsv
from tacit.errors import InputError

__all__ = [
    "NAMED",
    "RECORDS",
    "TABLES",
    "Record",
    "named_corpus",
    "named_records",
    "open_corpus",
    "open_records",
    "read_csv",
    "read_jsonl",
    "read_lines",
    "read_pairs",
    "read_parquet",
    "read_records",
    "read_tsv",
]

TABLES: dict[str, Callable[[Source, Column, bool], Iterator[str]]] = {
    ".tsv": read_tsv,
    ".csv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
"""The kinds of file that have columns, by suffix; all but Parquet may carry ``.gz`` after it."""


def open_corpus(source: Source, column: Column = None, keep_blank: bool = False) -> Iterator[str]:
    """Stream the texts of a file, whose kind its suffix tells; any other file has one text a line.

    ``source`` is a path or ``"-"`` for standard input, read as lines. ``column`` is needed by tables and
    refused elsewhere: a name, or for TSV and CSV without a header a number counted from 1. Blank texts are
    left out, unless ``keep_blank`` asks for a text for every row. What is wrong
    with the file or the column is reported by this call.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\\ttext\\n7\\thow do I log in\\n", encoding="utf-8")
    ...     list(open_corpus(path, column="text"))
    ['how do I log in']
    """
    read_table = TABLES.get(_kind(source))
    if read_table is not None:
        return read_table(source, column, keep_blank)
    if column is not None:
        kinds = ", ".join(TABLES)
        raise InputError(
            f"{shown(source)} is read as lines and has no column {column!r}; files with columns: {kinds}"
        )
    return read_lines(source, keep_blank)


def open_records(source: Source, column: Column = None, id_column: str | None = None) -> Iterator[Record]:
    """As ``open_corpus``, with the id of each text, if ``id_column`` names a column, and its other columns.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "how?", "votes": 3}', encoding="utf-8")
    ...     list(open_records(path, "text", "id"))
    [Record(text='how?', id='7', columns={'votes': 3})]
    """
    return read_records(source, _kind(source), column, id_column)


def _kind(source: Source) -> str:
    """Give the suffix that tells the kind of a file, without ``.gz``."""
    if source == "-" or not isinstance(source, str | Path):
        return ""
    path = Path(source)
    if path.suffix.lower() != ".gz":
        return path.suffix.lower()
    inner = Path(path.stem).suffix.lower()
    return "" if inner == ".parquet" else inner


def _wordnet() -> Iterator[str]:
    """Stream WordNet's synsets as texts."""
    from tacit.corpora import wordnet

    return wordnet.texts()


NAMED: dict[str, Callable[[], Iterator[str]]] = {"wordnet": _wordnet}
"""The corpora that go by a name instead of a file."""


def _wordnet_records() -> Iterator[Record]:
    """Stream WordNet's synsets: words and definition as the text, examples and part of speech beside it."""
    from tacit.corpora import wordnet

    for synset in wordnet.synsets():
        text = f"{', '.join(synset.words)}: {synset.definition}"
        yield Record(text, synset.id, {"pos": synset.pos, "examples": list(synset.examples)})


RECORDS: dict[str, Callable[[], Iterator[Record]]] = {"wordnet": _wordnet_records}
"""The collections that go by a name instead of a file."""


def named_records(name: str) -> Iterator[Record]:
    """Stream the records of a collection that goes by a name.

    >>> next(named_records("wordnet")).id
    '00001740-n'
    """
    if name not in RECORDS:
        raise InputError(f"no collection is called {name!r}; named collections: {', '.join(RECORDS)}")
    return RECORDS[name]()


def named_corpus(name: str) -> Iterator[str]:
    """Stream the texts of a corpus that goes by a name.

    >>> next(named_corpus("wordnet"))
    'entity that which is perceived ...'
    >>> named_corpus("wikipedia")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'wikipedia'; named corpora: wordnet
    """
    if name not in NAMED:
        raise InputError(f"no corpus is called {name!r}; named corpora: {', '.join(NAMED)}")
    return NAMED[name]()
