"""Map of a collection: points, named groups and regions, selection by polygon.

A stored map is used while the texts are unchanged. It has a folder of its own within the folder of the index,
so that storing it does not change the index.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.kmeans import spherical_kmeans
from tacit.errors import TacitError
from tacit.search.clusters import distinctive_words, positions_by_label
from tacit.search.layout import compute_layout
from tacit.storage import StoredModel, fingerprint, lock_for_writing, read_model, write_model
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.search.index import Index
    from tacit.search.snapshot import Snapshot

Polygon = Sequence[Sequence[float]]
"""The x and y of each corner."""

MAX_GROUPS = 12
"""Groups that are named on a map; the viewer has a color for each of them."""

GRID_SIDE, N_LEVELS = 8, 4
"""Squares per side at the first level, doubled at each further level, and the number of levels.
The viewer's labels.js has the same numbers."""

NAME_WORDS = 3
"""Words in the name of a group."""

MIN_LABEL_TEXTS = 4
"""Squares with fewer texts have no label."""

MAX_SELECTED_TEXTS = 50
"""Texts that the summary of a selection lists."""

MAX_TEXT_CHARS = 480
"""Characters of each of these texts."""

logger = logging.getLogger(__name__)
MAP_FOLDER = "map"
_LOCK_SECONDS = 10.0
_CARD = """# The map of a tacit index

A point in the plane for every text of the index. If you delete this folder, the map is drawn again.
"""


@dataclass(frozen=True)
class Label:
    """A name on the map: its level, its position, and the number of texts it stands for."""

    level: int
    x: float
    y: float
    name: str
    size: int


@dataclass(frozen=True)
class Map:
    """A point for each text with a known word, the id of its group, and labels.

    ``rows`` are the rows of the texts in ``snapshot``. Labels of level 0 name the groups; labels of each
    further level name the squares of a finer grid.
    """

    points: Array
    group_ids: Array
    group_names: list[str]
    rows: Array
    labels: list[Label]
    snapshot: Snapshot

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.rows)

    def text(self, point: int) -> str:
        """Return the text of a point."""
        return str(self.snapshot.texts[int(self.rows[point])])

    def id(self, point: int) -> str:
        """Return the id of a point's text."""
        return str(self.snapshot.ids[int(self.rows[point])])


def draw_map(snapshot: Snapshot, random_state: int = 0, progress: ProgressCallback | None = None) -> Map:
    """Lay out the texts that have a known word, group them, and name groups and regions."""
    rows, n_threads = snapshot.rows_with_known_words("draw"), snapshot.model.n_threads
    vectors = snapshot.full_precision_vectors(rows)
    n_groups = int(min(MAX_GROUPS, max(np.sqrt(len(rows) / 4), 1)))
    group_ids, _, _ = spherical_kmeans(vectors, n_groups, random_state, n_threads=n_threads)
    words = distinctive_words(snapshot, rows, group_ids, n_groups)
    names = make_group_names([[word for word, _ in scored] for scored in words])
    points = compute_layout(vectors, random_state, n_threads, progress)
    group_ids = group_ids.astype(np.uint8)
    labels = place_labels(points, group_ids, names) + local_labels(snapshot, rows, points)
    return Map(points, group_ids, names, rows, labels, snapshot)


def map_metadata(text_map: Map) -> dict[str, Any]:
    """Return the names of the groups and the labels, for JSON."""
    return {"groups": text_map.group_names, "labels": [asdict(label) for label in text_map.labels]}


def make_group_names(words: Sequence[Sequence[str]]) -> list[str]:
    """Name each group by its first words; if a name exists already, replace its last word by a further one.

    >>> make_group_names([["sent", "again", "so", "bill"], ["again", "so", "sent", "parcel"], []])
    ['sent, again, so', 'again, so, parcel', 'group 3']
    """
    used: set[frozenset[str]] = set()
    names = []
    for number, group_words in enumerate(words, 1):
        first = list(group_words[:NAME_WORDS])
        candidates = [first, *([*first[:-1], word] for word in group_words[NAME_WORDS:])]
        name = next((words for words in candidates if frozenset(words) not in used), first)
        used.add(frozenset(name))
        names.append(", ".join(name) or f"group {number}")
    return names


def local_labels(snapshot: Snapshot, rows: Array, points: Array) -> list[Label]:
    """Name the squares of finer and finer grids by their distinctive words."""
    labels: list[Label] = []
    for level in range(1, N_LEVELS + 1):
        side = GRID_SIDE * 2 ** (level - 1)
        if level > 1 and len(rows) < side * side:
            break
        x, y = np.clip(((points + 1) / 2 * side).astype(np.int64), 0, side - 1).T
        cells, cell_of_point, sizes = np.unique(y * side + x, return_inverse=True, return_counts=True)
        words = distinctive_words(snapshot, rows, cell_of_point, len(cells))
        names = [
            ", ".join(word for word, _ in scored[:2]) if size >= MIN_LABEL_TEXTS else ""
            for scored, size in zip(words, sizes.tolist(), strict=True)
        ]
        labels += place_labels(points, cell_of_point, names, level)
    return labels


def place_labels(points: Array, group_of_point: Array, names: Sequence[str], level: int = 0) -> list[Label]:
    """Place each name on the point of its group that is nearest to the group's median.

    The median itself may lie among points of other groups.
    """
    labels = []
    for name, members in zip(names, positions_by_label(group_of_point, len(names)), strict=True):
        if name and len(members):
            group_points = points[members]
            distances = np.abs(group_points - np.median(group_points, axis=0)).sum(axis=1)
            x, y = group_points[np.argmin(distances)].tolist()
            labels.append(Label(level, round(x, 4), round(y, 4), name, len(members)))
    return labels


def points_in_polygon(points: Array, polygon: Polygon) -> NDArray[np.bool_]:
    """Return which points a polygon encloses, by counting the crossings of a ray to the right.

    >>> points_in_polygon(np.array([[0.5, 0.5], [2, 0.5]]), [[0, 0], [1, 0], [1, 1], [0, 1]]).tolist()
    [True, False]
    """
    x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    is_inside = np.zeros(len(points), np.bool_)
    for (ax, ay), (bx, by) in zip(polygon, [polygon[-1], *polygon[:-1]], strict=True):
        if ay != by:
            is_inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return is_inside


def summarize_selection(text_map: Map, polygon: Polygon, group: int | None = None) -> dict[str, Any]:
    """Return the number of texts within a polygon, their distinctive words, and the first of the texts."""
    is_selected = points_in_polygon(text_map.points, polygon)
    if group is not None:
        is_selected &= text_map.group_ids == group
    points = np.flatnonzero(is_selected).tolist()
    words = []
    if points:
        labels = is_selected.astype(np.int64)
        words = distinctive_words(text_map.snapshot, text_map.rows, labels, 2)[1]
    texts = [
        {"number": point, "id": text_map.id(point), "text": text_map.text(point)[:MAX_TEXT_CHARS]}
        for point in points[:MAX_SELECTED_TEXTS]
    ]
    return {"count": len(points), "words": [word for word, _ in words], "texts": texts}


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
