"""An index as plain arrays and numbers, its model among them, and back.

The model is one file, each segment is another, and a small one has what changes: which rows are deleted, and
the quantiles. Saving writes the segments that are not there yet, and the small one.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit import __version__
from tacit.checks import whole
from tacit.errors import InputError, ModelError
from tacit.models.percentiles import STEPS
from tacit.models.text_model import TextModel
from tacit.search.collection import Collection
from tacit.search.segment import Segment
from tacit.storage import Part, Stored, put_part, write_model
from tacit.storage.array_checks import check_array, check_finite, check_indices

if TYPE_CHECKING:
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

AnIndex = TypeVar("AnIndex", bound="Index")

_MODEL, _STATE, _SEGMENT, _GRAPH = "model.", "state", "segment-", "graph-"


def stowed(now: Collection, folder: str | Path) -> Collection:
    """The same texts, those that were in memory alone now mapped from files in ``folder``.

    The caller holds the lock of the folder, and `save_index` names the files before it lets go.
    """
    return replace(now, segments=tuple(stowed_segment(each, folder) for each in now.segments))


def stowed_segment(segment: Segment, folder: str | Path) -> Segment:
    """The segment, mapped from a file in ``folder`` if it was in memory alone."""
    if segment.part is not None and segment.part.entry is not None:
        return segment
    found = Segment.from_part(segment.model, put_part(folder, segment.arrays()))
    if segment.graph is None:
        return found
    graph = segment.graph.over(found.vectors)
    return found.linked(graph, put_part(folder, _graph_arrays(segment)))


def save_index(index: Index, now: Collection, folder: str | Path) -> None:
    """Write what is not there yet, and let the folder name it all."""
    model = index.model.to_stored()
    arrays = {f"{_MODEL}{name}": array for name, array in model.arrays.items()}
    state = {"deleted": np.flatnonzero(~now.alive), "quantiles": index.quantiles}
    parts = {_STATE: Part(state), **now.beside}
    for number, segment in enumerate(now.segments):
        parts[f"{_SEGMENT}{number}"] = segment.part or Part(segment.arrays())
        if segment.graph_part is not None:  # though it was not read: that takes trust
            parts[f"{_GRAPH}{number}"] = segment.graph_part
        elif segment.graph is not None:
            parts[f"{_GRAPH}{number}"] = Part(_graph_arrays(segment))
    parameters = {
        "model": {"parameters": model.parameters, "training": model.training},
        "next_number": now.next_number,
        "segments": len(now.segments),
        "vectors": now.precision,
    }
    training = {"texts": len(now), "corpus": model.training.get("corpus")}
    stored = Stored("Index", parameters, training, arrays, model.vocabulary, parts=parts)
    write_model(folder, stored, _card(now))


def _graph_arrays(segment: Segment) -> dict[str, NDArray[Any]]:
    assert segment.graph is not None
    return {"graph": segment.graph.to_bytes()}


def restore_index(
    cls: type[AnIndex], stored: Stored, trusted: bool = False, tokenizer: Any = None
) -> AnIndex:
    """Build an index again. Its graphs are read only from a folder that is ``trusted``."""
    try:
        inner = stored.parameters["model"]
        arrays = stored.arrays
        own = {name.removeprefix(_MODEL): a for name, a in arrays.items() if name.startswith(_MODEL)}
        parts = Stored("TextModel", inner["parameters"], inner["training"], own, stored.vocabulary)
        model = TextModel.from_stored(parts, tokenizer=tokenizer)
        segments, state = _segments(model, stored)
        index = cls(model, vectors=stored.parameters.get("vectors", "float32"))
        n = sum(map(len, segments))
        alive, next_number = np.ones(n, np.bool_), _number(stored)
        deleted = state.get("deleted", np.zeros(0, np.int64))
        check_indices("deleted", check_array("deleted", deleted, np.int64, (None,)), n)
        alive[deleted] = False
        linked = _with_graphs(segments, trusted)
        kept = {name: part for name, part in stored.parts.items() if not _own(name)}
        index.now = Collection(model, linked, alive, next_number, index.now.precision, kept)
        _check_ids(index.now)
        index.quantiles = check_array("quantiles", state["quantiles"], np.float32, (STEPS + 1,))
        check_finite("quantiles", index.quantiles)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise ModelError(f"the index's parts do not fit together ({error}): build it again") from None
    return index


def _check_ids(now: Collection) -> None:
    """Hold that no two living texts have one id; equal hashes are rare, and are looked at to the letter."""
    hashes = np.sort(np.concatenate([np.zeros(0, np.uint64), *(each.names.hashes for each in now.segments)]))
    suspects = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    rows = [np.zeros(0, np.int64)]
    for segment, first, _ in now.parts if len(suspects) else ():
        rows.append(first + segment.names.rows[np.isin(segment.names.hashes, suspects)].astype(np.int64))
    found = np.concatenate(rows)
    names = now.ids.decoded(found[now.alive[found]])
    if len(set(names)) != len(names):
        raise ModelError("two texts of the index have one id: build it again")


def _number(stored: Stored) -> int:
    number = stored.parameters["next_number"]
    if type(number) is not int or number < 1:
        raise ModelError(f"the index's next number is {number!r}, not a whole one from 1: build it again")
    return number


def _own(name: str) -> bool:
    return name == _STATE or name.startswith((_SEGMENT, _GRAPH))


def _segments(model: TextModel, stored: Stored) -> tuple[list[Segment], Any]:
    """The segments of an index, and what changes; format 2 had all texts beside the model, as one."""
    if "vectors" in stored.arrays:
        everything = Part({name: a for name, a in stored.arrays.items() if not name.startswith(_MODEL)})
        graph = Part({"graph": stored.arrays["graph"]}) if "graph" in stored.arrays else None
        return [replace(Segment.from_part(model, everything, graph), part=None)], stored.arrays
    numbers = range(whole("segments", stored.parameters["segments"], 0, len(stored.parts)))
    graphs = [stored.parts.get(f"{_GRAPH}{number}") for number in numbers]
    parts = [stored.parts[f"{_SEGMENT}{number}"] for number in numbers]
    made = [Segment.from_part(model, part, graph) for part, graph in zip(parts, graphs, strict=True)]
    return made, stored.parts[_STATE].arrays


def _with_graphs(segments: list[Segment], trusted: bool) -> tuple[Segment, ...]:
    if not any(each.graph_part for each in segments):
        return tuple(segments)
    if not trusted:
        logger.info("the index has a graph, which only load(folder, trusted=True) reads: searching exactly")
        return tuple(segments)
    from tacit.search.approximate import Graph

    return tuple(
        each.linked(Graph.from_bytes(each.graph_part.arrays["graph"], each.vectors), each.graph_part)
        if each.graph_part
        else each
        for each in segments
    )


def _card(now: Collection) -> str:
    return f"""# A tacit index

{len(now):,} texts with their vectors of {now.model.n_components} components, and the model that made these.
The texts themselves are in it.

```python
import tacit

index = tacit.load("this-folder")
index.search("what you look for")
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
