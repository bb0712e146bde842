"""Infer columns, types, header and encoding of a file, and its text and id columns.

The file is read once, to its end, so that its errors and limits are reported before any work starts.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import mean, median
from typing import Any

from tacit.corpora.column_kinds import infer_column_kind
from tacit.corpora.formats import PLAIN_LINES, SNIFFED_TABLE, TABLE_READERS, find_reader, format_names
from tacit.corpora.lines import UTF16_BOMS
from tacit.corpora.sources import Source, open_source, reraise_as_input_error
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ColumnRequest, Reader, ReadOptions, has_header
from tacit.errors import InputError
from tacit.text.languages import detect_collection_language

PREVIEW_ROWS = 5
LINE_COLUMN = "text"
"""The name of the only column of a file with one text per line."""

_SAMPLE_ROWS = 1000
_CHUNK_BYTES = 1 << 20
_MAX_CELL_CHARACTERS = 300
_MAX_COLUMNS = 200
_TEXT_NAMES = re.compile(
    r"text|body|title|question|query|description|message|comment|review|content|sentence", re.I
)
_NUMERAL = re.compile(r"[+-]?[\d.,]+%?")
"""A number, date or version, which is not the name of a column."""
_ID_NAMES = re.compile(r"(?:.*[\W_])?(?:id|key|uuid|guid|number|nr|no|sku|code)", re.I)


@dataclass(frozen=True)
class TableProfile:
    """The profile of a file of texts.

    ``header`` is true if the first row of a table has column names; ``encoding`` is None for UTF-8.
    """

    format: str
    rows: int
    columns: list[dict[str, str]]
    text: str
    id: str | None
    language: str | None
    header: bool | None
    encoding: str | None
    preview: list[dict[str, Any]]


def profile_table(
    path: Path, options: ReadOptions = DEFAULT_OPTIONS, max_rows: int | None = None,
    max_characters: int | None = None, text: str | None = None,
) -> TableProfile:  # fmt: skip
    """Return the profile of a file; InputError for more than ``max_rows`` rows or ``max_characters`` in all.

    ``text`` is the text column, chosen by default.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,question\\n7,how do I log in?\\n8,where is my parcel?\\n", "utf-8")
    ...     profile = profile_table(path)
    >>> profile.text, profile.id, profile.rows, profile.header
    ('question', 'id', 2, True)
    """
    reader = find_reader(path, PLAIN_LINES if text is None else SNIFFED_TABLE)
    if reader.read_rows is None:
        formats = format_names((*TABLE_READERS, PLAIN_LINES))
        raise InputError(f"{path.name} is {reader.name}: expected texts in {formats}")
    options = options._replace(encoding=options.encoding or detect_encoding(reader, path))
    header = _detect_header(reader, path, options, text)
    rows = read_row_dicts(reader, path, options._replace(header=header))
    limited = _limit_rows(rows, path.name, max_rows, max_characters)
    sample = list(islice(limited, _SAMPLE_ROWS))
    if not sample:
        raise InputError(f"{path.name} has no texts: it is empty")
    names = list(dict.fromkeys(name for row in sample for name in row))[:_MAX_COLUMNS]
    kinds = {name: infer_column_kind(row.get(name) for row in sample) for name in names}
    text = text or choose_text_column(names, kinds, sample, path.name)
    id_column = find_id_column([name for name in names if name != text], sample)
    language = detect_collection_language(str(row.get(text) or "") for row in sample)
    ids, n_rows = {""}, 0
    for row in chain(sample, limited):
        n_rows += 1
        if id_column is not None:
            row_id = _id_text(row, id_column)
            id_column = None if row_id in ids else id_column
            ids.add(row_id)
    return TableProfile(
        reader.name,
        n_rows,
        [{"name": name, "kind": kinds[name]} for name in names],
        text,
        id_column,
        language.code if language.is_sure else None,
        header,
        options.encoding,
        [{name: _truncate_cell(row.get(name)) for name in names} for row in sample[:PREVIEW_ROWS]],
    )


def read_row_dicts(reader: Reader, path: Source, options: ReadOptions) -> Iterator[dict[str, Any]]:
    """Yield the rows that are not blank as dictionaries."""
    assert reader.read_rows is not None
    request = ColumnRequest((), include_others=True)
    rows = reader.read_rows(path, request, options.validated())
    if reader is PLAIN_LINES:
        return ({LINE_COLUMN: values[0]} for _, values, _ in rows if values)
    return (others for _, _, others in rows if others)


def _limit_rows(
    rows: Iterator[dict[str, Any]], name: str, max_rows: int | None, max_characters: int | None
) -> Iterator[dict[str, Any]]:
    """Yield the rows; InputError after the maximum number of rows or characters."""
    n_characters = 0
    for number, row in enumerate(rows, 1):
        n_characters += sum(len(value) if isinstance(value, str) else 8 for value in row.values())
        if max_rows is not None and number > max_rows:
            raise InputError(f"{name} has more than {max_rows:,} rows, the limit of this service: split it")
        if max_characters is not None and n_characters > max_characters:
            limit = f"{max_characters:,} characters when decompressed"
            raise InputError(f"{name} has more than {limit}: split it")
        yield row


def detect_encoding(reader: Reader, path: Path) -> str | None:
    """Return Windows-1252, in which Excel writes CSV, for a text file that is not UTF-8 and has no BOM."""
    if not reader.is_text:
        return None
    decoder = getincrementaldecoder("utf-8")()
    with open_source(path) as stream, reraise_as_input_error(path.name):
        for position, chunk in enumerate(iter(partial(stream.read, _CHUNK_BYTES), b"")):
            if position == 0 and chunk.startswith(UTF16_BOMS):
                return None
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                return None if b"\0" in chunk else "windows-1252"
    return None


def _detect_header(reader: Reader, path: Path, options: ReadOptions, text: str | None) -> bool | None:
    """Return whether the first row of a table names its columns."""
    if options.header is not None or not reader.can_have_header:
        return options.header
    if text is not None:
        return has_header([text], None)
    rows = islice(read_row_dicts(reader, path, options._replace(header=False)), 100)
    first, *rest = [[str(cell or "") for cell in row.values()] for row in rows] or [[]]
    return is_header_row(first, rest)


def is_header_row(first: list[str], rest: list[list[str]]) -> bool:
    """Return whether the cells of the first row are distinct, not numeric, and shorter than the texts.

    >>> is_header_row(["id", "text"], [["7", "my cat"]]), is_header_row(["7", "my cat"], [["8", "a dog"]])
    (True, False)
    """
    names = [name.strip() for name in first]
    if not all(names) or len(set(names)) < len(names) or any(map(_NUMERAL.fullmatch, names)):
        return False
    if not rest:
        return all(len(name.split()) < 4 for name in names)
    n_words = [median(len(cell.split()) for cell in cells) for cells in zip(*rest, strict=True)]
    return not any(len(name.split()) >= 4 and n >= 3 for name, n in zip(names, n_words, strict=True))


def choose_text_column(
    names: list[str], kinds: dict[str, str], sample: list[dict[str, Any]], file: str
) -> str:
    """Return the column with the longest and most varied texts; a name such as "text" doubles the score."""

    def score(name: str) -> float:
        cells = [str(row.get(name) or "") for row in sample]
        n_words = mean(min(len(cell.split()) or len(cell) / 4, 100) for cell in cells)
        variety = len(set(cells)) / len(cells)
        return float(n_words**0.5 * variety * (2 if _TEXT_NAMES.search(name) else 1))

    text_columns = [name for name in names if kinds[name] == "text"]
    if not text_columns:
        raise InputError(f"{file} has no column of texts: it has {', '.join(map(repr, names[:10]))}")
    return max(text_columns, key=score)


def find_id_column(names: list[str], sample: list[dict[str, Any]]) -> str | None:
    """Return the first column with the name of an id and a distinct value in each row."""
    for name in names:
        cells = [_id_text(row, name) for row in sample]
        if _ID_NAMES.fullmatch(name) and all(cells) and len(set(cells)) == len(cells):
            return name
    return None


def _id_text(row: dict[str, Any], name: str) -> str:
    """Return the id of a row as text; empty if it is missing."""
    value = row.get(name)
    return "" if value is None else str(value).strip()


def _truncate_cell(value: Any) -> Any:
    """Return a cell for the preview: text is truncated, other types than numbers become text."""
    if isinstance(value, str):
        return value if len(value) <= _MAX_CELL_CHARACTERS else value[:_MAX_CELL_CHARACTERS] + "…"
    is_json = value is None or isinstance(value, bool | int | float)
    return value if is_json else str(value)[:_MAX_CELL_CHARACTERS]
