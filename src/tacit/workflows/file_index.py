"""Open a file of texts as an index, which is built once and then loaded from the cache."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError, TacitError
from tacit.storage import fingerprint
from tacit.storage.durable_files import CONFIG_FILE, write_atomic
from tacit.workflows.cache import FILES, cache_entry, load_or_build
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress
from tacit.workflows.python_records import PythonRecords, Source, as_source, read_index
from tacit.workflows.records import RecordOptions, RecordSource

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

_COLUMNS_FILE = "columns.json"
"""File of a cache entry: the columns that were chosen when it was built."""


def open_index(
    path: str | Path, options: RecordOptions | None = None, *, language: str | None = "auto",
    n_threads: int | None = None, trusted: bool = False, use_cache: bool = True,
    progress: Progress | None = None,
) -> Index:  # fmt: skip
    """Load an index, or build one of a file of texts and keep it in the cache.

    The cache is ``$TACIT_CACHE`` or the cache folder of the user. An index is built again if the content of
    the file, the options or the version of tacit change.

    Parameters
    ----------
    path : str or Path
        The folder of an index, or a file: lines of text, or a table (CSV, TSV, JSONL, Parquet, Excel).
    options : RecordOptions, optional
        How the file is read. The text column of a table, its ids and its header are detected by default, and
        logged.
    language : str, optional
        Language code of the texts; "auto" detects it, None trains on plain words.
    n_threads : int, optional
        Number of threads; None uses all cores.
    trusted : bool
        Load the search graph of a folder too; see `load`.
    use_cache : bool
        Whether to look for the index in the cache, and to keep it there.
    progress : callable, optional
        Receives events of the stages of `build_index`.

    Returns
    -------
    Index
        The index.

    Raises
    ------
    InputError
        If the file cannot be read or has no column of texts.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,question\\n7,how do I log in?\\n8,where is my parcel?\\n", "utf-8")
    ...     index = open_index(path, use_cache=False)
    >>> list(index.ids)
    ['7', '8']
    """
    path, options = Path(path), options or RecordOptions()
    if not os.path.isfile(path):  # False for an impossible name too
        _check_folder(path, options)
        return load(path, "index", n_threads, trusted=trusted)
    chosen: dict[str, str] = {}

    def build() -> Index:
        from tacit.workflows.indexing import build_index

        resolved = choose_columns(path, options)
        chosen.update(_changes(options, resolved))
        source = RecordSource((str(path),), options=resolved)
        return build_index(source, language=language, n_threads=n_threads, progress=progress)

    if not use_cache:
        index = build()
    else:
        folder = cached_index_folder(path, options, language)
        index = load_or_build(folder, "index", build, n_threads)
        chosen = _remember_columns(folder / _COLUMNS_FILE, chosen)
    _log_columns(path, chosen)
    return index


def open_model(path: str | Path, options: RecordOptions | None = None, **settings: Any) -> TextModel:
    """Load a model or the model of an index, or train one on a file of texts and keep it in the cache.

    Parameters
    ----------
    path : str or Path
        The folder of a model or of an index, or a file of texts.
    options : RecordOptions, optional
        How the file is read.
    **settings
        The other parameters of `open_index`.

    Returns
    -------
    TextModel
        The model.
    """
    if os.path.isfile(path):
        return open_index(path, options, **settings).model
    _check_folder(path, options or RecordOptions())
    return load(path, "model", settings.get("n_threads"))


def choose_columns(path: Path, options: RecordOptions) -> RecordOptions:
    """Return options with the text column, the id column, the header and the encoding of a file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text("id,question\\n7,how do I log in?\\n8,where is my parcel?\\n", "utf-8")
    ...     options = choose_columns(path, RecordOptions())
    >>> options.text, options.id, options.format.header
    ('question', 'id', True)
    """
    from tacit.corpora.formats import PLAIN_LINES
    from tacit.corpora.table_profile import profile_table

    profile = profile_table(path, options.format, text=options.text_column)
    reading = options.format._replace(encoding=profile.encoding, header=profile.header)
    if profile.format == PLAIN_LINES.name:
        return replace(options, format=reading._replace(header=None))
    return replace(options, text=options.text or profile.text, id=options.id or profile.id, format=reading)


def cached_index_folder(path: Path, options: RecordOptions, language: str | None = "auto") -> Path:
    """Return the folder of the cache for the index of a file; its name depends on content and settings."""
    with open(path, "rb") as file:
        content = file_digest(file, "sha256").hexdigest()
    settings = json.dumps([asdict(options), language, "".join(path.suffixes).lower()], default=list)
    return cache_entry(FILES, fingerprint([content.encode(), settings.encode()])[:32])


def open_records(
    records: Any, text: str | Sequence[str] | None = None, id: str | None = None,
    columns: Sequence[str] | None = None,
) -> Source:  # fmt: skip
    """Convert what `as_source` accepts, an index or its folder, to a source of records.

    If no text column is named, that of a table is chosen, and its ids, as `open_index` does.
    """
    from tacit.search.index import Index

    source = records if isinstance(records, Index) else as_source(records, text, id, columns)
    if isinstance(source, RecordSource) and len(source.files) == 1 and not source.corpora:
        path, options = Path(source.files[0]), source.options
        if Path(path, CONFIG_FILE).is_file():
            _check_folder(path, options)
            source = load(path, "index")
        elif options.text is None and path.is_file():
            resolved = choose_columns(path, options)
            _log_columns(path, _changes(options, resolved))
            source = replace(source, options=resolved)
    return PythonRecords(list(read_index(source))) if isinstance(source, Index) else source


def _log_columns(path: Path, chosen: dict[str, str]) -> None:
    if chosen:
        columns = " and ".join(f"the {name}s are in the column {value!r}" for name, value in chosen.items())
        logger.info(f"{path.name}: {columns}; --column and --id-column name others")


def _changes(options: RecordOptions, resolved: RecordOptions) -> dict[str, str]:
    """Return the text column and the id column that were chosen."""
    names = {"text": (options.text, resolved.text), "id": (options.id, resolved.id)}
    return {name: str(new) for name, (old, new) in names.items() if new is not None and old is None}


def _remember_columns(file: Path, chosen: dict[str, str]) -> dict[str, str]:
    """Write the chosen columns beside a new index; read them beside one that was loaded."""
    with suppress(TacitError, OSError, ValueError):
        if chosen and file.parent.is_dir():
            write_atomic(file, lambda stream: stream.write(json.dumps(chosen).encode()))
        elif not chosen and file.is_file():
            return dict(json.loads(file.read_bytes()))
    return chosen


def _check_folder(path: str | Path, options: RecordOptions) -> None:
    """Raise InputError if there is nothing at a path that is no file, or if columns of a file are named."""
    if not os.path.exists(path):
        raise InputError(f"no such file or folder: {path}; check the path")
    for parameter, value in (("column", options.text), ("id_column", options.id)):
        if value is not None:
            problem = f"{parameter}={value} names a column of a file, and {path} is no file"
            raise InputError(problem, parameter=parameter, remedy="leave it out, or check the path")
