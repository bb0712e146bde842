"""Write an index to a folder and read it back.

The model is one file and each segment is another. A small file has what changes most often: the deleted rows
and the quantiles. Saving writes this file and the segments that are not stored yet.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tacit.checks import check_choice, check_int
from tacit.errors import ModelError
from tacit.models.measures import SCORE_VERSIONS
from tacit.models.percentiles import N_QUANTILES
from tacit.models.text_model import TextModel
from tacit.search.approximate import HnswGraph
from tacit.search.record_columns import DEFAULT_MAX_COLUMNS, MAX_COLUMNS
from tacit.search.segment import Segment
from tacit.search.snapshot import Snapshot
from tacit.search.stored_vectors import PRECISIONS
from tacit.storage import ArrayFile, StoredModel, write_array_file, write_model
from tacit.storage.stored_model import ArrayReader, model_card, restoring
from tacit.types import Array

logger = logging.getLogger(__name__)

_MODEL, _STATE, _SEGMENT, _GRAPH = "model.", "state", "segment-", "graph-"


def flush_segments(snapshot: Snapshot, folder: str | Path) -> Snapshot:
    """Write the in-memory segments to files in ``folder`` and map them from there.

    The caller holds the lock of the folder until `write_index` has recorded the files.
    """
    return replace(snapshot, segments=tuple(flush_segment(segment, folder) for segment in snapshot.segments))


def flush_segment(segment: Segment, folder: str | Path) -> Segment:
    """Return the segment mapped from a file in ``folder``, which is written if there is none."""
    if segment.file is not None and segment.file.entry is not None:
        return segment
    stored = Segment.from_file(segment.model, write_array_file(folder, segment.to_arrays()))
    if segment.graph is None:
        return stored
    graph = HnswGraph(segment.graph.graph, stored.vectors)
    return stored.with_graph(graph, write_array_file(folder, graph.to_arrays()))


def write_index(snapshot: Snapshot, score_quantiles: Array, folder: str | Path) -> None:
    """Write what is not stored yet, and commit it."""
    model = snapshot.model.to_stored()
    arrays = {f"{_MODEL}{name}": array for name, array in model.arrays.items()}
    state = {"deleted": np.flatnonzero(~snapshot.alive), "quantiles": score_quantiles}
    files = {_STATE: ArrayFile(state)}
    for number, segment in enumerate(snapshot.segments):
        files[f"{_SEGMENT}{number}"] = segment.file or ArrayFile(segment.to_arrays())
        if segment.graph_file is not None:  # also if it was not read, as the folder is not trusted
            files[f"{_GRAPH}{number}"] = segment.graph_file
        elif segment.graph is not None:
            files[f"{_GRAPH}{number}"] = ArrayFile(segment.graph.to_arrays())
    parameters = {
        "model": {"parameters": model.parameters, "training": model.training},
        "next_number": snapshot.next_id,
        "segments": len(snapshot.segments),
        "vectors": snapshot.precision,
        "score_version": SCORE_VERSIONS["hybrid"],
    }
    if snapshot.max_columns != DEFAULT_MAX_COLUMNS:
        parameters["max_columns"] = snapshot.max_columns
    training = {"texts": len(snapshot), "corpus": model.training.get("corpus")}
    stored = StoredModel("Index", parameters, training, arrays, model.vocabulary, parts=files)
    summary = (
        f"{len(snapshot):,} texts with their vectors of {snapshot.model.n_components} components, "
        "and the model that computed them.\nThe folder contains the texts themselves."
    )
    card = model_card("A tacit index", summary, 'index.search("what you look for")')
    write_model(folder, stored, card)


def read_index(
    stored: StoredModel, trusted: bool = False, tokenizer: Any = None
) -> tuple[Snapshot, Array | None]:
    """Return the snapshot of a stored index and its score quantiles, None if they are of other scores.

    Graphs are read if the index is ``trusted``.
    """
    with restoring("build it again"):
        inner, reader = stored.parameters["model"], ArrayReader(stored.arrays, _MODEL)
        arrays = {name: stored.arrays[_MODEL + name] for name in reader.names("")}
        content = StoredModel("TextModel", inner["parameters"], inner["training"], arrays, stored.vocabulary)
        model = TextModel.from_stored(content, tokenizer=tokenizer)
        files, state = stored.parts, ArrayReader(stored.parts[_STATE].arrays)
        n_segments = check_int("segments", stored.parameters["segments"], 0, len(files))
        graph_files = [files.get(f"{_GRAPH}{i}") for i in range(n_segments)]
        if any(graph_files) and not trusted:
            logger.info(
                "the index has a graph, which only load(folder, trusted=True) reads: searching exactly"
            )
        segments = []
        for i, graph_file in enumerate(graph_files):
            segment = Segment.from_file(model, files[f"{_SEGMENT}{i}"], graph_file)
            if graph_file and trusted:
                graph = HnswGraph.from_bytes(graph_file.arrays["graph"], segment.vectors)
                segment = segment.with_graph(graph, graph_file)
            segments.append(segment)
        alive = np.ones(sum(map(len, segments)), np.bool_)
        alive[state.indices("deleted", np.int64, (None,), len(alive))] = False
        score_quantiles = state.floats("quantiles", np.float32, (N_QUANTILES + 1,))
        is_current = stored.parameters.get("score_version", 1) == SCORE_VERSIONS["hybrid"]
        next_id = check_int("next_number", stored.parameters["next_number"], 1)
        precision = check_choice("vectors", stored.parameters.get("vectors", "float32"), PRECISIONS)
        max_columns = stored.parameters.get("max_columns", DEFAULT_MAX_COLUMNS)
        max_columns = check_int("max_columns", max_columns, 1, MAX_COLUMNS)
        snapshot = Snapshot(model, tuple(segments), alive, next_id, precision, max_columns)
        _check_unique_ids(snapshot)
        return snapshot, score_quantiles if is_current else None


def _check_unique_ids(snapshot: Snapshot) -> None:
    """Raise an error if two live texts have the same id; only ids with equal hashes are compared."""
    hashes, rows = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for segment, first, _ in snapshot.segment_ranges:
        hashes.append(segment.ids.sorted_hashes[0])
        rows.append(first + segment.ids.sorted_hashes[1].astype(np.int64))
    all_hashes, all_rows = np.concatenate(hashes), np.concatenate(rows)
    distinct, counts = np.unique(all_hashes, return_counts=True)
    candidates = all_rows[np.isin(all_hashes, distinct[counts > 1])]
    ids = snapshot.ids.decode(candidates[snapshot.alive[candidates]])
    if len(set(ids)) != len(ids):
        raise ModelError("two texts of the index have the same id: build it again")
