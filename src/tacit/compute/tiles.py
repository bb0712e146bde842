"""Matrix products in register tiles (numba), with the same bits for a row in any batch.

BLAS may round a row differently in a batch of another shape, and its threads compete with ours. Here every
output number is one fixed chain of fused multiply-adds, so that a row has the same bits alone, in a batch
and in any order. Plain numba cannot keep the 64 sums of a tile in registers, so that ``accumulate`` is
written in LLVM IR. On AVX2 it reaches about three quarters of the core's peak, as OpenBLAS does at this
size.

All arrays are C-ordered; their row length is a multiple of ``TILE``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tacit.jit import njit_cached

TILE = 8
_VECTOR_BYTES = 32

# "contract" fuses multiply and add; sums keep the order they are written in.
jit: Any = njit_cached(fastmath={"contract"}, error_model="numpy")
# For kernels with one caller of the same fastmath flags: compiled with it, not before it and again in it.
jit_inline: Any = njit_cached(fastmath={"contract"}, error_model="numpy", inline="always")
# Dot products are summed in eight lanes, always in the same order: no branch depends on the data.
jit_reassoc: Any = njit_cached(fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")

typed_intrinsic: Any = intrinsic  # numba's stub requires arguments that numba itself passes


@jit_reassoc
def dot(a, b):  # type: ignore[no-untyped-def]
    """Compute a . b; b is at least as long as a."""
    total = a.dtype.type(0)
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


def make_tile_kernel(height: int, vectors: int) -> Any:
    """Create the intrinsic that adds to a tile of ``height`` rows by ``vectors`` vectors, held in registers.

    C[t, :w] += sum over r < n of A[r, t] * B[r, :w], for t < height; w = vectors * 32 bytes. Each array is
    passed with the flat index of its first element and its strides, counted in elements.
    """

    @typed_intrinsic
    def accumulate(  # type: ignore[no-untyped-def]
        _typing, a, a_start, a_row, a_column, b, b_start, b_row, c, c_start, c_row, n
    ):
        signature = types.void(a, a_start, a_row, a_column, b, b_start, b_row, c, c_start, c_row, n)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            _emit_tile(context, builder, sig, args, height, vectors)
            return context.get_dummy_value()

        return signature, codegen

    return accumulate


def _emit_tile(context: Any, builder: Any, sig: Any, args: Any, height: int, vectors: int) -> None:
    bits = sig.args[0].dtype.bitwidth
    width = _VECTOR_BYTES * 8 // bits
    int64, int32 = ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(context.get_value_type(sig.args[0].dtype), width)
    lanes = ir.Constant(ir.VectorType(int32, width), [0] * width)
    empty = ir.Constant(vector, ir.Undefined)
    fma = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{width}f{bits}"
    )
    cells = [(t, v) for t in range(height) for v in range(vectors)]

    def number(value: int) -> Any:
        return ir.Constant(int64, value)

    def array(position: int) -> Any:
        data = context.make_array(sig.args[position])(context, builder, args[position]).data
        return builder.gep(data, [args[position + 1]])

    def load(address: Any, kind: Any) -> Any:
        value = builder.load(builder.bitcast(address, kind.as_pointer()))
        value.align = bits // 8
        return value

    def broadcast_scalar(scalar: Any) -> Any:
        first = builder.insert_element(empty, scalar, ir.Constant(int32, 0))
        return builder.shuffle_vector(first, empty, lanes)

    A, B, C = array(0), array(4), array(7)
    a_row, a_column, b_row, c_row, n = (args[k] for k in (2, 3, 6, 9, 10))
    columns = [builder.mul(a_column, number(t)) for t in range(height)]
    targets = [
        builder.gep(C, [builder.add(builder.mul(c_row, number(t)), number(v * width))]) for t, v in cells
    ]
    initial = [load(target, vector) for target in targets]
    entry, loop, done = builder.block, *(builder.append_basic_block(name) for name in ("loop", "done"))
    builder.cbranch(builder.icmp_signed(">", n, number(0)), loop, done)

    builder.position_at_end(loop)
    r = builder.phi(int64)
    sums = [builder.phi(vector) for _ in cells]
    a_address, b_address = builder.gep(A, [builder.mul(r, a_row)]), builder.gep(B, [builder.mul(r, b_row)])
    right = [load(builder.gep(b_address, [number(v * width)]), vector) for v in range(vectors)]
    left = [broadcast_scalar(load(builder.gep(a_address, [k]), vector.element)) for k in columns]
    updated = [builder.call(fma, [left[t], right[v], s]) for (t, v), s in zip(cells, sums, strict=True)]
    next_r = builder.add(r, number(1))
    builder.cbranch(builder.icmp_signed("<", next_r, n), loop, done)
    for phi, first, later in zip([r, *sums], [number(0), *initial], [next_r, *updated], strict=True):
        phi.add_incoming(first, entry)
        phi.add_incoming(later, loop)

    builder.position_at_end(done)
    results = [builder.phi(vector) for _ in cells]
    for result, first, later, target in zip(results, initial, updated, targets, strict=True):
        result.add_incoming(first, entry)
        result.add_incoming(later, loop)
        store = builder.store(result, builder.bitcast(target, vector.as_pointer()))
        store.align = bits // 8


_accumulate_8x1 = make_tile_kernel(8, 1)
_accumulate_4x2 = make_tile_kernel(4, 2)


@jit
def add_product(  # type: ignore[no-untyped-def]
    A, a_start, a_row, a_column, B, b_start, b_row, C, c_start, c_row, n, columns
):
    """Compute C[:8, :columns] += A' B: wide tiles first, which load less, then a narrow one for the rest.

    Callers pass constants as ``np.int64``: numba compiles a kernel again for each literal.
    """
    width = _VECTOR_BYTES // A.itemsize
    wide = columns // (2 * width) * (2 * width)
    for k in range(0, wide, 2 * width):
        for t in range(0, TILE, 4):
            _accumulate_4x2(
                A, a_start + t * a_column, a_row, a_column,
                B, b_start + k, b_row, C, c_start + t * c_row + k, c_row, n,
            )  # fmt: skip
    if wide < columns:
        _accumulate_8x1(
            A, a_start, a_row, a_column, B, b_start + wide, b_row, C, c_start + wide, c_row, n
        )  # fmt: skip


@typed_intrinsic
def prefetch(_typing, array, index):  # type: ignore[no-untyped-def]
    """Prefetch the cache line at a flat index, because gathered rows are far apart in memory."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        int32, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        address = builder.gep(context.make_array(sig.args[0])(context, builder, args[0]).data, [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [byte, int32, int32, int32])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        read, keep, data = (ir.Constant(int32, value) for value in (0, 3, 1))
        builder.call(hint, [builder.bitcast(address, byte), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), codegen


@jit_inline
def add_gram(B, n, C):  # type: ignore[no-untyped-def]
    """Add B[:n]' B[:n] to C, on and above the diagonal (and in parts below it); C may have longer rows."""
    K, row, one = B.shape[1], C.shape[1], np.int64(1)
    for i in range(0, K, TILE):
        add_product(B, i, K, one, B, i, K, C, i * row + i, row, n, K - i)


@jit
def multiply_in_place(A, M, first, last):  # type: ignore[no-untyped-def]
    """Replace A[first:last] by A[first:last] @ M; M is square and the bounds are multiples of ``TILE``."""
    K = M.shape[0]
    rows = np.empty((TILE, K), A.dtype)
    zero, one = np.int64(0), np.int64(1)
    for i in range(first, last, TILE):
        for t in range(TILE):  # assigning a slice compiles numba's error message about shapes, 2 s
            for k in range(K):
                rows[t, k] = A[i + t, k]
                A[i + t, k] = 0
        add_product(rows, zero, one, K, M, zero, K, A, i * K, K, K, K)


@jit
def gram(A, first, last):  # type: ignore[no-untyped-def]
    """Compute A[first:last]' A[first:last]: sums of 128 rows in A's own precision, added in float64."""
    K = A.shape[1]
    total = np.zeros((K, K))
    part = np.empty((K, K), A.dtype)
    for start in range(first, last, 128):
        part[:] = 0
        add_gram(A[start:last], min(128, last - start), part)
        for i in range(K):
            for k in range(i, K):
                total[i, k] += part[i, k]
    for i in range(K):
        for k in range(i):
            total[i, k] = total[k, i]
    return total


def round_up_to_tile(n: int) -> int:
    """Round up to the next multiple of ``TILE``.

    >>> [round_up_to_tile(n) for n in (0, 1, 8, 100)]
    [0, 8, 8, 104]
    """
    return -(-n // TILE) * TILE
