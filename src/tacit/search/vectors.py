"""The vectors of a segment: whole, or in half or a quarter of the room, from which candidates are found.

A smaller kind loses no score: what it finds is folded in again from its tokens, which gives the bits that a
whole vector has, and is ordered by those. It may only miss a text that it holds for less alike than it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice
from tacit.compute.nearest import best_first, nearest
from tacit.compute.threads import ranges, run, usable_threads
from tacit.errors import ModelError
from tacit.storage.stored_model import ArrayReader

Array = NDArray[Any]

PRECISIONS = ("float32", "float16", "int8")
"""Bytes of a component: 4, 2, or 1 and a scale for each text."""

_BLOCK = 1 << 14  # rows that are made whole at once


class Vectors:
    """Rows of unit vectors, or zeros; ``scales`` is what a row of int8 is to be multiplied by.

    >>> kept = Vectors.of(np.array([[0.6, -0.8]], np.float32), "int8")
    >>> kept.values, kept.block(0, 1).round(2)
    (array([[  95, -127]], dtype=int8), array([[ 0.6, -0.8]], dtype=float32))
    """

    def __init__(self, values: Array, scales: Array | None = None) -> None:
        """Take the parts; ``of`` makes them."""
        self.values, self.scales = values, scales

    @classmethod
    def of(cls, vectors: Array, precision: str = "float32") -> Vectors:
        """Keep vectors at a precision."""
        check_precision(precision)
        if precision != "int8":
            return cls(vectors.astype(precision, copy=False))
        scales = np.abs(vectors).max(axis=1, initial=0).astype(np.float32) / np.float32(127)
        divided = vectors / np.where(scales > 0, scales, 1)[:, None]
        return cls(np.rint(divided).astype(np.int8), scales)

    @classmethod
    def from_arrays(cls, arrays: Any, n: int, components: int) -> Vectors:
        """Read and check the arrays that ``arrays`` returned."""
        reader, dtype = ArrayReader(arrays), arrays["vectors"].dtype
        if dtype.name not in PRECISIONS:
            raise ModelError(f"array 'vectors' is {dtype}: build the index again")
        if dtype == np.int8:
            scales = reader.in_range("scales", np.float32, (n,), 0, 1.001 / 127)
            return cls(reader.array("vectors", dtype, (n, components)), scales)
        limit = 1.001  # a vector has length 1 or 0, up to rounding
        return cls(reader.in_range("vectors", dtype, (n, components), -limit, limit))

    def arrays(self) -> dict[str, Array]:
        """The arrays, by name."""
        return {"vectors": self.values} | ({} if self.scales is None else {"scales": self.scales})

    def __len__(self) -> int:
        """How many there are."""
        return len(self.values)

    @property
    def precision(self) -> str:
        """The type of a component."""
        return self.values.dtype.name

    @property
    def whole(self) -> bool:
        """Whether nothing was rounded."""
        return self.values.dtype == np.float32

    def block(self, first: int, last: int) -> Array:
        """Some rows in float32."""
        return self.taken(slice(first, last))

    def taken(self, rows: Any) -> Array:
        """Some rows, in float32."""
        found: Array = self.values[rows].astype(np.float32, copy=False)
        return found if self.scales is None else found * self.scales[rows][:, None]

    @classmethod
    def joined(cls, parts: list[Vectors]) -> Vectors:
        """Several, of one precision, one after another."""
        scales = [part.scales for part in parts if part.scales is not None]
        values = np.concatenate([part.values for part in parts])
        return cls(values, np.concatenate(scales) if scales else None)

    def chosen(self, rows: Array) -> Vectors:
        """Some rows, at the same precision."""
        return Vectors(self.values[rows], None if self.scales is None else self.scales[rows])

    def nearest(
        self, queries: Array, k: int, alive: Array, n_threads: int | None = None
    ) -> tuple[Array, Array]:
        """As ``compute.nearest``, of the rows as they are kept."""
        if self.whole:
            return nearest(self.values, queries, k, alive, n_threads)

        def work(part: tuple[int, int]) -> tuple[Array, Array]:
            scores, rows = nearest(self.block(*part), queries, k, alive[part[0] : part[1]], 1)
            return scores, np.where(rows >= 0, rows + part[0], -1)

        found = run(work, ranges(max(len(self), 1), _BLOCK), usable_threads(n_threads))
        scores, rows = (np.concatenate(side, axis=1) for side in zip(*found, strict=True))
        return best_first(scores, rows, k)


def check_precision(precision: str) -> str:
    """Refuse what is none, with those there are."""
    return check_choice("vectors", precision, PRECISIONS)
