"""Whether ours meets what the paper prints: within the joint deviation of both."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

from papers.published import Printed

HIT, CHANCE, MISS = "hit", "within chance", "miss"


def verdict(printed: Printed, value: Mapping[str, Any], scale: int = 1) -> str:
    """``hit`` within the joint deviation of the paper's runs and ours, give or take the paper's rounding;
    ``within chance`` where the paper's figure lies in the interval of the test pairs drawn again; else
    ``miss``.

    >>> paper = Printed.read("0.9511 ± 0.0003")
    >>> verdict(paper, {"mean": 0.9514, "deviation": 0.0004}), verdict(paper, {"mean": 0.9650})
    ('hit', 'miss, higher')
    >>> verdict(Printed.read("71.51"), {"mean": 0.708, "interval": [0.686, 0.728]}, 100)
    'within chance'
    """
    apart = abs(value["mean"] * scale - printed.value)
    joint = hypot(printed.deviation or 0.0, (value.get("deviation") or 0.0) * scale)
    if apart <= joint + 0.5 * 10.0**-printed.decimals:
        return HIT
    low, high = value.get("interval", (1, 0))
    if low * scale <= printed.value <= high * scale:
        return CHANCE
    return f"{MISS}, {'higher' if value['mean'] * scale > printed.value else 'lower'}"
