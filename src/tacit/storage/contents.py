"""What a model folder holds, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import DTypeLike, NDArray

from tacit.errors import ModelError
from tacit.storage.array_checks import REMEDY, check_array


def _library_version() -> str:
    from tacit import __version__  # here, since the package itself may import this room

    return __version__


@dataclass(frozen=True, eq=False)
class Part:
    """Arrays in a content file of their own, which is written once and from then on only named.

    ``entry`` is what a config says of that file; None while there is none.
    """

    arrays: Mapping[str, NDArray[Any]]
    entry: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Stored:
    """What a model folder holds.

    kind: the name of the class, such as ``"WTMF"``.
    parameters, training: plain values (None, bool, int, finite float, str, lists and dicts of them).
    arrays: by name; after reading they are read-only views of the file, not copies.
    vocabulary: a table, one row a word, every row with the same number of fields.
    parts: further arrays by name, each in a file of its own.
    version: the library that wrote it.

    >>> Stored(kind="WTMF", parameters={"n_components": 100}).parameters["n_components"]
    100
    """

    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    vocabulary: list[tuple[str, ...]] = field(default_factory=list)
    version: str = field(default_factory=_library_version)
    parts: dict[str, Part] = field(default_factory=dict)

    def array(self, name: str, dtype: DTypeLike, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """Give an array of exactly this type and shape (None: any length), or raise ModelError.

        What its numbers must be is held by the other checks of `tacit.storage.array_checks`.

        >>> import numpy as np
        >>> stored = Stored("WTMF", arrays={"P": np.eye(2)})
        >>> stored.array("P", np.float64, (None, 2)).shape
        (2, 2)
        >>> stored.array("P", np.float32, (None, 2))
        Traceback (most recent call last):
        tacit.errors.ModelError: array 'P' is float64 (2, 2), not float32 (any, 2): copy the model again, ...
        """
        if name not in self.arrays:
            raise ModelError(f"array {name!r} is missing: {REMEDY}")
        return check_array(name, self.arrays[name], dtype, shape)
