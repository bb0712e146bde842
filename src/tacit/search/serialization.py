"""Convert an index to the contents of a folder and back.

The model is one file and each segment is another. A small file holds what changes: the deleted rows and the
quantiles. Saving writes this file and the segments that are not stored yet.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_int
from tacit.errors import ModelError
from tacit.models.percentiles import N_QUANTILES
from tacit.models.text_model import TextModel
from tacit.search.segment import Segment
from tacit.search.snapshot import Snapshot
from tacit.storage import ArrayFile, StoredModel, write_array_file, write_model
from tacit.storage.stored_model import ArrayReader, model_card, restoring

if TYPE_CHECKING:
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

IndexT = TypeVar("IndexT", bound="Index")

_MODEL, _STATE, _SEGMENT, _GRAPH = "model.", "state", "segment-", "graph-"


def flush_segments(snapshot: Snapshot, folder: str | Path) -> Snapshot:
    """The same texts, those that were in memory alone now mapped from files in ``folder``.

    The caller holds the lock of the folder, and `save_index` names the files before it lets go.
    """
    return replace(snapshot, segments=tuple(flush_segment(each, folder) for each in snapshot.segments))


def flush_segment(segment: Segment, folder: str | Path) -> Segment:
    """The segment, mapped from a file in ``folder`` if it was in memory alone."""
    if segment.part is not None and segment.part.entry is not None:
        return segment
    found = Segment.from_part(segment.model, write_array_file(folder, segment.to_arrays()))
    if segment.graph is None:
        return found
    graph = segment.graph.with_vectors(found.vectors)
    return found.linked(graph, write_array_file(folder, _graph_arrays(segment)))


def save_index(index: Index, snapshot: Snapshot, folder: str | Path) -> None:
    """Write what is not there yet, and let the folder name it all."""
    model = index.model.to_stored()
    arrays = {f"{_MODEL}{name}": array for name, array in model.arrays.items()}
    state = {"deleted": np.flatnonzero(~snapshot.alive), "quantiles": index.score_quantiles}
    parts = {_STATE: ArrayFile(state), **snapshot.beside}
    for number, segment in enumerate(snapshot.segments):
        parts[f"{_SEGMENT}{number}"] = segment.part or ArrayFile(segment.to_arrays())
        if segment.graph_part is not None:  # though it was not read: that takes trust
            parts[f"{_GRAPH}{number}"] = segment.graph_part
        elif segment.graph is not None:
            parts[f"{_GRAPH}{number}"] = ArrayFile(_graph_arrays(segment))
    parameters = {
        "model": {"parameters": model.parameters, "training": model.training},
        "next_number": snapshot.next_id,
        "segments": len(snapshot.segments),
        "vectors": snapshot.precision,
    }
    training = {"texts": len(snapshot), "corpus": model.training.get("corpus")}
    stored = StoredModel("Index", parameters, training, arrays, model.vocabulary, parts=parts)
    write_model(folder, stored, _card(snapshot))


def _graph_arrays(segment: Segment) -> dict[str, NDArray[Any]]:
    assert segment.graph is not None
    return {"graph": segment.graph.to_bytes()}


def restore_index(
    cls: type[IndexT], stored: StoredModel, trusted: bool = False, tokenizer: Any = None
) -> IndexT:
    """Rebuild an index. Its graphs are read only from a folder that is ``trusted``."""
    with restoring("build it again"):
        inner, parts = stored.parameters["model"], ArrayReader(stored.arrays, _MODEL)
        arrays = {name: stored.arrays[_MODEL + name] for name in parts.names("")}
        content = StoredModel("TextModel", inner["parameters"], inner["training"], arrays, stored.vocabulary)
        model = TextModel.from_stored(content, tokenizer=tokenizer)
        segments, state = _read_segments(model, stored), ArrayReader(stored.parts[_STATE].arrays)
        index = cls(model, vectors=stored.parameters.get("vectors", "float32"))
        alive = np.ones(sum(map(len, segments)), np.bool_)
        alive[state.indices("deleted", np.int64, (None,), len(alive))] = False
        index.score_quantiles = state.floats("quantiles", np.float32, (N_QUANTILES + 1,))
        other_parts = {name: part for name, part in stored.parts.items() if not _is_known(name)}
        index.snapshot = Snapshot(
            model,
            _with_graphs(segments, trusted),
            alive,
            check_int("next_number", stored.parameters["next_number"], 1),
            index.snapshot.precision,
            other_parts,
        )
        _check_ids(index.snapshot)
        return index


def _check_ids(snapshot: Snapshot) -> None:
    """Check that no two texts that are not deleted have the same id; ids with equal hashes are compared."""
    hashes = np.sort(
        np.concatenate([np.zeros(0, np.uint64), *(each.names.hashes for each in snapshot.segments)])
    )
    suspects = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    rows = [np.zeros(0, np.int64)]
    for segment, first, _ in snapshot.parts if len(suspects) else ():
        rows.append(first + segment.names.rows[np.isin(segment.names.hashes, suspects)].astype(np.int64))
    found = np.concatenate(rows)
    names = snapshot.ids.decode(found[snapshot.alive[found]])
    if len(set(names)) != len(names):
        raise ModelError("two texts of the index have one id: build it again")


def _is_known(name: str) -> bool:
    return name == _STATE or name.startswith((_SEGMENT, _GRAPH))


def _read_segments(model: TextModel, stored: StoredModel) -> list[Segment]:
    parts = stored.parts
    return [
        Segment.from_part(model, parts[f"{_SEGMENT}{number}"], parts.get(f"{_GRAPH}{number}"))
        for number in range(check_int("segments", stored.parameters["segments"], 0, len(parts)))
    ]


def _with_graphs(segments: list[Segment], trusted: bool) -> tuple[Segment, ...]:
    if not any(each.graph_part for each in segments):
        return tuple(segments)
    if not trusted:
        logger.info("the index has a graph, which only load(folder, trusted=True) reads: searching exactly")
        return tuple(segments)
    from tacit.search.approximate import HnswGraph

    return tuple(
        each.linked(HnswGraph.from_bytes(each.graph_part.arrays["graph"], each.vectors), each.graph_part)
        if each.graph_part
        else each
        for each in segments
    )


def _card(snapshot: Snapshot) -> str:
    summary = (
        f"{len(snapshot):,} texts with their vectors of {snapshot.model.n_components} components, "
        "and the model that computed them.\nThe folder contains the texts themselves."
    )
    return model_card("A tacit index", summary, 'index.search("what you look for")')
