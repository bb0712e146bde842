"""Greedy matching by sorting all cells: the reference of ``match_greedily``."""

from __future__ import annotations

import numpy as np


def match_by_sorting(scores, left, right) -> dict[tuple[int, int], int]:
    """Match the highest scores first, each row and column as often as its count; ties from the end."""
    rows, columns, matches = list(left), list(right), {}
    cells = sorted(np.ndindex(scores.shape), key=lambda c: (-scores[c], -c[0] - c[1], abs(c[0] - c[1])))
    for i, j in cells:
        times = min(rows[i], columns[j])
        if scores[i, j] > 0 and times:
            rows[i], columns[j], matches[i, j] = rows[i] - times, columns[j] - times, times
    return matches
