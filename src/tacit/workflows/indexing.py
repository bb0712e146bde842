"""Build or extend an index from records."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tacit.checks import check_int
from tacit.corpora import Record
from tacit.errors import InputError
from tacit.models.outside import as_encoder
from tacit.models.vector_files import read_vectors
from tacit.search.filters import describe_other_columns
from tacit.search.index import Index
from tacit.search.record_columns import MAX_COLUMNS
from tacit.storage import check_target, lock_for_writing, read_checksum, read_config
from tacit.types import Array
from tacit.workflows.learning import count_texts, learn
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, stage_callback
from tacit.workflows.python_records import PythonRecords, as_source
from tacit.workflows.training_settings import TrainingSettings

logger = logging.getLogger(__name__)


class AddedRecords(NamedTuple):
    """The numbers of records that were added to an index.

    Parameters
    ----------
    n_added : int
        Number of records.
    n_unknown : int
        Number of those that have no word that the model knows.
    """

    n_added: int
    n_unknown: int


def build_index(
    records: Any, model: Any = None, *, text: str | Sequence[str] | None = None, id: str | None = None,
    columns: Sequence[str] | None = None, into: str | Path | None = None, language: str | None = "auto",
    background: Any = None, precision: str = "float32", segment_size: int | None = None,
    approximate: bool = False, max_columns: int | None = None, n_threads: int | None = None,
    encoder: Any = None, outside_vectors: Any = None,
    on_added: Callable[[AddedRecords], None] | None = None, progress: Progress | None = None,
) -> Index:  # fmt: skip
    """Build an index of records; without a model, train one on them first.

    Parameters
    ----------
    records : RecordSource, path, iterable of str, Record or dict, Series or DataFrame
        The texts, with ids and other columns where they have them.
    model : TextModel, fitted trainer, str or Path, optional
        The model or its folder; None trains one with `learn`, and logs its notes on the texts.
        The index stores it.
    text, id, columns : optional
        Text columns, id column and other columns to keep, of a file, a DataFrame or dicts.
    into : str or Path, optional
        Folder to save the index in; full segments are written while it is built, so that memory does not
        grow with the number of texts.
    language, background : optional
        As in `learn`; used if ``model`` is None.
    precision : {"float32", "float16", "int8"}
        Precision of the stored vectors.
    segment_size : int, optional
        Maximum number of texts per segment.
    approximate : bool
        Build a graph for approximate search.
    max_columns : int, optional
        Columns that can be filtered and counted, 200 by default; all are kept with the texts.
    n_threads : int, optional
        Number of threads; None uses all cores.
    encoder : object, str or Path, optional
        An encoder whose vectors are compared as well, or its folder; see ``TextModel.with_encoder``.
    outside_vectors : array-like, str or Path, optional
        A vector for each record; a file of them, .npy, .safetensors or .parquet[:COLUMN]; or ":COLUMN", a
        column of the records with lists of numbers.
    on_added : callable, optional
        Receives the number of records, and of those without a known word.
    progress : callable, optional
        Receives events of the stages of `learn`, "indexing" and "linking".

    Returns
    -------
    Index
        The index.

    Raises
    ------
    InputError
        If there is no text, a file cannot be read, or an id occurs twice.

    Examples
    --------
    >>> import tacit
    >>> index = tacit.build_index(["my card was declined", "the payment failed", "payment by card failed",
    ...                            "I forgot my password", "reset the password please"])
    >>> index.search("card failed", k=1)[0].text
    'payment by card failed'
    """
    source = as_source(records, text, id, columns)
    encoder = None if encoder is None else as_encoder(encoder)
    outside = _read_outside(outside_vectors)
    committed = None
    if into is not None:
        target = check_target(into)
        committed = target, read_checksum(target)
    if model is None:
        if not source.is_rereadable:
            source = PythonRecords(list(source.records()))
        _take_outside(outside, list(islice(source.records(), 1)))  # reports a wrong column before training
        settings = TrainingSettings(n_threads=n_threads)
        learned = learn(
            source, language=language, background=background, settings=settings, progress=progress
        )
        notes = [learned.language_note, str(learned.self_check or ""), *learned.notes]
        for note in dict.fromkeys(filter(None, notes)):
            logger.info(note)
        model = learned.model
    rows = source.records()  # reports unreadable files before the model is loaded
    if isinstance(model, str | Path):
        model = load(model, "model", n_threads)
    index = Index(model, n_threads=n_threads, vectors=precision, encoder=encoder)
    index.committed = committed  # what another process saves there in the meantime is not replaced
    _change(
        index, rows, into, outside, on_added, progress, segment_size=segment_size, approximate=approximate,
        max_columns=max_columns,
    )  # fmt: skip
    return index


def update_index(
    folder: str | Path, records: Any = None, *, delete: Iterable[str] = (), merge: bool = False,
    approximate: bool = False, segment_size: int | None = None, max_columns: int | None = None,
    n_threads: int | None = None, outside_vectors: Any = None,
    on_added: Callable[[AddedRecords], None] | None = None,
    progress: Progress | None = None,
) -> Index:  # fmt: skip
    """Delete texts from a saved index, add records, merge its segments, and save it.

    Parameters
    ----------
    folder : str or Path
        The index.
    records : RecordSource, path, iterable of str or Record, optional
        Records to add.
    delete : iterable of str
        Ids of texts to delete, before records are added.
    merge : bool
        Merge small segments and drop deleted texts.
    approximate : bool
        Build a graph for approximate search.
    segment_size : int, optional
        Maximum number of texts per segment.
    max_columns : int, optional
        Columns that can be filtered and counted, 200 by default; all are kept with the texts.
    n_threads : int, optional
        Number of threads.
    outside_vectors : array-like, str or Path, optional
        A vector for each record to add, as in `build_index`.
    on_added : callable, optional
        Receives the number of records added, and of those without a known word.
    progress : callable, optional
        Receives events of the stages "indexing", "merging" and "linking".

    Returns
    -------
    Index
        The index.

    Raises
    ------
    InputError
        If nothing would change, or an id does not exist.
    """
    read_config(folder)
    outside = _read_outside(outside_vectors)
    rows = as_source([] if records is None else records).records()
    with lock_for_writing(folder, create=False):  # no other writer between reading and saving
        index: Index = load(folder, "index", n_threads)
        _change(
            index, rows, folder, outside, on_added, progress, segment_size=segment_size,
            approximate=approximate, max_columns=max_columns, delete=tuple(delete), merge=merge,
        )  # fmt: skip
    return index


def _read_outside(vectors: Any) -> Array | str | None:
    """Return outside vectors as an array, read from a file if a path is given; or ":COLUMN" itself."""
    if vectors is None or (isinstance(vectors, str) and vectors.startswith(":")):
        return vectors
    return read_vectors(vectors) if isinstance(vectors, str | Path) else np.asarray(vectors)


def _take_outside(
    vectors: Array | str | None, part: list[Record], start: int = 0
) -> tuple[Any, list[dict[str, Any]]]:
    """Return outside vectors and columns of some records, the first of which has the number ``start``.

    The columns are without the one that ":COLUMN" names.
    """
    columns = [record.columns for record in part]
    if not isinstance(vectors, str):
        return None if vectors is None else vectors[start : start + len(part)], columns
    name = vectors[1:]
    for row in columns:
        if not isinstance(row.get(name), list):
            names = ", ".join(map(repr, row)) or "none"
            raise InputError(f"a text has no list of numbers in the column {name!r}: its columns are {names}")
    others = [{key: value for key, value in row.items() if key != name} for row in columns]
    return [row[name] for row in columns], others


def _change(
    index: Index, rows: Iterator[Record], into: str | Path | None, outside: Array | str | None,
    on_added: Callable[[AddedRecords], None] | None, progress: Progress | None, *,
    segment_size: int | None, approximate: bool, max_columns: int | None,
    delete: tuple[str, ...] = (), merge: bool = False,
) -> None:  # fmt: skip
    """Delete, add, merge, build the graph, and save, where each is requested."""
    if max_columns is not None:
        check_int("max_columns", max_columns, 1, MAX_COLUMNS)
        index.snapshot = replace(index.snapshot, max_columns=max_columns)
    with nullcontext() if into is None else lock_for_writing(into):
        if segment_size is not None:
            index.max_segment_size = segment_size
        if delete:
            index.delete(delete)
        added = add_records(index, rows, into=into, progress=progress, outside_vectors=outside)
        if not added.n_added and not delete and not merge:
            raise InputError("the collection has no texts: nothing was written")
        if merge:
            index.merge(into, stage_callback(progress, "merging"))
        if approximate:
            index.build_graph(stage_callback(progress, "linking"))
        for note in describe_other_columns(index.snapshot) if added.n_added else ():
            logger.info(note)
        if into is not None:
            index.save(into)
    if on_added is not None:
        on_added(added)


def add_records(
    index: Index, records: Any, *, into: str | Path | None = None, progress: Progress | None = None,
    outside_vectors: Array | str | None = None,
) -> AddedRecords:  # fmt: skip
    """Add records to an index, a segment at a time.

    Parameters
    ----------
    index : Index
        The index; it is not saved.
    records : RecordSource, path, iterable of str or Record
        Records; those without an id are numbered.
    into : str or Path, optional
        The folder of the index, to which full segments are written: memory then holds one segment.
    progress : callable, optional
        Receives events of the stage "indexing".
    outside_vectors : array of shape (n_records, n_dimensions) or str, optional
        A vector for each record, or ":COLUMN", a column of the records with lists of numbers.

    Returns
    -------
    AddedRecords
        How many were added, and how many of them have no known word.

    Raises
    ------
    InputError
        If an id exists already; records of earlier segments stay added.
    """
    rows = count_texts(as_source(records).records(), progress, "indexing")
    n_added = n_unknown = 0
    while part := list(islice(rows, index.max_segment_size)):
        n_before, ids = len(index.texts), [record.id for record in part]
        outside, columns = _take_outside(outside_vectors, part, n_added)
        index.add([record.text for record in part], ids, columns, outside_vectors=outside)
        n_unknown += len(index.snapshot.rows_without_known_words(n_before))
        n_added += len(part)
        if into is not None and len(part) == index.max_segment_size:  # there may be more than memory holds
            index.flush(into)
    if not isinstance(outside_vectors, str | None) and len(outside_vectors) != n_added:
        raise InputError(
            f"{len(outside_vectors)} outside vectors for {n_added} texts: give one for each text"
        )
    return AddedRecords(n_added, n_unknown)
