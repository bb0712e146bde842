"""Write a map as a self-contained HTML page or a PNG image."""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import import_extra
from tacit.search.map import Map, map_metadata
from tacit.types import Array

MAX_POINT_CHARS = 240
"""Characters of a text that the page shows for a point."""

VIEWER_DIR = Path(__file__).parent / "map_viewer"
"""Scripts and style sheet of the map viewer, which the page of the service uses too."""

SCRIPTS = ("points", "renderers", "camera", "labels", "point_details", "input", "viewer")
"""Scripts of the viewer, each after those it imports."""


def render_html(text_map: Map, title: str) -> str:
    """Return the map as an HTML page that loads nothing from the network."""
    points = {"points": _base64(text_map.points.astype("<f4")), "group": _base64(text_map.group_ids)}
    ids = text_map.snapshot.ids.decode(text_map.rows)
    texts = text_map.snapshot.texts.decode(text_map.rows)
    texts = [text if len(text) <= MAX_POINT_CHARS else text[:MAX_POINT_CHARS] + "…" for text in texts]
    data = {**map_metadata(text_map), **points, "ids": ids, "texts": texts}
    parts = {
        "TITLE": html.escape(title),
        "STYLE": (VIEWER_DIR / "viewer.css").read_text(encoding="utf-8"),
        "SCRIPT": "\n".join(_strip_module_syntax(name) for name in SCRIPTS),
        # "<" in a script element could end it; JSON may write it as an escape
        "DATA": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = (VIEWER_DIR / "standalone.html").read_text(encoding="utf-8")
    return re.sub("__([A-Z]+)__", lambda match: parts[match[1]], page)


def _base64(values: Array) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def _strip_module_syntax(name: str) -> str:
    """Return a script without import and export, so that all scripts together are one module."""
    script = (VIEWER_DIR / f"{name}.js").read_text(encoding="utf-8")
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", script, flags=re.M), flags=re.M)


def require_matplotlib() -> None:
    """Raise an error if matplotlib is not installed."""
    import_extra("matplotlib.figure", "a map as .png", "plots")


def render_png(text_map: Map, title: str) -> bytes:
    """Return the map as a PNG image (extra ``plots``)."""
    require_matplotlib()
    from io import BytesIO

    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 12), dpi=150, layout="tight")
    axes = figure.subplots()
    size = float(np.clip(4e5 / len(text_map) ** 1.2, 1.0, 60.0))
    colors = [_group_color(group) for group in range(len(text_map.group_names))]
    x, y = text_map.points.T
    axes.scatter(x, y, s=size, c=[colors[group] for group in text_map.group_ids], alpha=0.6, linewidths=0)
    _draw_group_names(axes, text_map)
    axes.set(title=title.replace("$", r"\$"), xlim=(-1.03, 1.03), ylim=(-1.03, 1.03), aspect="equal")
    axes.set_axis_off()
    file = BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _draw_group_names(axes: Any, text_map: Map) -> None:
    """Write the names of the groups, the largest group first, without names that would overlap another."""
    from matplotlib.patheffects import withStroke

    areas: list[tuple[float, float, float]] = []
    labels = [label for label in text_map.labels if label.level == 0]
    for label in sorted(labels, key=lambda label: -label.size):
        half = 0.0065 * len(label.name)
        if any(abs(label.x - x) < half + width and abs(label.y - y) < 0.03 for x, y, width in areas):
            continue
        areas.append((label.x, label.y, half))
        halo = [withStroke(linewidth=3, foreground="white")]
        position, name = (label.x, label.y), label.name.replace("$", r"\$")
        axes.annotate(name, position, ha="center", weight="bold", fontsize=9, path_effects=halo)


def _group_color(group: int) -> tuple[float, float, float]:
    """Return the color that the viewer gives a group: hues a golden angle apart."""
    import colorsys

    return colorsys.hls_to_rgb((group * 137.508 % 360) / 360, 0.42, 0.62)
