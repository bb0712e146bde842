"""What lies within a line on a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.search.map import LONGEST, Map

Array = NDArray[Any]

TEXTS = 50
"""Texts of a selection that are told."""


def within(points: Array, line: Sequence[Sequence[float]]) -> NDArray[np.bool_]:
    """Which points a closed line encloses, by the crossings of a ray to the right.

    >>> within(np.array([[0.5, 0.5], [2, 0.5]]), [[0, 0], [1, 0], [1, 1], [0, 1]]).tolist()
    [True, False]
    """
    x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    found = np.zeros(len(points), np.bool_)
    for (ax, ay), (bx, by) in zip(line, [line[-1], *line[:-1]], strict=True):
        if ay != by:
            found ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return found


def selected(drawn: Map, line: Sequence[Sequence[float]], group: int | None = None) -> dict[str, Any]:
    """How many texts lie within the line, the words that set them apart, and the first ones."""
    from tacit.search.clusters import said_words

    chosen = within(drawn.points, line)
    if group is not None:
        chosen &= drawn.group == group
    numbers = np.flatnonzero(chosen)
    said = said_words(drawn.now, drawn.rows, chosen.astype(np.int64), 2)[1] if len(numbers) else []
    texts = [
        {"number": number, "id": drawn.id(number), "text": drawn.text(number)[: 2 * LONGEST]}
        for number in numbers[:TEXTS].tolist()
    ]
    return {"count": len(numbers), "words": [word for word, _ in said], "texts": texts}
