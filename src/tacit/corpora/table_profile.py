"""Infer columns, types, header and encoding of a file, and its text and id columns."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any

from tacit.corpora.column_kinds import infer_column_kind
from tacit.corpora.lines import UTF16_BOMS
from tacit.corpora.readers import PLAIN_LINES, READERS, Reader, find_reader
from tacit.corpora.sources import open_source, reraise_as_input_error
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ColumnRequest, ReadOptions, TableRow
from tacit.errors import InputError
from tacit.text.languages import detect_collection_language

PREVIEW_ROWS = 5
LINE_COLUMN = "text"
"""The name of the only column of a file of lines."""

_SAMPLE_ROWS = 1000
_CHUNK_BYTES = 1 << 20
_MAX_CELL_CHARACTERS = 300
_MAX_COLUMNS = 200
_TEXT_NAMES = re.compile(
    r"text|body|title|question|query|description|message|comment|review|content|sentence", re.I
)
_ID_NAMES = re.compile(r"(?:.*[\W_])?(?:id|key|uuid|guid|number|nr|no|sku|code)", re.I)


@dataclass(frozen=True)
class TableProfile:
    """What was found; ``header`` is whether the first row of a table names its columns.

    ``encoding`` is None for UTF-8, and what a file that is not is read as.
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
    path: Path, options: ReadOptions = DEFAULT_OPTIONS, most: int | None = None, characters: int | None = None
) -> TableProfile:
    """Look at a file; more than ``most`` rows or ``characters`` in all are refused.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,question\\n7,how do I log in?\\n8,where is my parcel?\\n", "utf-8")
    ...     found = profile_table(path)
    >>> found.text, found.id, found.rows, found.header
    ('question', 'id', 2, True)
    """
    reader = find_reader(path, PLAIN_LINES)
    if reader.rows is None:
        raise InputError(
            f"{path.name} is {reader.name}, which is no table of texts: give one of {list_formats()}"
        )
    options = options._replace(encoding=options.encoding or _detect_encoding(reader, path))
    header = _detect_header(reader, path, options)
    rows = _read_row_dicts(reader, path, options._replace(header=header))
    bounded = _limit_rows(rows, path.name, most, characters)
    sample = list(islice(bounded, _SAMPLE_ROWS))
    if not sample:
        raise InputError(f"{path.name} has no texts: it is empty")
    names = list(dict.fromkeys(name for row in sample for name in row))[:_MAX_COLUMNS]
    kinds = {name: infer_column_kind(row.get(name) for row in sample) for name in names}
    text = _choose_text_column(names, kinds, sample, path.name)
    identity = _find_id_column([name for name in names if name != text], sample)
    language = detect_collection_language(str(row.get(text) or "") for row in sample)
    seen = {_id_text(row, identity) for row in sample}
    distinct, count = len(seen) == len(sample), len(sample)
    for row in bounded:
        count += 1
        name = _id_text(row, identity)
        distinct = distinct and name not in seen
        if identity and distinct:
            seen.add(name)
    return TableProfile(
        reader.name,
        count,
        [{"name": name, "kind": kinds[name]} for name in names],
        text,
        identity if distinct and "" not in seen else None,
        language.code if language.is_sure else None,
        header,
        options.encoding,
        [{name: _truncate_cell(row.get(name)) for name in names} for row in sample[:PREVIEW_ROWS]],
    )


def list_formats() -> str:
    """The formats that hold texts, for people."""
    return ", ".join([reader.name for reader in READERS if reader.rows] + [PLAIN_LINES.name])


def _read_row_dicts(reader: Reader, path: Path, options: ReadOptions) -> Iterator[dict[str, Any]]:
    """The rows as objects, blank ones left out."""
    assert reader.rows is not None
    rows: Iterator[TableRow] = reader.rows(path, ColumnRequest((), others=True), options.checked())
    if reader is PLAIN_LINES:
        return ({LINE_COLUMN: values[0]} for _, values, _ in rows if values)
    return (others for _, _, others in rows if others)


def _limit_rows(
    rows: Iterator[dict[str, Any]], name: str, most: int | None, characters: int | None
) -> Iterator[dict[str, Any]]:
    held = 0
    for number, row in enumerate(rows, 1):
        held += sum(len(value) if isinstance(value, str) else 8 for value in row.values())
        if most is not None and number > most:
            raise InputError(f"{name} has more than {most:,} rows, the most this service takes: split it")
        if characters is not None and held > characters:
            raise InputError(f"{name} unfolds to more than {characters:,} characters: split it")
        yield row


def _detect_encoding(reader: Reader, path: Path) -> str | None:
    """Windows-1252 for a text file that is no UTF-8 and has no mark of another: Excel writes that."""
    if reader.name in ("Parquet", "Excel"):
        return None
    decoder = getincrementaldecoder("utf-8")()
    with open_source(path) as stream, reraise_as_input_error(path.name):
        chunk = stream.read(_CHUNK_BYTES)
        if chunk.startswith(UTF16_BOMS):
            return None
        while chunk:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                return None if b"\0" in chunk else "windows-1252"
            chunk = stream.read(_CHUNK_BYTES)
    return None


def _detect_header(reader: Reader, path: Path, options: ReadOptions) -> bool | None:
    """Whether the first row names columns: short, distinct, no numbers, and shorter than the texts below."""
    if options.header is not None or reader.name not in ("TSV", "CSV", "Excel"):
        return options.header
    first, *rest = [*islice(_read_row_dicts(reader, path, options._replace(header=False)), 100)] or [{}]
    names = [str(cell).strip() for cell in first.values()]
    if not all(names) or len(set(names)) < len(names) or any(_looks_numeric(name) for name in names):
        return False
    if not rest:
        return all(len(name.split()) < 4 for name in names)
    for place, name in zip(first, names, strict=True):
        below = [len(str(row.get(place) or "").split()) for row in rest]
        if len(name.split()) >= 4 and median(below) >= 3:
            return False
    return True


def _looks_numeric(cell: str) -> bool:
    """Whether a cell has digits and points alone: a name of a column never has, a date or a version may."""
    return bool(re.fullmatch(r"[+-]?[\d.,]+%?", cell))


def _choose_text_column(
    names: list[str], kinds: dict[str, str], sample: list[dict[str, Any]], file: str
) -> str:
    """The column of the longest and most varied texts; one that is called so counts double."""

    def worth(name: str) -> float:
        cells = [str(row.get(name) or "") for row in sample]
        words = mean(min(len(cell.split()) or len(cell) / 4, 100) for cell in cells)
        varied = len(set(cells)) / len(cells)
        return float(words**0.5 * varied * (2 if _TEXT_NAMES.search(name) else 1))

    able = [name for name in names if kinds[name] == "text"]
    if not able:
        raise InputError(f"{file} has no column of texts: it has {', '.join(map(repr, names[:10]))}")
    return max(able, key=worth)


def _find_id_column(names: list[str], sample: list[dict[str, Any]]) -> str | None:
    """The column that is called an id and tells rows apart."""
    for name in names:
        cells = [_id_text(row, name) for row in sample]
        if _ID_NAMES.fullmatch(name) and all(cells) and len(set(cells)) == len(cells):
            return name
    return None


def _id_text(row: dict[str, Any], name: str | None) -> str:
    value = row.get(name) if name else None
    return "" if value is None else str(value).strip()


def _truncate_cell(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _MAX_CELL_CHARACTERS else value[:_MAX_CELL_CHARACTERS] + "…"
    return (
        value if value is None or isinstance(value, bool | int | float) else str(value)[:_MAX_CELL_CHARACTERS]
    )
