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
from tacit.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]

MOST_GROUPS = 24
LONGEST = 240
"""Groups that are named; characters of a text that a point shows."""

VIEWER = Path(__file__).parent / "map_viewer"
"""The script and the style that show a map, here and on the page of the service."""


@dataclass(frozen=True)
class Map:
    """A point for each text, the number of its group, and what to call texts and groups."""

    points: Array
    group: Array
    groups: list[str]
    ids: list[str]
    texts: list[str]


def draw_map(index: Index, random_state: int = 0, progress: Callable[[int, int], None] | None = None) -> Map:
    """Lay out the living texts and name groups of them."""
    from tacit.search.clusters import said_words

    now = index.now
    rows = np.flatnonzero(now.alive & now.vectors.any(axis=1))
    if len(rows) == 0:
        raise InputError("there is no text with a known word to draw: add texts to the index")
    vectors = np.ascontiguousarray(now.vectors[rows])
    n_groups = int(min(MOST_GROUPS, max(np.sqrt(len(rows) / 4), 1)))
    group, _, _ = spherical_kmeans(vectors, n_groups, random_state, n_threads=index.n_threads)
    said = said_words(now, rows, group, n_groups)
    names = [", ".join(word for word, _ in words[:3]) or f"group {i + 1}" for i, words in enumerate(said)]
    from tacit.search.layout import place_texts

    points = place_texts(vectors, random_state, index.n_threads, progress)
    ids, texts = zip(*((now.ids[row], now.texts[row]) for row in rows.tolist()), strict=True)
    return Map(points, group, names, list(ids), list(texts))


def map_points(drawn: Map) -> dict[str, Any]:
    """What the viewer draws: pairs of 16-bit numbers and groups as bytes, in base64; the groups' names."""
    points = np.round(drawn.points * 32767).astype("<i2")
    group = np.asarray(drawn.group, np.uint8)
    return {"points": _base64(points), "group": _base64(group), "groups": drawn.groups}


def _base64(values: Array) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def as_html(drawn: Map, title: str) -> str:
    """The map as a page: no outside host, points named when pointed at."""
    texts = [text if len(text) <= LONGEST else text[:LONGEST] + "…" for text in drawn.texts]
    data = json.dumps({**map_points(drawn), "ids": drawn.ids, "texts": texts}, separators=(",", ":"))
    parts = {
        "TITLE": html.escape(title),
        "STYLE": (VIEWER / "viewer.css").read_text(encoding="utf-8"),
        "SCRIPT": (VIEWER / "viewer.js").read_text(encoding="utf-8"),
        # "<" inside a script element could end it; JSON may write it as an escape
        "DATA": data.replace("<", "\\u003c"),
    }
    page = (VIEWER / "alone.html").read_text(encoding="utf-8")
    return re.sub("__([A-Z]+)__", lambda place: parts[place[1]], page)


def check_plots() -> None:
    """Say what is missing for a picture, before work starts."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingExtraError("a map as .png", "plots") from None


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
    sizes = np.bincount(drawn.group, minlength=len(drawn.groups))
    for number in np.argsort(-sizes, kind="stable").tolist():
        name, own = drawn.groups[number], drawn.points[drawn.group == number]
        x, y = np.median(own, axis=0).tolist() if len(own) else (9.0, 9.0)
        half = 0.0065 * len(name)
        if not len(own) or any(abs(x - a) < half + b and abs(y - c) < 0.03 for a, c, b in taken):
            continue
        taken.append((x, y, half))
        halo = [withStroke(linewidth=3, foreground="white")]
        axes.annotate(
            name.replace("$", r"\$"), (x, y), ha="center", weight="bold", fontsize=9, path_effects=halo
        )


def _colour(group: int) -> tuple[float, float, float]:
    """The page's colours: hues a golden angle apart."""
    import colorsys

    return colorsys.hls_to_rgb((group * 137.508 % 360) / 360, 0.42, 0.62)
