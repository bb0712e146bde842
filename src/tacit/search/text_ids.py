"""Check the ids of texts, and number texts that have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.checks import check_not_single_text, format_count
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.search.snapshot import Snapshot


def resolve_ids(snapshot: Snapshot, ids: Iterable[str | int | None] | None, n: int) -> tuple[list[str], int]:
    """Return the ids of n new texts and the next number; a given id that is in use raises an error.

    Texts without an id get the next numbers that are no ids yet.
    """
    if ids is not None:
        check_not_single_text(ids)
    wanted = [None] * n if ids is None else [None if name is None else check_id(name) for name in ids]
    if len(wanted) != n:
        raise InputError(
            f"{format_count(len(wanted), 'id')} for {format_count(n, 'text')}: give one for each"
        )
    names = [name for name in wanted if name is not None]
    duplicate = next((name for name, n in Counter(names).items() if n > 1), None)
    if duplicate is None and (in_use := snapshot.rows_of_ids(names) >= 0).any():
        duplicate = names[int(in_use.argmax())]
    if duplicate is not None:
        raise InputError(f"the id {duplicate!r} is already in use: delete the old text first")
    numbers = free_numbers(snapshot, n - len(names), set(names))
    following = iter(numbers)
    resolved = [str(next(following)) if name is None else name for name in wanted]
    return resolved, max([snapshot.next_id + n, *(number + 1 for number in numbers[-1:])])


def free_numbers(snapshot: Snapshot, n: int, names: set[str]) -> list[int]:
    """Return the first n numbers from ``snapshot.next_id`` on that are not among the ids or ``names``."""
    free: list[int] = []
    first, size = snapshot.next_id, n
    while len(free) < n:
        block = [number for number in range(first, first + size) if str(number) not in names]
        is_free = snapshot.rows_of_ids([str(number) for number in block]) < 0
        free += [number for number, is_unused in zip(block, is_free.tolist(), strict=True) if is_unused]
        first, size = first + size, 2 * size
    return free[:n]


def check_ids(ids: Iterable[str | int]) -> list[str]:
    """Return the ids as strings."""
    check_not_single_text(ids)
    return [check_id(text_id) for text_id in ids]


def check_id(text_id: Any) -> str:
    """Return an id as a string; anything but a string or an integer raises an error."""
    if isinstance(text_id, int | np.integer) and not isinstance(text_id, bool):
        return str(text_id)
    if not isinstance(text_id, str):
        raise InputError(f"an id is a {type(text_id).__name__}, not a string or a whole number: {text_id!r}")
    return text_id
