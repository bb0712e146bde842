"""Inspect an uploaded or named file before it is read: its format, columns, language and size."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.corpora.formats import PLAIN_LINES, READERS
from tacit.corpora.sources import open_source, reraise_as_input_error
from tacit.corpora.table_rows import ReadOptions
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.corpora.table_profile import TableProfile

_CHUNK_BYTES = 1 << 20
LINES_FORMAT = PLAIN_LINES.name
"""Format of a file without columns."""


def inspect_file(
    path: str | Path, *, header: bool | None = None, max_rows: int | None = None, max_chars: int | None = None
) -> TableProfile:
    """Guess the columns, the text column, the id column and the language of a file.

    Parameters
    ----------
    path : str or Path
        A table (CSV, TSV, JSONL, Parquet, Excel) or a file of lines, compressed with gzip or not.
    header : bool, optional
        Whether the first row of a table names its columns; detected by default.
    max_rows : int, optional
        A file with more rows is refused.
    max_chars : int, optional
        A file that expands to more bytes or characters is refused before it is parsed.

    Returns
    -------
    TableProfile
        Format, number of rows, columns with their types, text column, id column, language and first rows.

    Raises
    ------
    InputError
        The file is empty, damaged, too large or has no column of texts.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,question\\n7,how do I log in?\\n8,where is my parcel?\\n", "utf-8")
    ...     profile = inspect_file(path)
    >>> profile.text, profile.id, profile.rows
    ('question', 'id', 2)
    """
    from tacit.corpora.table_profile import profile_table

    path = Path(path)
    if max_chars is not None:
        check_expanded_size(path, max_chars)
    options = ReadOptions(header=header)
    if max_chars is not None:
        options = options._replace(max_unpacked=max_chars)
    return profile_table(path, options, max_rows, max_chars)


def check_expanded_size(path: Path, max_bytes: int) -> None:
    """Refuse a gzip file that expands to more than ``max_bytes``, before it is parsed."""
    size = 0
    with open_source(path) as stream, reraise_as_input_error(path.name):
        while size <= max_bytes and (chunk := stream.read(_CHUNK_BYTES)):
            size += len(chunk)
    if size > max_bytes:
        raise InputError(f"{path.name} expands to more than {max_bytes:,} bytes: give a smaller file")


def storage_name(filename: str) -> str:
    """Return a safe file name that keeps the ending by which the format is recognized.

    >>> storage_name("../../etc/FAQ.CSV.gz"), storage_name("notes")
    ('upload.csv.gz', 'upload.txt')
    """
    known = {ending for reader in READERS for ending in reader.suffixes}
    match = re.search(r"(\.\w{1,10})(\.gz)?$", filename.lower())
    suffix = match[1] if match is not None and match[1] in known else ".txt"
    return f"upload{suffix}{'.gz' if filename.lower().endswith('.gz') else ''}"
