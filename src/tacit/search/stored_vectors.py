"""Unit vectors stored as float32, float16 or int8.

With float16 and int8, stored vectors only select candidates: the texts of the candidates are encoded again,
and ranked by the vectors at full precision. Scores do not depend on the precision, but a text may be missed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tacit.compute.nearest import Matches, find_nearest, merge_top_k, top_k
from tacit.compute.threads import effective_n_threads, run_blocks, split_range
from tacit.compute.tiles import jit
from tacit.errors import ModelError
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array

PRECISIONS = ("float32", "float16", "int8")
"""Types of a component: 4, 2 or 1 bytes; int8 has a scale for each vector."""

_BLOCK_ROWS = 1 << 14  # rows that are converted to float32 together


class StoredVectors:
    """Rows of unit vectors or zeros; a row of int8 is multiplied by its entry in ``scales``.

    >>> stored = StoredVectors.quantize(np.array([[0.6, -0.8]], np.float32), "int8")
    >>> stored.values, stored.to_float32(slice(0, 1)).round(2)
    (array([[  95, -127]], dtype=int8), array([[ 0.6, -0.8]], dtype=float32))
    """

    def __init__(self, values: Array, scales: Array | None = None) -> None:
        """Store the values, and for int8 the scale of each row."""
        self.values, self.scales = values, scales

    @classmethod
    def quantize(cls, vectors: Array, precision: str = "float32") -> StoredVectors:
        """Convert float32 vectors to a precision."""
        if precision != "int8":
            return cls(vectors.astype(precision, copy=False))
        scales = np.abs(vectors).max(axis=1, initial=0).astype(np.float32) / np.float32(127)
        divided = vectors / np.where(scales > 0, scales, 1)[:, None]
        return cls(np.rint(divided).astype(np.int8), scales)

    @classmethod
    def from_arrays(cls, arrays: Any, n: int, n_components: int | None, prefix: str = "") -> StoredVectors:
        """Read and check the arrays that `to_arrays` returned."""
        reader, shape = ArrayReader(arrays, prefix), (n, n_components)
        dtype = arrays[f"{prefix}vectors"].dtype
        if dtype.name not in PRECISIONS:
            raise ModelError(f"array '{prefix}vectors' has the type {dtype}: build the index again")
        if dtype == np.int8:
            scales = reader.in_range("scales", np.float32, (n,), 0, 1.001 / 127)
            return cls(reader.array("vectors", dtype, shape), scales)
        limit = 1.001  # a vector has length 1 or 0, up to rounding
        return cls(reader.in_range("vectors", dtype, shape, -limit, limit))

    def to_arrays(self, prefix: str = "") -> dict[str, Array]:
        """Return the arrays by their names in a file, which begin with ``prefix``."""
        scales = {} if self.scales is None else {f"{prefix}scales": self.scales}
        return {f"{prefix}vectors": self.values} | scales

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.values)

    @property
    def is_full_precision(self) -> bool:
        """Whether the vectors are float32."""
        return self.values.dtype == np.float32

    def to_float32(self, rows: Array | slice) -> Array:
        """Return some rows as float32."""
        vectors: Array = self.values[rows].astype(np.float32, copy=False)
        return vectors if self.scales is None else vectors * self.scales[rows][:, None]

    @classmethod
    def concat(cls, parts: list[StoredVectors]) -> StoredVectors:
        """Concatenate vectors of one precision."""
        scales = [part.scales for part in parts if part.scales is not None]
        values = np.concatenate([part.values for part in parts])
        return cls(values, np.concatenate(scales) if scales else None)

    def take(self, rows: Array) -> StoredVectors:
        """Return some rows at the same precision."""
        return StoredVectors(self.values[rows], None if self.scales is None else self.scales[rows])

    def nearest(self, queries: Array, k: int, alive: Array, n_threads: int | None = None) -> Matches:
        """Search the rows as they are stored; see ``compute.nearest``."""
        if self.is_full_precision:
            return find_nearest(self.values, queries, k, alive, n_threads)

        def search_block(block: tuple[int, int]) -> Matches:
            rows = slice(*block)
            scores, neighbors = find_nearest(self.to_float32(rows), queries, k, alive[rows], 1)
            return scores, np.where(neighbors >= 0, neighbors + rows.start, -1)

        blocks = split_range(max(len(self), 1), _BLOCK_ROWS)
        results = run_blocks(search_block, blocks, effective_n_threads(n_threads))
        return merge_top_k(results, k)


def rescore_exact(load: Callable[[Array], Array], queries: Array, rows: Array, k: int) -> Matches:
    """Return the k best of each query's candidate rows by inner product; -1 stands for no row.

    ``load`` returns the float32 vectors of some rows.
    """
    is_row = rows >= 0
    distinct, positions = np.unique(rows[is_row], return_inverse=True)
    scores = np.full(rows.shape, -np.inf, np.float32)
    queries = np.ascontiguousarray(queries)
    scores[is_row] = row_products(load(distinct), queries, positions, np.nonzero(is_row)[0])
    return top_k(scores, rows, k)


@jit
def row_products(a, b, a_rows, b_rows):  # type: ignore[no-untyped-def]
    """Compute the inner product of row ``a_rows[i]`` of a with row ``b_rows[i]`` of b, for every i."""
    products = np.empty(len(a_rows), np.float32)
    for i in range(len(a_rows)):
        total = np.float32(0)
        for k in range(a.shape[1]):
            total += a[a_rows[i], k] * b[b_rows[i], k]
        products[i] = total
    return products
