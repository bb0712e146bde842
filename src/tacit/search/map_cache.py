"""Store a map in the folder of its index and reuse it while the texts are unchanged.

The map has a folder of its own within the folder of the index, so storing it does not change the index.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.errors import TacitError
from tacit.search.map import Label, Map, draw_map, map_metadata
from tacit.storage import StoredModel, fingerprint, lock_for_writing, read_model, write_model
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.search.index import Index
    from tacit.search.snapshot import Snapshot

logger = logging.getLogger(__name__)

MAP_FOLDER = "map"
_LOCK_SECONDS = 10.0
_CARD = """# The map of a tacit index

A point in the plane for every text of the index. If you delete this folder, the map is drawn again.
"""


def load_or_draw_map(
    index: Index, folder: str | Path | None, random_state: int = 0, progress: ProgressCallback | None = None,
    store: bool = True,
) -> Map:  # fmt: skip
    """Return the map stored in the folder of the index; draw and store it if it is missing or outdated.

    If the folder cannot be written, or without ``store``, the map is drawn again next time.
    """
    snapshot = index.snapshot
    rows = snapshot.rows_with_known_words("draw")
    digest = fingerprint([rows, snapshot.full_precision_vectors(rows)])
    identity = {"of": digest, "seed": random_state}
    stored = None if folder is None else _load_map(Path(folder, MAP_FOLDER), snapshot, rows, identity)
    if stored is not None:
        return stored
    text_map = draw_map(snapshot, random_state, progress)
    if folder is not None and store and index.snapshot is snapshot:
        _save_map(Path(folder), text_map, identity)
    return text_map


def _load_map(folder: Path, snapshot: Snapshot, rows: Array, identity: dict[str, Any]) -> Map | None:
    """Read the map; None if there is none, if it has another identity, or if it cannot be read."""
    if not folder.is_dir():
        return None
    try:
        stored = read_model(folder)
        if stored.kind != "Map" or {name: stored.parameters.get(name) for name in identity} != identity:
            return None
        reader = ArrayReader(stored.arrays)
        names = [str(name) for name in stored.parameters["groups"]]
        points = reader.in_range("points", np.float32, (len(rows), 2), -1, 1)
        group_ids = reader.indices("group", np.uint8, (len(rows),), len(names))
        labels = [Label(**label) for label in stored.parameters["labels"]]
    except (TacitError, KeyError, TypeError) as error:
        logger.warning("the map in %s cannot be read (%s): drawing it again", folder, error)
        return None
    return Map(points, group_ids, names, rows, labels, snapshot)


def _save_map(folder: Path, text_map: Map, identity: dict[str, Any]) -> None:
    """Store the map within the folder of its index, unless that was deleted while the map was drawn."""
    parameters = {**identity, **map_metadata(text_map)}
    arrays = {"points": text_map.points, "group": text_map.group_ids}
    try:
        stored = StoredModel("Map", parameters, {"texts": len(text_map)}, arrays)
        with lock_for_writing(folder, timeout=_LOCK_SECONDS, create=False):
            write_model(folder / MAP_FOLDER, stored, _CARD)
    except (TacitError, OSError) as error:
        logger.warning("the map could not be stored in %s (%s)", folder, error)
