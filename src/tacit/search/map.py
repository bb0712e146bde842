"""The map of a collection as a page that needs nothing else, or as a picture."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.kmeans import spherical_kmeans
from tacit.errors import InputError, import_extra
from tacit.search.map_labels import Label, group_labels, group_names, local_labels

if TYPE_CHECKING:
    from tacit.search.collection import Collection
    from tacit.search.index import Index

Array = NDArray[Any]

MOST_GROUPS = 24
LONGEST = 240
"""Groups that are named; characters of a text that a point shows."""

VIEWER = Path(__file__).parent / "map_viewer"
"""The scripts and the style that show a map, here and on the page of the service."""

SCRIPTS = ("points", "painters", "camera", "labels", "told", "hands", "viewer")
"""In an order in which each uses only those before it."""


@dataclass(frozen=True)
class Map:
    """A point for each text with a known word, the number of its group, and what to call places.

    ``rows`` are the texts' rows in ``now``, the collection that was drawn. Of the ``labels``, those of level
    0 are the groups, and each further level has smaller neighbourhoods.
    """

    points: Array
    group: Array
    groups: list[str]
    rows: Array
    labels: list[Label]
    now: Collection

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.rows)

    def text(self, number: int) -> str:
        """The text of a point."""
        return str(self.now.texts[int(self.rows[number])])

    def id(self, number: int) -> str:
        """The id of a point's text."""
        return str(self.now.ids[int(self.rows[number])])


def drawable(now: Collection) -> Array:
    """The rows of the living texts that have a known word."""
    rows: Array = np.flatnonzero(now.alive & now.vectors.any(axis=1))
    if len(rows) == 0:
        raise InputError("there is no text with a known word to draw: add texts to the index")
    return rows


def draw_map(index: Index, random_state: int = 0, progress: Callable[[int, int], None] | None = None) -> Map:
    """Lay out the living texts, and name groups of them and neighbourhoods on the map."""
    from tacit.search.clusters import said_words
    from tacit.search.layout import place_texts

    now = index.now
    rows = drawable(now)
    vectors = now.vectors_at(rows)
    n_groups = int(min(MOST_GROUPS, max(np.sqrt(len(rows) / 4), 1)))
    group, _, _ = spherical_kmeans(vectors, n_groups, random_state, n_threads=index.n_threads)
    said = said_words(now, rows, group, n_groups)
    names = group_names([[word for word, _ in words] for words in said])
    points = place_texts(vectors, random_state, index.n_threads, progress)
    group = group.astype(np.uint8)
    labels = group_labels(points, group, names) + local_labels(now, rows, points)
    return Map(points, group, names, rows, labels, now)


def map_head(drawn: Map) -> dict[str, Any]:
    """What the viewer needs beside the points: the groups' names, and the names of places."""
    return {"groups": drawn.groups, "labels": [label.to_dict() for label in drawn.labels]}


def as_html(drawn: Map, title: str) -> str:
    """The map as a page: no outside host, points named when pointed at."""
    ids = drawn.now.ids.decoded(drawn.rows)
    texts = [_shortened(text) for text in drawn.now.texts.decoded(drawn.rows)]
    parts = {"points": _base64(drawn.points.astype("<f4")), "group": _base64(drawn.group)}
    data = json.dumps({**map_head(drawn), **parts, "ids": ids, "texts": texts}, separators=(",", ":"))
    parts = {
        "TITLE": html.escape(title),
        "STYLE": (VIEWER / "viewer.css").read_text(encoding="utf-8"),
        "SCRIPT": "\n".join(_inlined(name) for name in SCRIPTS),
        # "<" inside a script element could end it; JSON may write it as an escape
        "DATA": data.replace("<", "\\u003c"),
    }
    page = (VIEWER / "alone.html").read_text(encoding="utf-8")
    return re.sub("__([A-Z]+)__", lambda place: parts[place[1]], page)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _base64(values: Array) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def _inlined(name: str) -> str:
    """A module's text among others in one: what it imports stands before it, what it exports is there."""
    script = (VIEWER / f"{name}.js").read_text(encoding="utf-8")
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", script, flags=re.M), flags=re.M)


def check_plots() -> None:
    """Say what is missing for a picture, before work starts."""
    import_extra("matplotlib.figure", "a map as .png", "plots")


def as_png(drawn: Map, title: str) -> bytes:
    """The map as a picture (extra ``plots``)."""
    check_plots()
    from io import BytesIO

    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 12), dpi=150, layout="tight")
    axes = figure.subplots()
    size = float(np.clip(4e5 / len(drawn.points) ** 1.2, 1.0, 60.0))
    colours = [_colour(g) for g in range(len(drawn.groups))]
    x, y = drawn.points.T
    axes.scatter(x, y, s=size, c=[colours[g] for g in drawn.group], alpha=0.6, linewidths=0)
    _name_groups(axes, drawn)
    axes.set(title=title.replace("$", r"\$"), xlim=(-1.03, 1.03), ylim=(-1.03, 1.03), aspect="equal")
    axes.set_axis_off()
    file = BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _name_groups(axes: Any, drawn: Map) -> None:
    """The groups' names in their midst, the largest first, without those that would lie on another."""
    from matplotlib.patheffects import withStroke

    taken: list[tuple[float, float, float]] = []
    for label in sorted((one for one in drawn.labels if one.level == 0), key=lambda one: -one.size):
        half = 0.0065 * len(label.name)
        if any(abs(label.x - a) < half + b and abs(label.y - c) < 0.03 for a, c, b in taken):
            continue
        taken.append((label.x, label.y, half))
        halo = [withStroke(linewidth=3, foreground="white")]
        place, name = (label.x, label.y), label.name.replace("$", r"\$")
        axes.annotate(name, place, ha="center", weight="bold", fontsize=9, path_effects=halo)


def _colour(group: int) -> tuple[float, float, float]:
    """The page's colours: hues a golden angle apart."""
    import colorsys

    return colorsys.hls_to_rgb((group * 137.508 % 360) / 360, 0.42, 0.62)
