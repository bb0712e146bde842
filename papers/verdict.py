"""Whether ours meets what the paper prints: within the joint deviation of both."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

from papers.published import Printed

HIT, CHANCE, MISS, OPEN = "hit", "within chance", "miss", "one run"


def verdict(printed: Printed, value: Mapping[str, Any], scale: int = 1, one_run: bool = False) -> str:
    """``hit`` within the joint deviation of the paper's runs and ours, give or take the paper's rounding;
    ``within chance`` where the paper's figure lies in the interval of the test pairs drawn again; else
    ``miss``, by how many joint deviations. Of ``one_run`` out of several no deviation is known: without an
    interval it can hit, and not miss.

    >>> paper = Printed.read("0.9511 ± 0.0003")
    >>> verdict(paper, {"mean": 0.9514, "deviation": 0.0004}), verdict(paper, {"mean": 0.9526})
    ('hit', 'miss, higher by 5.0 deviations')
    >>> verdict(Printed.read("71.51"), {"mean": 0.708, "interval": [0.686, 0.728]}, 100)
    'within chance'
    >>> verdict(Printed.read("71.51"), {"mean": 0.65}, 100, one_run=True)
    'one run, lower'
    """
    apart = value["mean"] * scale - printed.value
    joint = hypot(printed.deviation or 0.0, (value.get("deviation") or 0.0) * scale)
    if abs(apart) <= joint + 0.5 * 10.0**-printed.decimals:
        return HIT
    low, high = value.get("interval", (1, 0))
    if low * scale <= printed.value <= high * scale:
        return CHANCE
    way = "higher" if apart > 0 else "lower"
    if one_run and "interval" not in value:
        return f"{OPEN}, {way}"
    return f"{MISS}, {way}" + (f" by {abs(apart) / joint:.1f} deviations" if joint else "")


def kind(judged: str) -> str:
    """Which of the verdicts it is.

    >>> kind("miss, higher by 5.0 deviations")
    'miss'
    """
    return judged.partition(",")[0]
