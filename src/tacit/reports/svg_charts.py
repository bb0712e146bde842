"""Charts as SVG from plain numbers; colors are CSS variables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

MAP_SIZE = 600
N_COLORS = 12
"""Colors of themes in the style sheet, --c0 to --c11; further themes repeat them."""


def draw_bar(value: float, largest: float, is_marked: bool = False) -> str:
    """Return a bar whose length is a share of the largest value.

    >>> 'width="50"' in draw_bar(2, 4)
    True
    """
    width = 100 * value / largest if largest > 0 else 0
    kind = ' class="marked"' if is_marked else ""
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect{kind} width="{width:.4g}" height="10"/></svg>'
    )


def draw_line(values: Sequence[float], largest: float) -> str:
    """Return a line chart without axes: values from 0 to the largest, evenly spaced."""
    step = 100 / max(len(values) - 1, 1)
    scale = 30 / largest if largest > 0 else 0
    points = " ".join(f"{i * step:.4g},{31 - value * scale:.4g}" for i, value in enumerate(values))
    area = f"0,32 {points} {(len(values) - 1) * step:.4g},32"
    return (
        '<svg class="line" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">'
        f'<polygon points="{area}"/><polyline points="{points}"/></svg>'
    )


def draw_map(points: Sequence[tuple[float, float, int]], names: Sequence[str]) -> str:
    """Return a map of points in the colors of their themes, with the number of each theme at its median."""
    half = MAP_SIZE / 2
    xy = np.array([(x, y) for x, y, _ in points]).reshape(-1, 2) * (half - 12) + half
    labels = np.array([label for *_, label in points], np.int64)
    parts = [_draw_points(xy[labels == label], label) for label in range(-1, len(names))]
    for number in range(len(names)):
        members = xy[labels == number]
        if len(members):
            x, y = np.median(members, axis=0)
            parts.append(f'<text x="{x:.0f}" y="{y:.0f}">{number + 1}</text>')
    described = escape(f"Map of {len(points):,} texts in {len(names)} themes")
    return (
        f'<svg class="map" viewBox="0 0 {MAP_SIZE} {MAP_SIZE}" role="img" aria-label="{described}">'
        f"{''.join(parts)}</svg>"
    )


def _draw_points(xy: np.ndarray, label: int) -> str:
    """Return one path of dots, each a line of length 0 with round ends: much shorter than circles."""
    color = "var(--other)" if label < 0 else f"var(--c{label % N_COLORS})"
    path = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in xy)
    return f'<path d="{path}" style="stroke:{color}"/>' if path else ""
