"""Validate texts and ids passed to an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.checks import check_not_single_text, check_text_input
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.search.snapshot import Snapshot


def check_texts(texts: Iterable[str]) -> list[str]:
    """Return the texts as a list; anything but strings raises an error."""
    check_text_input(texts)
    checked = list(texts)
    for text in checked:
        if not isinstance(text, str):
            raise InputError(f"a text is a {type(text).__name__}, not a string: {text!r}")
    return checked


def resolve_ids(snapshot: Snapshot, ids: Iterable[str | int] | None, n: int) -> list[str]:
    """Return the ids of n new texts, by default consecutive numbers; an id in use raises an error."""
    first = snapshot.next_id
    names = [str(first + i) for i in range(n)] if ids is None else check_ids(ids)
    if len(names) != n:
        raise InputError(f"{len(names)} ids for {n} texts: give one for each")
    duplicate = next((name for name, n in Counter(names).items() if n > 1), None)
    if duplicate is None and (in_use := snapshot.rows_of_ids(names) >= 0).any():
        duplicate = names[int(in_use.argmax())]
    if duplicate is not None:
        raise InputError(
            f"the id {duplicate!r} is there already: ids are distinct; delete the old text first"
        )
    return names


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
