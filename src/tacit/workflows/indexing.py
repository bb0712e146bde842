"""Build or extend an index from records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.errors import InputError
from tacit.workflows.learned import Learned
from tacit.workflows.learning import count_texts, learn
from tacit.workflows.progress import Progress, stage_callback
from tacit.workflows.python_records import PythonRecords, Source, as_source

if TYPE_CHECKING:
    from tacit.search.index import Index


class AddedRecords(NamedTuple):
    """How many records were added to an index, and how many of them have no word that the model knows."""

    n_added: int
    n_unknown: int


@dataclass(frozen=True)
class UpdatedIndex:
    """An index after `update_index`, and what was added to it."""

    index: Index
    n_added: int
    n_unknown: int


def build_index(
    records: Any,
    model: Any = None,
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    columns: Sequence[str] | None = None,
    into: str | Path | None = None,
    language: str | None = "auto",
    background: Any = None,
    precision: str = "float32",
    segment_size: int | None = None,
    approximate: bool = False,
    n_threads: int | None = None,
    on_learned: Callable[[Learned], None] | None = None,
    on_added: Callable[[AddedRecords], None] | None = None,
    progress: Progress | None = None,
) -> Index:
    """Build an index of records; without a model, train one on them first.

    Parameters
    ----------
    records : RecordSource, path, iterable of str, Record or dict, Series or DataFrame
        The texts, with ids and other columns where they have them.
    model : TextModel or fitted trainer, optional
        The model; None trains one with `learn`. The index stores it.
    text, id, columns : optional
        Text columns, id column and other columns to keep, of a file, a DataFrame or dicts.
    into : str or Path, optional
        Folder to save the index in; full segments are written while it is built, so that memory does not
        grow with the number of texts.
    language, background : optional
        As in `learn`, where no model is given.
    precision : {"float32", "float16", "int8"}
        Precision of the stored vectors.
    segment_size : int, optional
        Maximum number of texts per segment.
    approximate : bool
        Build a graph for approximate search.
    n_threads : int, optional
        Number of threads; None uses all cores.
    on_learned : callable, optional
        Receives the result of `learn`, where no model is given.
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
    from tacit.search.index import Index
    from tacit.storage import check_target
    from tacit.workflows.training_settings import TrainingSettings

    source = as_source(records, text, id, columns)
    if into is not None:
        check_target(into)
    if model is None:
        if not source.is_rereadable:
            source = PythonRecords(list(source.records()))
        settings = TrainingSettings(n_threads=n_threads)
        learned = learn(
            source, language=language, background=background, settings=settings, progress=progress
        )
        model = learned.model
        if on_learned is not None:
            on_learned(learned)
    index = Index(model, n_threads=n_threads, vectors=precision)
    added = _update(index, source, into, segment_size, (), False, approximate, progress)
    if on_added is not None:
        on_added(added)
    return index


def update_index(
    folder: str | Path,
    records: Any = None,
    *,
    delete: Iterable[str] = (),
    merge: bool = False,
    approximate: bool = False,
    segment_size: int | None = None,
    n_threads: int | None = None,
    progress: Progress | None = None,
) -> UpdatedIndex:
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
    n_threads : int, optional
        Number of threads.
    progress : callable, optional
        Receives events of the stages "indexing", "merging" and "linking".

    Returns
    -------
    UpdatedIndex
        The index, and how many records were added.

    Raises
    ------
    InputError
        If nothing would change, or an id is not there.
    """
    from tacit.storage import read_config, writing
    from tacit.workflows.loading import load

    read_config(folder)
    source = as_source([] if records is None else records)
    with writing(folder):  # no other writer between reading and saving
        index = load(folder, "index", n_threads)
        added = _update(index, source, folder, segment_size, tuple(delete), merge, approximate, progress)
    return UpdatedIndex(index, *added)


def _update(
    index: Index,
    source: Source,
    into: str | Path | None,
    segment_size: int | None,
    delete: tuple[str, ...],
    merge: bool,
    approximate: bool,
    progress: Progress | None,
) -> AddedRecords:
    from tacit.storage import writing

    records = source.records()
    with nullcontext() if into is None else writing(into):
        if segment_size is not None:
            index.max_segment_size = segment_size
        if delete:
            index.delete(delete)
        added = add_records(index, records, into=into, progress=progress)
        if not added.n_added and not delete and not merge:
            raise InputError("there is no text to index: the collection is empty; nothing was written")
        if merge:
            index.merge(into, stage_callback(progress, "merging"))
        if approximate:
            index.build_graph(stage_callback(progress, "linking"))
        if into is not None:
            index.save(into)
    return added


def add_records(
    index: Index,
    records: Any,
    *,
    into: str | Path | None = None,
    progress: Progress | None = None,
) -> AddedRecords:
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

    Returns
    -------
    AddedRecords
        How many were added, and how many of them have no known word.

    Raises
    ------
    InputError
        If an id is there already; records of earlier segments stay added.
    """
    rows = count_texts(as_source(records).records(), progress, "indexing")
    n_added = n_unknown = 0
    while part := list(islice(rows, index.max_segment_size)):
        n_before, number = len(index.texts), index.snapshot.next_id
        ids = [str(number + i) if record.id is None else record.id for i, record in enumerate(part)]
        index.add([record.text for record in part], ids, [record.columns for record in part])
        n_unknown += index.snapshot.n_without_known_words(n_before)
        n_added += len(part)
        if into is not None and len(part) == index.max_segment_size:  # there may be more than memory holds
            index.flush(into)
    return AddedRecords(n_added, n_unknown)
