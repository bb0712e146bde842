"""All engines add results in the same tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.scale.engines import FAN_IN, SumTree, ThreadEngine, add_group


def joined(left: str, right: str) -> str:
    return f"({left}+{right})"


def level_by_level(values: list[str]) -> str:
    """Add values level by level, as ``DaskEngine`` does."""
    while len(values) > 1:
        values = [add_group(joined, values[n : n + FAN_IN]) for n in range(0, len(values), FAN_IN)]
    return values[0]


@given(st.integers(1, 700))
def test_sum_tree_adds_in_the_order_of_levels(n):
    values = [str(number) for number in range(n)]
    tree: SumTree[str] = SumTree(joined)
    for value in values:
        tree.push(value)
    assert tree.total() == level_by_level(values)


@given(st.integers(1, 60), st.integers(1, 4))
def test_threads_do_not_change_the_order(n, n_threads):
    done = []
    actual = ThreadEngine(n_threads).run(
        lambda item, end: f"{item}{end}", range(n), (".",), joined, done.append
    )
    assert actual == level_by_level([f"{item}." for item in range(n)])
    assert done == list(range(n))
