"""`IndexWriter`: add, delete, merge and save the texts of an index; writers take turns."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from tacit.checks import check_choice, check_text_input
from tacit.errors import InputError, TacitError
from tacit.models.text_model import as_text_model
from tacit.search import merging, segment
from tacit.search.outside_vectors import prepare_for_texts, restore_encoder
from tacit.search.record_columns import encode_records
from tacit.search.segment import build_segments
from tacit.search.serialization import flush_segments, read_index, write_index
from tacit.search.snapshot import Snapshot
from tacit.search.stored_vectors import PRECISIONS
from tacit.search.text_ids import check_ids, resolve_ids
from tacit.storage import lock_for_writing, read_checksum
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.storage import StoredModel

T = TypeVar("T")
logger = logging.getLogger(__name__)


class IndexWriter:
    """The writing half of an index.

    Writers replace `snapshot` in one step. Readers use the snapshot they started with and need no lock.
    """

    def __init__(
        self, model: Any, *, n_threads: int | None = None, vectors: str = "float32", encoder: Any = None
    ) -> None:
        """Create an empty index."""
        self.model = as_text_model(model)
        if encoder is not None:
            self.model = self.model.with_encoder(encoder)
        self.n_threads = n_threads
        no_rows, precision = np.zeros(0, np.bool_), check_choice("vectors", vectors, PRECISIONS)
        self.snapshot = Snapshot(self.model, (), no_rows, precision=precision)
        self.max_segment_size = segment.MAX_SEGMENT_SIZE
        self.committed: tuple[Path, str | None] | None = None
        """The folder that the index was read from or saved to, and the checksum of its config then."""
        self._write_lock = threading.RLock()
        self.other_quantiles: dict[tuple[str, bool], Array] = {}

    @property
    def n_threads(self) -> int | None:
        """Number of threads, also of the model; None uses all cores."""
        return self.model.n_threads

    @n_threads.setter
    def n_threads(self, value: int | None) -> None:
        self.model.n_threads = value

    def __len__(self) -> int:
        """Return the number of texts that are not deleted."""
        return len(self.snapshot)

    def __reduce__(self) -> Any:
        """Raise an error: an index is stored in a folder."""
        raise InputError(
            "an index cannot be pickled: save it with index.save(folder), and read it with tacit.load(folder)"
        )

    @cached_property
    def score_quantiles(self) -> Array:
        """Quantiles of the ``search`` scores of random pairs of texts; computed once, when first needed."""
        from tacit.search.ranking import estimate_score_quantiles

        return estimate_score_quantiles(self.snapshot)

    def update(self, folder: str | Path, change: Callable[[Self], T]) -> T:
        """Change the index and save it, completely or not at all; searches see the change when it is saved.

        Parameters
        ----------
        folder : str or Path
            The folder of the index.
        change : callable
            Receives an index of the same texts and changes it.

        Returns
        -------
        object
            The result of ``change``.

        Raises
        ------
        InputError
            If the folder cannot be written, or another index was saved there since this one was read.
        """
        with lock_for_writing(folder) as target, self._write_lock:
            draft, before = self._copy(), read_checksum(target)
            result = change(draft)
            try:
                draft.save(target)
            except (TacitError, OSError) as error:
                if read_checksum(target) in (None, before):
                    raise
                logger.warning("the index was saved to %s, but then: %s", target, error)
            self.snapshot, self.committed = draft.snapshot, (target, read_checksum(target))
        return result

    def _copy(self) -> Self:
        """Return an index of the same texts; changes of one do not affect the other."""
        other = type(self).__new__(type(self))
        other.__dict__ = {**self.__dict__, "_write_lock": threading.RLock()}
        return other

    def add(
        self, texts: Iterable[str], ids: Iterable[str | int | None] | None = None,
        columns: Iterable[Mapping[str, Any]] | None = None, progress: ProgressCallback | None = None,
        *, outside_vectors: Any = None,
    ) -> list[str]:  # fmt: skip
        """Add texts; after an error the index is unchanged.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        ids : iterable of str, int or None, optional
            A distinct id for each text. Texts without one get consecutive numbers that are not in use; the
            first text of an index has "1".
        columns : iterable of mapping, optional
            A record to store with each text: column names and JSON values.
        progress : callable, optional
            Called with the number of encoded texts and the number of all texts.
        outside_vectors : array-like of shape (n_texts, n_dimensions), optional
            Vectors of the texts from elsewhere, which are compared as well; either all texts of an index have
            one or none.

        Returns
        -------
        list of str
            The ids of the texts.

        Raises
        ------
        InputError
            If a text is not a string, an id is in use, or a value cannot be stored as JSON.
        """
        checked = check_texts(texts)
        with self._write_lock:
            text_ids, next_id = resolve_ids(self.snapshot, ids, len(checked))
            strings = (text_ids, checked, encode_records(columns, len(checked)))
            size, precision = self.max_segment_size, self.snapshot.precision
            outside = prepare_for_texts(self, outside_vectors, len(checked))
            segments = build_segments(self.model, precision, strings, size, progress, outside)
            self.snapshot = replace(self.snapshot.with_segments(segments, size), next_id=next_id)
        return text_ids

    def delete(self, ids: Iterable[str | int]) -> int:
        """Delete texts; if an id does not exist, nothing is deleted.

        Parameters
        ----------
        ids : iterable of str or int
            Ids of the texts.

        Returns
        -------
        int
            The number of deleted texts.

        Raises
        ------
        InputError
            If the index has no text with one of the ids.
        """
        text_ids = check_ids(ids)
        with self._write_lock:
            rows = self.snapshot.rows_of_ids(text_ids, must_exist=True)
            self.snapshot = merging.compact_if_mostly_deleted(self.snapshot.with_deleted(rows.tolist()))
        return len(set(rows.tolist()))

    def build_graph(self, progress: ProgressCallback | None = None) -> Self:
        """Build graphs for approximate search (extra ``search``), useful from about a million texts.

        Texts that are added later are searched exactly until their graphs are built, too.

        Parameters
        ----------
        progress : callable, optional
            Called with the number of finished texts and the number of all texts.

        Returns
        -------
        Index
            The index itself.
        """
        with self._write_lock:
            self.snapshot = merging.build_graphs(self.snapshot, progress)
        return self

    def merge(self, folder: str | Path | None = None, progress: ProgressCallback | None = None) -> Self:
        """Merge small segments and remove deleted texts, which makes search faster.

        Searches continue in the meantime and use the previous segments.

        Parameters
        ----------
        folder : str or Path, optional
            The folder of the index. Each merged segment is written there before the next one is made, so that
            memory holds one segment, and the index is saved.
        progress : callable, optional
            Called with the number of finished texts and the number of all texts.

        Returns
        -------
        Index
            The index itself.
        """
        with nullcontext() if folder is None else lock_for_writing(folder):
            if not self._merge_and_swap(folder, progress):
                with self._write_lock:
                    self._merge_and_swap(folder, progress)
            if folder is not None:
                self.save(folder)
        return self

    def _merge_and_swap(self, folder: str | Path | None, progress: ProgressCallback | None) -> bool:
        """Merge the current segments, and replace them in the snapshot.

        Return False, and replace nothing, if a writer replaced the segments in the meantime.
        """
        before = self.snapshot
        merged = merging.merge_segments(before, self.max_segment_size, folder, progress)
        with self._write_lock:
            current = self.snapshot
            is_unchanged = current.segments[: len(before.segments)] == before.segments
            if is_unchanged:
                self.snapshot = merging.replace_segments(current, *merged, len(before.segments))
        return is_unchanged

    def flush(self, folder: str | Path) -> None:
        """Write in-memory segments to files in a folder and map them from there.

        This builds indexes larger than memory: within ``tacit.storage.lock_for_writing(folder)``, call `add`
        and `flush` in turn, and finally `save`. Until then the index in the folder is unchanged.

        Parameters
        ----------
        folder : str or Path
            The folder of the index.
        """
        with lock_for_writing(folder), self._write_lock:
            self.snapshot = flush_segments(self.snapshot, folder)

    def save(self, folder: str | Path) -> None:
        """Write the index and its model to a folder, completely or not at all.

        Segments that the folder has already are not written again. Afterwards the index uses the files. An
        index that was read from this folder, or saved to it, does not replace what was saved there since by
        others.

        Parameters
        ----------
        folder : str or Path
            The folder, which `tacit.load` reads.

        Raises
        ------
        InputError
            If the folder cannot be written, or another index was saved there since this one was read.
        """
        with lock_for_writing(folder) as target, self._write_lock:  # always in this order: no deadlock
            self._check_not_replaced(target)
            snapshot = flush_segments(merging.compact_for_save(self.snapshot), folder)
            n, size = len(snapshot.segments), self.max_segment_size
            if n > max(merging.MAX_SEGMENTS, 4 * len(snapshot) // size):
                merged = merging.merge_segments(snapshot, size, folder)
                snapshot = merging.replace_segments(snapshot, *merged, n)
            write_index(snapshot, self.score_quantiles, folder)
            self.snapshot, self.committed = snapshot, (target, read_checksum(target))

    def _check_not_replaced(self, target: Path) -> None:
        """Raise an error if another index was saved to a folder since this one was read or saved there."""
        if self.committed is None or self.committed[0] != target:
            return
        if read_checksum(target) not in (None, self.committed[1]):
            raise InputError(
                f"another index was saved to {target} since this one was read: load it again and repeat the "
                "change, or save to another folder"
            )

    @classmethod
    def from_stored(
        cls, stored: StoredModel, trusted: bool = False, tokenizer: Any = None, encoder: Any = None
    ) -> Self:
        """Rebuild an index from the contents of its folder; used by `tacit.load`.

        Parameters
        ----------
        stored : StoredModel
            The contents of the folder.
        trusted : bool
            Whether to read graphs.
        tokenizer : callable, optional
            The tokenizer of a model with a tokenizer of its own.
        encoder : object, optional
            The encoder that the index was built with, which cannot be stored.

        Returns
        -------
        Index
            The index.
        """
        snapshot, score_quantiles = read_index(stored, trusted, tokenizer)
        restore_encoder(snapshot.model, encoder)
        index = cls(snapshot.model, vectors=snapshot.precision)
        index.snapshot = snapshot
        if score_quantiles is not None:
            index.score_quantiles = score_quantiles
        index.committed = None if stored.folder is None else (stored.folder, stored.checksum)
        return index


def check_texts(texts: Iterable[str]) -> list[str]:
    """Return the texts as a list; anything but strings raises an error."""
    check_text_input(texts)
    checked = list(texts)
    for text in checked:
        if not isinstance(text, str):
            raise InputError(f"a text is a {type(text).__name__}, not a string: {text!r}")
    return checked
