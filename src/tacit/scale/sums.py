"""Sums over partitions in one fixed tree: the same bits for any number of threads, workers and machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.by_word import add_rows

Array = NDArray[Any]
T = TypeVar("T")

FAN_IN = 8
"""So many neighbours are added up, one after the other; then their sums are, and so on."""


@dataclass
class Sums:
    """What a pass adds up: a row for some of the words (all, where ``words`` is None) and a few numbers."""

    n_words: int
    words: Array | None
    rows: Array
    small: Array

    def whole(self) -> Sums:
        """The same with a row for every word."""
        if self.words is None:
            return self
        rows = np.zeros((self.n_words, *self.rows.shape[1:]), self.rows.dtype)
        add_rows(rows, self.words, self.rows)
        return Sums(self.n_words, None, rows, self.small)


def add_sums(left: Sums, right: Sums) -> Sums:
    """The sum of two; the first is used up.

    >>> one = Sums(3, np.array([0, 2]), np.ones((2, 1)), np.array([1.0]))
    >>> total = add_sums(one, Sums(3, np.array([2]), np.ones((1, 1)), np.array([2.0])))
    >>> total.rows.ravel(), total.small
    (array([1., 0., 2.]), array([3.]))
    """
    total = left.whole()
    if right.words is None:
        total.rows += right.rows
    else:
        add_rows(total.rows, right.words, right.rows)
    return Sums(total.n_words, None, total.rows, total.small + right.small)


class Tree(Generic[T]):
    """Adds up values that come in order; holds one sum a level.

    >>> tree = Tree(lambda a, b: f"({a}{b})")
    >>> for value in "abcdefghij":
    ...     tree.push(value)
    >>> tree.total()
    '((((((((ab)c)d)e)f)g)h)(ij))'
    """

    def __init__(self, add: Callable[[T, T], T], fan_in: int = FAN_IN) -> None:
        """Start empty."""
        self.add, self.fan_in = add, fan_in
        self.levels: list[list[Any]] = []  # of each level: how many were added up, and their sum

    def push(self, value: T, level: int = 0) -> None:
        """Add the next value."""
        if level == len(self.levels):
            self.levels.append([0, None])
        here = self.levels[level]
        if here[0] == self.fan_in:
            full, here[:] = here[1], (0, None)
            self.push(full, level + 1)
        here[1] = value if here[0] == 0 else self.add(here[1], value)
        here[0] += 1

    def total(self) -> T:
        """The sum of all, and an end."""
        level = 0
        while level + 1 < len(self.levels):
            value, self.levels[level][:] = self.levels[level][1], (0, None)
            self.push(value, level + 1)
            level += 1
        return self.levels[level][1]  # type: ignore[no-any-return]


def add_neighbours(add: Callable[[T, T], T], values: Sequence[T]) -> T:
    """What a node of the tree does, leaving the values as they are; all nodes together are ``Tree``."""
    return reduce(add, values[1:], deepcopy(values[0]) if len(values) > 1 else values[0])
