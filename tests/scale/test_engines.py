"""One tree, whoever adds up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.scale.engines import FAN_IN, SumTree, ThreadEngine, add_group


def joined(left: str, right: str) -> str:
    return f"({left}+{right})"


def level_by_level(values: list[str]) -> str:
    """As a cluster adds up."""
    while len(values) > 1:
        values = [add_group(joined, values[n : n + FAN_IN]) for n in range(0, len(values), FAN_IN)]
    return values[0]


@given(st.integers(1, 700))
def test_values_that_come_in_order_are_added_as_levels_are(n):
    values = [str(number) for number in range(n)]
    tree: SumTree[str] = SumTree(joined)
    for value in values:
        tree.push(value)
    assert tree.total() == level_by_level(values)


@given(st.integers(1, 60), st.integers(1, 4))
def test_threads_do_not_change_the_order(n, n_threads):
    told = []
    found = ThreadEngine(n_threads).run(
        lambda item, end: f"{item}{end}", range(n), (".",), joined, told.append
    )
    assert found == level_by_level([f"{item}." for item in range(n)])
    assert told == list(range(n))
