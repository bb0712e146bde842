"""A map kept in the folder of its index, so that it is drawn once.

It is a folder of its own inside the index's, with its own commit point: nothing of the index changes. It says
of which texts it is; where those have changed it is drawn again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.errors import TacitError
from tacit.search.map import Map, draw_map, drawable
from tacit.search.map_labels import Label
from tacit.storage import Stored, fingerprint, read_model, write_model
from tacit.storage.stored_model import ArrayReader

if TYPE_CHECKING:
    from tacit.search.collection import Collection
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

FOLDER = "map"
_CARD = """# The map of a tacit index

A place in the plane for every text of the index that this folder is in. Delete it and it is drawn again.
"""


def kept_map(
    index: Index,
    folder: str | Path | None,
    random_state: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Map:
    """The map kept in the index's folder; drawn, and kept there, where it is not or is of other texts.

    A folder that cannot be written only costs time: the map is drawn again the next time.
    """
    now = index.now
    rows = drawable(now)
    told = {"of": _told(now, rows), "seed": random_state}
    found = None if folder is None else _read(Path(folder, FOLDER), now, rows, told)
    if found is not None:
        return found
    drawn = draw_map(index, random_state, progress)
    if folder is not None and index.now is now:
        _write(Path(folder, FOLDER), drawn, told)
    return drawn


def _told(now: Collection, rows: Any) -> str:
    """Which texts these are, by their rows and vectors."""
    return fingerprint([rows, now.vectors_at(rows)])


def _read(folder: Path, now: Collection, rows: Any, told: dict[str, Any]) -> Map | None:
    if not folder.is_dir():
        return None
    try:
        stored = read_model(folder)
        if stored.kind != "Map" or {name: stored.parameters.get(name) for name in told} != told:
            return None
        reader = ArrayReader(stored.arrays)
        groups = [str(name) for name in stored.parameters["groups"]]
        points = reader.in_range("points", np.float32, (len(rows), 2), -1, 1)
        group = reader.indices("group", np.uint8, (len(rows),), len(groups))
        labels = [Label(**label) for label in stored.parameters["labels"]]
    except (TacitError, KeyError, TypeError) as error:
        logger.warning("the map in %s cannot be read (%s): it is drawn again", folder, error)
        return None
    return Map(points, group, groups, rows, labels, now)


def _write(folder: Path, drawn: Map, told: dict[str, Any]) -> None:
    names = {"groups": drawn.groups, "labels": [label.to_dict() for label in drawn.labels]}
    arrays = {"points": drawn.points, "group": drawn.group}
    try:
        write_model(folder, Stored("Map", {**told, **names}, {"texts": len(drawn)}, arrays), _CARD)
    except (TacitError, OSError) as error:
        logger.warning("the map could not be kept in %s (%s)", folder, error)
